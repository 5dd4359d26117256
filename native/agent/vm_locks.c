#define _GNU_SOURCE
#include "vm_locks.h"

#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <time.h>

#include "laggards.h"
#include "redirect.h"
#include "self.h"

/* Most locks are held for less; who has waited so long looks who the owner is. */
#define PATIENCE_NS 100000L

/* How long to wait before looking again, for one who is alone with that. */
#define LOOK_AGAIN_NS 1000000L

/* After so many looks those give turns to whom they do not know: the owner, or whom the owner waits for in turn. */
#define LOOKS_AT_UNKNOWN_OWNER 1
#define LOOKS_AT_KNOWN_OWNER 4

/* So many tries in vain at one mutex within POLLING_NS are polling; then sleep for NAP_NS. */
#define TRIES_IN_VAIN 64
#define POLLING_NS 1000000LL
#define NAP_NS 50000

static int (*lock_original)(pthread_mutex_t *);
static int (*trylock_original)(pthread_mutex_t *);

struct polling {
    pthread_mutex_t *mutex;
    int tries;
    int64_t started;
};

/* How many threads look after owners, by the rank of their own level. */
static atomic_int lookers[RANKS];

static __thread struct polling polling __attribute__((tls_model("initial-exec")));

/* Who holds it: not in POSIX, but part of glibc's ABI (struct __pthread_mutex_s). Racy, and right nearly always. */
static pid_t owner_of(pthread_mutex_t *mutex)
{
    return *(volatile int *)&mutex->__data.__owner;
}

static int lock_within(pthread_mutex_t *mutex, long ns)
{
    struct timespec until;
    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_nsec += ns;
    until.tv_sec += until.tv_nsec / 1000000000;
    until.tv_nsec %= 1000000000;
    return pthread_mutex_timedlock(mutex, &until);
}

/*
 * A thread that is preempted between taking the lock and writing that it did, or the other way round as it gives it
 * back, is not known. It is in the JVM: the lower threads that are get turns.
 */
static int lock_from_unknown(pthread_mutex_t *mutex, int *done)
{
    struct turn turn;
    if (!turn_begin(&turn))
        return lock_within(mutex, LOOK_AGAIN_NS);
    turn_raise_next(&turn, NOT_IN_NATIVE, done);
    int error = lock_within(mutex, TURN_NS);
    turn_end(&turn);
    return error;
}

/*
 * Those at the calling thread's rank and above, itself among them. Each looks the more seldom the more there are, so that
 * hundreds of waiters do not take the CPU, and the ledger's lock, from the one that they wait for; and the highest, whose
 * lending does for all below it, looks as often as if it were alone.
 */
static int lookers_from(int rank)
{
    int count = 0;
    for (int r = rank; r < RANKS; r++)
        count += atomic_load_explicit(&lookers[r], memory_order_relaxed);
    return count > 0 ? count : 1;
}

/* Looks who the owner is, and again. */
static int lock_by_looks(pthread_mutex_t *mutex, int rank)
{
    int error;
    int done = 0;
    atomic_fetch_add(&lookers[rank], 1);
    for (int looks = 0;; looks++) {
        pid_t owner = owner_of(mutex);
        ledger_lend(self_entry(), owner);
        bool stuck = looks >= (owner ? LOOKS_AT_KNOWN_OWNER : LOOKS_AT_UNKNOWN_OWNER);
        int count = lookers_from(rank);
        error = stuck ? lock_from_unknown(mutex, &done) : ETIMEDOUT;
        if (error == ETIMEDOUT && (!stuck || count > 1))
            error = lock_within(mutex, LOOK_AGAIN_NS * count);
        if (error != ETIMEDOUT)
            break;
    }
    atomic_fetch_sub(&lookers[rank], 1);
    ledger_lend(self_entry(), 0);
    return error;
}

/* An ordinary thread just waits; it may come to be owed more meanwhile, and then the ledger sees what it waits for. */
static int lock_hook(pthread_mutex_t *mutex)
{
    int error = trylock_original(mutex);
    if (error != EBUSY)
        return error;
    atomic_store(&self.signs.awaited_owner, &mutex->__data.__owner);
    int rank = self_rank();
    bool real_time = rank > RANK_REAL_TIME;
    error = real_time ? lock_within(mutex, PATIENCE_NS) : lock_original(mutex);
    if (real_time && error == ETIMEDOUT)
        error = lock_by_looks(mutex, rank);
    atomic_store(&self.signs.awaited_owner, NULL);
    if (atomic_load(&self.signs.lends))
        ledger_lend(self_entry(), 0);
    return error;
}

static void nap_for_owner(pthread_mutex_t *mutex)
{
    ledger_lend(self_entry(), owner_of(mutex));
    clock_nanosleep(CLOCK_MONOTONIC, 0, &(struct timespec){0, NAP_NS}, NULL);
    ledger_lend(self_entry(), 0);
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
