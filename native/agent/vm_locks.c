#define _GNU_SOURCE
#include "vm_locks.h"

#include <errno.h>
#include <pthread.h>
#include <time.h>

#include "redirect.h"
#include "self.h"

/* How long to wait before looking again who the owner is. */
#define LOOK_AGAIN_NS 1000000L

/* So many tries in vain at one mutex within POLLING_NS are polling; then sleep for NAP_NS. */
#define TRIES_IN_VAIN 64
#define POLLING_NS 1000000LL
#define NAP_NS 50000

/* Apart from what the same thread is owed as the waiter for a safepoint. */
#define LOCK_CREDITOR(id) ((id) ^ UINT64_C(1) << 62)

static int (*lock_original)(pthread_mutex_t *);
static int (*trylock_original)(pthread_mutex_t *);

struct polling {
    pthread_mutex_t *mutex;
    int tries;
    int64_t started;
};

static __thread struct polling polling __attribute__((tls_model("initial-exec")));

/* Who holds it: not in POSIX, but part of glibc's ABI (struct __pthread_mutex_s). Racy, and right nearly always. */
static pid_t owner_of(pthread_mutex_t *mutex)
{
    return *(volatile int *)&mutex->__data.__owner;
}

/*
 * Raises the owner to just below the waiter's own level: what the waiter is owed can end before it settles (laggards.c).
 * The owner's entry, to be settled with, or 0 if there was nothing to do.
 */
static ledger_id raise_owner(pthread_mutex_t *mutex, const struct ledger_view *waiter)
{
    struct ledger_view owner;
    int rank = level_rank(waiter->own) - 1;
    ledger_id id = ledger_find(owner_of(mutex));
    if (rank <= RANK_REAL_TIME || !ledger_look(id, &owner) || level_rank(owner.now) >= rank)
        return 0;
    return ledger_owe(id, rank, LOCK_CREDITOR(waiter->id)) == 0 ? id : 0;
}

static bool look_at_real_time_self(struct ledger_view *view)
{
    return ledger_look(self_entry(), view) && level_is_real_time(view->own);
}

static int lock_hook(pthread_mutex_t *mutex)
{
    struct ledger_view waiter;
    int error = trylock_original(mutex);
    while (error == EBUSY || error == ETIMEDOUT) {
        if (!look_at_real_time_self(&waiter))
            return lock_original(mutex);
        ledger_id owner = raise_owner(mutex, &waiter);
        struct timespec until;
        clock_gettime(CLOCK_REALTIME, &until);
        until.tv_nsec += LOOK_AGAIN_NS;
        until.tv_sec += until.tv_nsec / 1000000000;
        until.tv_nsec %= 1000000000;
        error = pthread_mutex_timedlock(mutex, &until);
        if (owner)
            ledger_settle(owner, LOCK_CREDITOR(waiter.id));
    }
    return error;
}

static void nap_for_owner(pthread_mutex_t *mutex)
{
    struct ledger_view waiter;
    if (!look_at_real_time_self(&waiter))
        return;
    ledger_id owner = raise_owner(mutex, &waiter);
    clock_nanosleep(CLOCK_MONOTONIC, 0, &(struct timespec){0, NAP_NS}, NULL);
    if (owner)
        ledger_settle(owner, LOCK_CREDITOR(waiter.id));
}

static int trylock_hook(pthread_mutex_t *mutex)
{
    int error = trylock_original(mutex);
    if (error != EBUSY)
        return error;
    if (polling.mutex != mutex || polling.tries == 0)
        polling = (struct polling){mutex, 0, monotonic_ns()};
    if (++polling.tries >= TRIES_IN_VAIN) {
        bool in_a_row = monotonic_ns() - polling.started < POLLING_NS;
        polling.tries = 0;
        if (in_a_row)
            nap_for_owner(mutex);
    }
    return error;
}

static bool knows_owners(void)
{
    pthread_mutex_t probe = PTHREAD_MUTEX_INITIALIZER;
    pthread_mutex_lock(&probe);
    bool owner_is_told = owner_of(&probe) == kernel_gettid();
    pthread_mutex_unlock(&probe);
    return owner_is_told;
}

bool vm_locks_hook(void)
{
    const char *libjvm = "libjvm.so";
    return knows_owners() &&
           redirect_calls(libjvm, "pthread_mutex_trylock", (void *)trylock_hook, (void **)&trylock_original) &&
           redirect_calls(libjvm, "pthread_mutex_lock", (void *)lock_hook, (void **)&lock_original);
}
