#define _GNU_SOURCE
#include "jvm_waits.h"

#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <time.h>

#include "jvm_threads.h"
#include "laggards.h"
#include "ledger_page.h"
#include "libjvm.h"
#include "redirect.h"
#include "self.h"
#include "stuck_calls.h"

/* Who has waited so long gives the next one a turn, and then waits so long again. */
#define PATIENCE_NS 1000000
#define WAIT_TURN_NS 100000

/* So many yields in a row, at so little distance on the average, are a spin lock. */
#define YIELDS_IN_A_LOCK 256
#define LOCK_GAP_NS (YIELDS_IN_A_LOCK * 20000LL)

static int (*yield_original)(void);
static int (*cond_wait_original)(pthread_cond_t *, pthread_mutex_t *);
static long waiting_monitor_offset, pending_monitor_offset;
static uint64_t java_thread_size;

/* The last wait of the calling thread's that timed out, so that the next one knows that it is the same. */
struct last_wait {
    pthread_cond_t *condition;
    int64_t woke;
    bool turn_is_due; /* its patience is over */
    int done;         /* how many have had their turn */
};

static __thread struct last_wait last_wait __attribute__((tls_model("initial-exec")));

/* This JVM's condition variables go by CLOCK_REALTIME: JDK 8. They are then waited on as ever. */
static atomic_bool other_clock;

/*
 * pthread_cond_timedwait, by the clock that HotSpot gives its condition variables from JDK 9 on. A time-out is reported
 * as a wake-up without a cause, which POSIX allows and HotSpot's waits are written for: the caller has to look at what it
 * waits for, since it may have come about just as the time was over.
 */
static int wait_for(pthread_cond_t *condition, pthread_mutex_t *mutex, int64_t ns, bool *timed_out)
{
    int64_t until = monotonic_ns() + ns;
    struct timespec time = {until / 1000000000, until % 1000000000};
    short_call_begin(); /* who signals, or another waiter, may be kept from the CPU with the mutex in its hands */
    int error = pthread_cond_timedwait(condition, mutex, &time);
    short_call_end();
    *timed_out = error == ETIMEDOUT;
    if (*timed_out && monotonic_ns() < until)
        atomic_store(&other_clock, true);
    return *timed_out ? 0 : error;
}

static int wait_with_turns(pthread_cond_t *condition, pthread_mutex_t *mutex)
{
    struct last_wait *last = &last_wait;
    struct turn turn;
    if (atomic_load(&other_clock) || !turn_begin(&turn))
        return cond_wait_original(condition, mutex);
    /* A thread of the program's own waits for others to leave their critical sections, if there are any in them; Java's
     * system threads and who waits in DestroyJavaVM wait for something to do, and for ever. */
    bool idles = self.java_thread && (turn.waiter.kind == LEDGER_KIND_JAVA_SYSTEM || self.destroys_vm ||
                                      !turn_finds(&turn, IN_CRITICAL_SECTION));
    if (idles)
        return cond_wait_original(condition, mutex);
    if (last->condition != condition || monotonic_ns() - last->woke > PATIENCE_NS)
        *last = (struct last_wait){.condition = condition};
    bool timed_out;
    int error;
    if (!last->turn_is_due) {
        error = wait_for(condition, mutex, PATIENCE_NS, &timed_out);
    } else {
        if (self.java_thread)
            turn_raise_all(&turn, IN_CRITICAL_SECTION);
        else
            turn_raise_next(&turn, NOT_IN_NATIVE, &last->done);
        error = wait_for(condition, mutex, turn.raised_count > 0 ? WAIT_TURN_NS : PATIENCE_NS, &timed_out);
        turn_end(&turn);
    }
    last->turn_is_due = timed_out && !last->turn_is_due;
    last->woke = monotonic_ns();
    return error;
}

/*
 * A Java thread that waits inside the JVM, rather than in park(), wait() or for a monitor: the Parker is part of the
 * JavaThread, and the monitors are noted there. Such a wait may be for others to leave their JNI critical sections
 * (gcLocker.cpp, to JDK 24).
 */
static bool waits_inside_jvm(const pthread_mutex_t *mutex)
{
    const char *place = (const char *)mutex;
    bool parker = place >= self.java_thread && place < self.java_thread + java_thread_size;
    return !parker && waiting_monitor_offset >= 0 && pending_monitor_offset >= 0 &&
           !*(void *volatile *)(self.java_thread + waiting_monitor_offset) &&
           !*(void *volatile *)(self.java_thread + pending_monitor_offset);
}

static int cond_wait_hook(pthread_cond_t *condition, pthread_mutex_t *mutex)
{
    bool waits_for_others =
        self.java_thread ? waits_inside_jvm(mutex) : self.is_jvms_own && jvm_thread_self_is_gc_worker();
    return waits_for_others ? wait_with_turns(condition, mutex) : cond_wait_original(condition, mutex);
}

struct spin {
    unsigned yields;
    int done;
    int64_t looked;
};

static __thread struct spin spin __attribute__((tls_model("initial-exec")));

static int yield_hook(void)
{
    int result = yield_original();
    if (self.in_thread_yield || ++spin.yields % YIELDS_IN_A_LOCK != 0)
        return result;
    int64_t now = monotonic_ns();
    struct turn turn;
    if (now - spin.looked > LOCK_GAP_NS) {
        spin.done = 0;
    } else if (turn_begin(&turn)) {
        turn_raise_next(&turn, NOT_IN_NATIVE, &spin.done);
        if (turn.raised_count > 0)
            clock_nanosleep(CLOCK_MONOTONIC, 0, &(struct timespec){0, TURN_NS}, NULL);
        turn_end(&turn);
    }
    spin.looked = monotonic_ns();
    return result;
}

bool jvm_waits_hook(void)
{
    waiting_monitor_offset = libjvm_offset("JavaThread", "_current_waiting_monitor");
    pending_monitor_offset = libjvm_offset("JavaThread", "_current_pending_monitor");
    java_thread_size = libjvm_size("JavaThread");
    return redirect_calls("libjvm.so", "pthread_cond_wait", (void *)cond_wait_hook, (void **)&cond_wait_original) &&
           redirect_calls("libjvm.so", "sched_yield", (void *)yield_hook, (void **)&yield_original);
}
