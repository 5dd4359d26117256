#define _GNU_SOURCE
#include "safepoint.h"

#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <sys/prctl.h>
#include <time.h>

#include "jvm_threads.h"
#include "ladder.h"
#include "libjvm.h"
#include "redirect.h"
#include "self.h"

/* A safepoint that every thread can reach at once takes less: raise nobody before. */
#define PATIENCE_NS 30000LL

/* A pause between two sleeps that means that they belong to different waits. */
#define SAME_WAIT_NS 1000000LL

/*
 * How long a waiter sleeps for its laggards. HotSpot's own turns of 10 us are over before the laggard has run one
 * instruction, where a timer takes as long to set and to ring (a virtual machine: measured, no progress in 1 ms of
 * them), and its turns of 1 ms, which follow, are long beside what most laggards need.
 */
#define TURN_NS 50000

#define MOST_LAGGARDS 64

static int (*nanosleep_original)(const struct timespec *, struct timespec *);
static int (*yield_original)(void);
static int (*cond_wait_original)(pthread_cond_t *, pthread_mutex_t *);
static long thread_state_offset;
static int state_in_native, state_blocked;

/*
 * From here on also threads that are blocked are raised, in turns of MOST_LAGGARDS: one of them may be blocked in name
 * only. A low thread that an earlier safepoint has let go leaves it once it gets the CPU, and no handshake is possible
 * with it before (measured on JDK 25: it never came).
 */
#define LONG_WAIT_NS 500000LL

struct wait {
    int64_t started, woke;
    unsigned turns;
    int blocked_done; /* how many blocked threads have had their turn */
};

static __thread struct wait current_wait __attribute__((tls_model("initial-exec")));

enum laggards { AWAITED, IN_CRITICAL_SECTION, BLOCKED };

struct rescue {
    const struct ledger_view *waiter;
    int rank;
    enum laggards which;
    int skip;
};

static int thread_state(const struct ledger_view *view)
{
    return *(volatile int *)((char *)view->java_thread + thread_state_offset);
}

/* HotSpot's own rule, safepoint.cpp: neither in native code nor blocked. Who has no JavaThread is coming or going. */
static bool is_awaited(const struct ledger_view *view)
{
    return !view->java_thread || (thread_state(view) != state_in_native && thread_state(view) != state_blocked);
}

static int rank_if_laggard(const struct ledger_view *view, void *context)
{
    struct rescue *rescue = context;
    bool java = view->kind < LEDGER_KIND_VM_THREAD;
    if (!java || view->id == rescue->waiter->id || level_rank(view->now) >= rescue->rank)
        return 0;
    switch (rescue->which) {
    case AWAITED: return is_awaited(view) ? rescue->rank : 0;
    case IN_CRITICAL_SECTION: return view->critical_sections && *view->critical_sections > 0 ? rescue->rank : 0;
    default: return view->java_thread && thread_state(view) == state_blocked && rescue->skip-- <= 0 ? rescue->rank : 0;
    }
}

/* True if the waiter is one that laggards can hold up, and then the rank that they need. */
static bool laggard_rank(const struct ledger_view *waiter, int *rank)
{
    bool jvm_own = waiter->kind >= LEDGER_KIND_VM_THREAD;
    *rank = jvm_own ? RANK_REAL_TIME + ladder.laggard : level_rank(waiter->now) - 1;
    return level_is_real_time(waiter->now) && (jvm_own || waiter->java_thread) && *rank > RANK_REAL_TIME;
}

static atomic_bool retired;

void safepoint_retire(void)
{
    atomic_store(&retired, true);
}

struct raised {
    ledger_id ids[MOST_LAGGARDS];
    int count;
};

static int raise_some(struct rescue *rescue, enum laggards which, struct raised *raised, int most)
{
    rescue->which = which;
    int count = ledger_raise_where(rank_if_laggard, rescue, rescue->waiter->id, raised->ids + raised->count, most);
    raised->count += count;
    return count;
}

static int raise(struct rescue *rescue, enum laggards which, struct raised *raised)
{
    return raise_some(rescue, which, raised, MOST_LAGGARDS - raised->count);
}

static void settle(const struct raised *raised, const struct ledger_view *waiter)
{
    for (int i = 0; i < raised->count; i++)
        ledger_settle(raised->ids[i], waiter->id);
}

/*
 * A Java thread that waits here waits for a handshake, or on its way into a collection for JNI critical sections to end
 * (JDK 25, gcLocker.cpp), and does not say which. Both kinds at once would share the CPU by whole quanta, so they take
 * turns. Most of these go to the critical sections: they can be long, while a handshake is soon answered.
 */
#define TURNS_PER_HANDSHAKE 4

static void raise_laggards(const struct ledger_view *waiter, struct wait *wait, bool long_wait, struct raised *raised)
{
    struct rescue rescue = {.waiter = waiter};
    if (!laggard_rank(waiter, &rescue.rank))
        return;
    bool critical_turn = waiter->kind != LEDGER_KIND_VM_THREAD && wait->turns++ % TURNS_PER_HANDSHAKE != 0;
    if (critical_turn && raise(&rescue, IN_CRITICAL_SECTION, raised) > 0)
        return;
    raise(&rescue, AWAITED, raised);
    if (long_wait) {
        rescue.skip = wait->blocked_done;
        int count = raise(&rescue, BLOCKED, raised);
        wait->blocked_done = raised->count < MOST_LAGGARDS ? 0 : wait->blocked_done + count;
    }
}

static int nanosleep_hook(const struct timespec *request, struct timespec *remaining)
{
    int64_t now = monotonic_ns();
    struct wait *wait = &current_wait;
    if (now - wait->woke > SAME_WAIT_NS)
        *wait = (struct wait){.started = now};
    int64_t waited = now - wait->started;
    struct raised raised = {.count = 0};
    struct ledger_view waiter;
    if (waited >= PATIENCE_NS && !atomic_load(&retired) && ledger_look(self_entry(), &waiter))
        raise_laggards(&waiter, wait, waited >= LONG_WAIT_NS, &raised);
    struct timespec turn = {0, TURN_NS};
    int result = raised.count ? nanosleep_original(&turn, NULL) : nanosleep_original(request, remaining);
    settle(&raised, &waiter);
    wait->woke = monotonic_ns();
    return result;
}

/* A collector's worker that has waited so long gives the next of the low threads a turn, and then waits so long again. */
#define WORKER_PATIENCE_NS 1000000
#define WORKER_TURN_NS 100000

/* pthread_cond_timedwait, by the clock that HotSpot gives its condition variables from JDK 9 on. */
static int wait_for(pthread_cond_t *condition, pthread_mutex_t *mutex, int64_t ns)
{
    int64_t until = monotonic_ns() + ns;
    struct timespec time = {until / 1000000000, until % 1000000000};
    int error = pthread_cond_timedwait(condition, mutex, &time);
    bool wrong_clock = error == ETIMEDOUT && monotonic_ns() < until;
    return wrong_clock ? cond_wait_original(condition, mutex) : error;
}

/* Raises the next of the low threads. One at a time: they have no reason to stop, and the first would have every turn. */
static void give_turn(const struct ledger_view *waiter, int rank, int *done, struct raised *raised)
{
    struct rescue rescue = {.waiter = waiter, .rank = rank, .skip = *done};
    *done = raise_some(&rescue, AWAITED, raised, 1) > 0 ? *done + 1 : 0;
}

static int wait_with_turns(pthread_cond_t *condition, pthread_mutex_t *mutex, const struct ledger_view *waiter,
                           int rank)
{
    int done = 0; /* how many low threads have had their turn */
    int error;
    while ((error = wait_for(condition, mutex, WORKER_PATIENCE_NS)) == ETIMEDOUT && !atomic_load(&retired)) {
        struct raised raised = {.count = 0};
        if (self.enters_critical)
            raise(&(struct rescue){.waiter = waiter, .rank = rank}, IN_CRITICAL_SECTION, &raised);
        else
            give_turn(waiter, rank, &done, &raised);
        if (raised.count > 0)
            error = wait_for(condition, mutex, WORKER_TURN_NS);
        settle(&raised, waiter);
        if (error != ETIMEDOUT)
            break;
    }
    return error == ETIMEDOUT ? cond_wait_original(condition, mutex) : error;
}

/* Asked each time, since a new thread waits for its maker before it names itself; GC threads wait seldom. */
static bool is_gc_worker(void)
{
    char comm[COMM_SIZE] = "";
    prctl(PR_GET_NAME, comm);
    return jvm_thread_is_gc_worker(comm);
}

static int cond_wait_hook(pthread_cond_t *condition, pthread_mutex_t *mutex)
{
    struct ledger_view waiter;
    int rank;
    bool waits_for_others = self.is_java ? self.enters_critical : is_gc_worker();
    if (waits_for_others && ledger_look(self_entry(), &waiter) && laggard_rank(&waiter, &rank))
        return wait_with_turns(condition, mutex, &waiter, rank);
    return cond_wait_original(condition, mutex);
}

/* HotSpot's spin locks have no owner either (Shenandoah's heap lock): who yields so often in a row is in one. */
#define YIELDS_IN_A_LOCK 256
#define LOCK_GAP_NS (YIELDS_IN_A_LOCK * 20000LL)

struct spin {
    unsigned yields;
    int done; /* how many low threads have had their turn */
    int64_t looked;
};

static __thread struct spin spin __attribute__((tls_model("initial-exec")));

static int yield_hook(void)
{
    int result = yield_original();
    if (self.in_thread_yield || ++spin.yields % YIELDS_IN_A_LOCK != 0)
        return result;
    struct ledger_view waiter;
    struct raised raised = {.count = 0};
    int rank;
    int64_t now = monotonic_ns();
    if (now - spin.looked > LOCK_GAP_NS)
        spin.done = 0;
    else if (!atomic_load(&retired) && ledger_look(self_entry(), &waiter) && laggard_rank(&waiter, &rank))
        give_turn(&waiter, rank, &spin.done, &raised);
    if (raised.count > 0)
        nanosleep_original(&(struct timespec){0, TURN_NS}, NULL);
    settle(&raised, &waiter);
    spin.looked = monotonic_ns();
    return result;
}

bool safepoint_hook(void)
{
    thread_state_offset = libjvm_offset("JavaThread", "_thread_state");
    state_in_native = libjvm_constant("_thread_in_native", 4);
    state_blocked = libjvm_constant("_thread_blocked", 10);
    return thread_state_offset >= 0 &&
           redirect_calls("libjvm.so", "nanosleep", (void *)nanosleep_hook, (void **)&nanosleep_original) &&
           redirect_calls("libjvm.so", "pthread_cond_wait", (void *)cond_wait_hook, (void **)&cond_wait_original) &&
           redirect_calls("libjvm.so", "sched_yield", (void *)yield_hook, (void **)&yield_original);
}

/* The JVM's own functions, which ours call. */
static struct JNINativeInterface_ jni;

static void *JNICALL get_array(JNIEnv *env, jarray array, jboolean *is_copy)
{
    self.enters_critical = true; /* it may have to wait for a collection that waits for others to leave theirs */
    void *elements = jni.GetPrimitiveArrayCritical(env, array, is_copy);
    self.enters_critical = false;
    self.critical_sections += elements != NULL;
    return elements;
}

static void JNICALL release_array(JNIEnv *env, jarray array, void *elements, jint mode)
{
    jni.ReleasePrimitiveArrayCritical(env, array, elements, mode);
    self.critical_sections--;
}

static const jchar *JNICALL get_string(JNIEnv *env, jstring string, jboolean *is_copy)
{
    self.enters_critical = true; /* it may have to wait for a collection that waits for others to leave theirs */
    const jchar *characters = jni.GetStringCritical(env, string, is_copy);
    self.enters_critical = false;
    self.critical_sections += characters != NULL;
    return characters;
}

static void JNICALL release_string(JNIEnv *env, jstring string, const jchar *characters)
{
    jni.ReleaseStringCritical(env, string, characters);
    self.critical_sections--;
}

bool safepoint_count_critical_sections(jvmtiEnv *jvmti)
{
    jniNativeInterface *table;
    if ((*jvmti)->GetJNIFunctionTable(jvmti, &table) != JVMTI_ERROR_NONE)
        return false;
    jni = *table;
    table->GetPrimitiveArrayCritical = get_array;
    table->ReleasePrimitiveArrayCritical = release_array;
    table->GetStringCritical = get_string;
    table->ReleaseStringCritical = release_string;
    bool done = (*jvmti)->SetJNIFunctionTable(jvmti, table) == JVMTI_ERROR_NONE;
    (*jvmti)->Deallocate(jvmti, (unsigned char *)table);
    return done;
}
