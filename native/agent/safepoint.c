#define _GNU_SOURCE
#include "safepoint.h"

#include <stdatomic.h>
#include <time.h>

#include "ladder.h"
#include "libjvm.h"
#include "self.h"

/* A safepoint that every thread can reach at once takes less: raise nobody before. */
#define PATIENCE_NS 100000LL

/* A pause between two sleeps that means that they belong to different waits. */
#define SAME_WAIT_NS 1000000LL

#define MOST_LAGGARDS 64

static int (*nanosleep_original)(const struct timespec *, struct timespec *);
static long thread_state_offset;
static int state_in_native, state_blocked;

struct wait {
    int64_t started, woke;
};

static __thread struct wait current_wait __attribute__((tls_model("initial-exec")));

struct rescue {
    const struct ledger_view *waiter;
    int rank;
    bool critical; /* those in critical sections, rather than those that have not reached the safepoint */
};

/* Not in native code, which a safepoint does not wait for, and not blocked: HotSpot's own rule, safepoint.cpp. */
static bool is_awaited(const struct ledger_view *view)
{
    int state = *(volatile int *)((char *)view->java_thread + thread_state_offset);
    return state != state_in_native && state != state_blocked;
}

static int rank_if_laggard(const struct ledger_view *view, void *context)
{
    const struct rescue *rescue = context;
    if (!view->java_thread || view->id == rescue->waiter->id || level_rank(view->now) >= rescue->rank)
        return 0;
    bool awaited = rescue->critical ? *view->critical_sections > 0 : is_awaited(view);
    return awaited ? rescue->rank : 0;
}

/* True if the waiter is one that laggards can hold up, and then the rank that they need. */
static bool laggard_rank(const struct ledger_view *waiter, int *rank)
{
    bool vm_thread = waiter->kind == LEDGER_KIND_VM_THREAD;
    *rank = vm_thread ? RANK_REAL_TIME + ladder.laggard : level_rank(waiter->now) - 1;
    return level_is_real_time(waiter->now) && (vm_thread || waiter->java_thread) && *rank > RANK_REAL_TIME;
}

static int raise_laggards(const struct ledger_view *waiter, ledger_id *raised)
{
    struct rescue rescue = {.waiter = waiter};
    if (!laggard_rank(waiter, &rescue.rank))
        return 0;
    int count = ledger_raise_where(rank_if_laggard, &rescue, waiter->id, raised, MOST_LAGGARDS);
    if (waiter->kind == LEDGER_KIND_VM_THREAD)
        return count;
    /* Behind them those in critical sections, which the VM Thread never waits for, but a Java thread on its way into a
     * collection does. Behind, because of two with one real-time value the first to be raised runs first. */
    rescue.critical = true;
    return count + ledger_raise_where(rank_if_laggard, &rescue, waiter->id, raised + count, MOST_LAGGARDS - count);
}

static int nanosleep_hook(const struct timespec *request, struct timespec *remaining)
{
    int64_t now = monotonic_ns();
    struct wait *wait = &current_wait;
    if (now - wait->woke > SAME_WAIT_NS)
        wait->started = now;
    int raised_count = 0;
    ledger_id raised[MOST_LAGGARDS];
    struct ledger_view waiter;
    if (now - wait->started >= PATIENCE_NS && ledger_look(self_entry(), &waiter))
        raised_count = raise_laggards(&waiter, raised);
    int result = nanosleep_original(request, remaining);
    for (int i = 0; i < raised_count; i++)
        ledger_settle(raised[i], waiter.id);
    wait->woke = monotonic_ns();
    return result;
}

bool safepoint_hook(void)
{
    thread_state_offset = libjvm_offset("JavaThread", "_thread_state");
    state_in_native = libjvm_constant("_thread_in_native", 4);
    state_blocked = libjvm_constant("_thread_blocked", 10);
    return thread_state_offset >= 0 &&
           libjvm_redirect("libjvm.so", "nanosleep", (void *)nanosleep_hook, (void **)&nanosleep_original);
}

/* The JVM's own functions, which ours call. */
static struct JNINativeInterface_ jni;

static void *JNICALL get_array(JNIEnv *env, jarray array, jboolean *is_copy)
{
    self.critical_sections++;
    void *elements = jni.GetPrimitiveArrayCritical(env, array, is_copy);
    if (!elements)
        self.critical_sections--;
    return elements;
}

static void JNICALL release_array(JNIEnv *env, jarray array, void *elements, jint mode)
{
    jni.ReleasePrimitiveArrayCritical(env, array, elements, mode);
    self.critical_sections--;
}

static const jchar *JNICALL get_string(JNIEnv *env, jstring string, jboolean *is_copy)
{
    self.critical_sections++;
    const jchar *characters = jni.GetStringCritical(env, string, is_copy);
    if (!characters)
        self.critical_sections--;
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
