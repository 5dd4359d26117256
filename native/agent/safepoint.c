#define _GNU_SOURCE
#include "safepoint.h"

#include <time.h>

#include "jvm_threads.h"
#include "laggards.h"
#include "ledger_page.h"
#include "redirect.h"
#include "self.h"

/* A safepoint that every thread can reach at once takes less: raise nobody before. */
#define PATIENCE_NS 30000LL

/* A pause between two sleeps that means that they belong to different waits. */
#define SAME_WAIT_NS 1000000LL

/* So many turns go to all who are awaited at once; if that was not enough, each gets turns of its own. */
#define TURNS_FOR_ALL 4

/*
 * A Java thread that waits here waits for a handshake, or on its way into a collection for JNI critical sections to end
 * (JDK 25, gcLocker.cpp), and does not say which. Both kinds at once would share the CPU by whole quanta, so they take
 * turns. Most of these go to the critical sections: they can be long, while a handshake is soon answered.
 */
#define TURNS_PER_HANDSHAKE 4

static int (*nanosleep_original)(const struct timespec *, struct timespec *);

struct wait {
    int64_t started, woke;
    int turns;
    int done; /* how many have had a turn of their own */
};

static __thread struct wait current_wait __attribute__((tls_model("initial-exec")));

/* Others sleep for reasons of their own: Shenandoah's control thread between two looks at what there is to do. */
static bool awaits_java_threads(const struct ledger_view *waiter)
{
    return waiter->kind == LEDGER_KIND_VM_THREAD || waiter->java_thread;
}

/* It spins, for a mutator that does a part of its work: ZLiveMap::reset. */
static bool awaits_mutator(const struct ledger_view *waiter)
{
    return waiter->kind == LEDGER_KIND_CONCURRENT_GC && jvm_thread_self_is_gc_worker();
}

static void raise_laggards(struct turn *turn, struct wait *wait)
{
    int number = wait->turns++;
    bool critical_turn = turn->waiter.kind != LEDGER_KIND_VM_THREAD && number % TURNS_PER_HANDSHAKE != 0;
    if (critical_turn && turn_raise_all(turn, IN_CRITICAL_SECTION) > 0)
        return;
    if (number < TURNS_FOR_ALL)
        turn_raise_all(turn, AWAITED);
    else
        turn_raise_next(turn, NOT_IN_NATIVE, &wait->done);
}

static int nanosleep_hook(const struct timespec *request, struct timespec *remaining)
{
    int64_t now = monotonic_ns();
    struct wait *wait = &current_wait;
    if (now - wait->woke > SAME_WAIT_NS)
        *wait = (struct wait){.started = now};
    struct turn turn = {.raised_count = 0};
    if (now - wait->started >= PATIENCE_NS && turn_begin(&turn)) {
        if (awaits_java_threads(&turn.waiter))
            raise_laggards(&turn, wait);
        else if (awaits_mutator(&turn.waiter))
            turn_raise_next(&turn, NOT_IN_NATIVE, &wait->done);
    }
    struct timespec time = {0, TURN_NS};
    int result = turn.raised_count ? nanosleep_original(&time, NULL) : nanosleep_original(request, remaining);
    turn_end(&turn);
    wait->woke = monotonic_ns();
    return result;
}

bool safepoint_hook(void)
{
    return redirect_calls("libjvm.so", "nanosleep", (void *)nanosleep_hook, (void **)&nanosleep_original);
}

/* The JVM's own functions, those that ours call. */
static struct JNINativeInterface_ jni;

static void enter_section(void)
{
    self_ask();
    self.signs.critical_sections++; /* before it is in there: who looks must not miss one */
}

/* A section that was entered before the agent came is left uncounted. */
static void leave_section(void)
{
    if (self.signs.critical_sections > 0)
        self.signs.critical_sections--;
}

static void *JNICALL get_array(JNIEnv *env, jarray array, jboolean *is_copy)
{
    enter_section();
    void *elements = jni.GetPrimitiveArrayCritical(env, array, is_copy);
    self.signs.critical_sections -= elements == NULL;
    return elements;
}

static void JNICALL release_array(JNIEnv *env, jarray array, void *elements, jint mode)
{
    jni.ReleasePrimitiveArrayCritical(env, array, elements, mode);
    leave_section();
}

static const jchar *JNICALL get_string(JNIEnv *env, jstring string, jboolean *is_copy)
{
    enter_section();
    const jchar *characters = jni.GetStringCritical(env, string, is_copy);
    self.signs.critical_sections -= characters == NULL;
    return characters;
}

static void JNICALL release_string(JNIEnv *env, jstring string, const jchar *characters)
{
    jni.ReleaseStringCritical(env, string, characters);
    leave_section();
}

static bool count_sections_in(jvmtiEnv *jvmti, jniNativeInterface *table)
{
    /* Not the whole: an older JVM's table is shorter than that of the header that we are built with. */
    jni.GetPrimitiveArrayCritical = table->GetPrimitiveArrayCritical;
    jni.ReleasePrimitiveArrayCritical = table->ReleasePrimitiveArrayCritical;
    jni.GetStringCritical = table->GetStringCritical;
    jni.ReleaseStringCritical = table->ReleaseStringCritical;
    table->GetPrimitiveArrayCritical = get_array;
    table->ReleasePrimitiveArrayCritical = release_array;
    table->GetStringCritical = get_string;
    table->ReleaseStringCritical = release_string;
    return (*jvmti)->SetJNIFunctionTable(jvmti, table) == JVMTI_ERROR_NONE;
}

bool safepoint_count_critical_sections(jvmtiEnv *jvmti)
{
    jniNativeInterface *table;
    if ((*jvmti)->GetJNIFunctionTable(jvmti, &table) != JVMTI_ERROR_NONE)
        return false;
    bool done = table->GetPrimitiveArrayCritical == get_array; /* when the agent was applied before */
    if (!done)
        done = count_sections_in(jvmti, table);
    (*jvmti)->Deallocate(jvmti, (unsigned char *)table);
    return done;
}
