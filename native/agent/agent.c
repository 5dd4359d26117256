/* libayatori.so: thread priorities that Linux obeys, for stock HotSpot. Loaded by -agentpath:…/libayatori.so=OPTIONS. */
#define _GNU_SOURCE
#include <jvmti.h>
#include <pthread.h>

#include "agent_thread.h"
#include "birth.h"
#include "java_threads.h"
#include "jvm_threads.h"
#include "jvm_waits.h"
#include "ladder.h"
#include "laggards.h"
#include "libjvm.h"
#include "redirect.h"
#include "options.h"
#include "process_birth.h"
#include "report.h"
#include "safepoint.h"
#include "self.h"
#include "stuck_calls.h"
#include "vm_locks.h"

static void (*before_halt_original)(void);

/* libjava's way into the JVM as System.exit, or a signal's handler, begins to run the shutdown hooks. */
static void before_halt_hook(void)
{
    java_threads_fold(LEDGER_FOLDED_END);
    before_halt_original();
}

static void JNICALL on_vm_init(jvmtiEnv *jvmti, JNIEnv *env, jthread main)
{
    if (!jvm_threads_place_all() && ladder_orders_waits(&ladder)) {
        report_lack("policy %s: this JVM does not name its threads, so the VM Thread cannot be placed; going on with "
                    "policy nice",
                    ladder_policy_name(ladder.policy));
        ladder.policy = LEDGER_POLICY_NICE;
        jvm_threads_give_up();
    }
    if (ladder_orders_waits(&ladder) && !safepoint_count_critical_sections(jvmti))
        report_lack("JNI critical sections are not seen: a collection may wait for a low thread in one");
    (*jvmti)->SetEventNotificationMode(jvmti, JVMTI_ENABLE, JVMTI_EVENT_THREAD_START, NULL);
    (*jvmti)->SetEventNotificationMode(jvmti, JVMTI_ENABLE, JVMTI_EVENT_THREAD_END, NULL);
    java_threads_enter_all(jvmti, env, main);
    if (ladder.policy != LEDGER_POLICY_NONE && !process_birth_hook())
        report_lack("processes of this JVM may be born with the nice value of the thread that starts them");
    redirect_calls("libjava.so", "JVM_BeforeHalt", (void *)before_halt_hook, (void **)&before_halt_original);
}

/* JavaThreads vanish without a ThreadEnd from here on. By now no Java thread is real-time any more. */
static void JNICALL on_vm_death(jvmtiEnv *jvmti, JNIEnv *env)
{
    (void)jvmti, (void)env;
    laggards_retire();
}

/* The first of the levels that a policy can ask for which the kernel refuses, and what it said. */
struct probe {
    struct level wanted[4];
    int count;
    struct level refused;
    int error; /* 0: it has them all */
};

/* On a thread of its own, which then ends: without privilege a nice value cannot be taken back. */
static void *probe_levels(void *context)
{
    struct probe *probe = context;
    for (int i = 0; i < probe->count && probe->error == 0; i++) {
        probe->refused = probe->wanted[i];
        probe->error = kernel_set(0, probe->wanted[i], false);
    }
    return NULL;
}

static struct probe probe_policy(void)
{
    struct level lowest = ladder_level(&ladder, LEDGER_KIND_JAVA, LADDER_MIN_JAVA_PRIORITY, false);
    struct level highest = ladder_level(&ladder, LEDGER_KIND_JAVA, LADDER_MAX_JAVA_PRIORITY, false);
    struct level top = ladder_level(&ladder, LEDGER_KIND_VM_THREAD, 0, false);
    struct probe probe = {.wanted = {top, highest, lowest, ladder.launch}, .count = 4};
    pthread_t thread;
    if (pthread_create(&thread, NULL, probe_levels, &probe) == 0)
        pthread_join(thread, NULL);
    return probe;
}

/*
 * Without the right to place the VM Thread above them, no Java thread may become real-time: it could stop the whole JVM.
 * So a real-time policy is had with everything that belongs to it, or `nice` takes its place, and that is said.
 */
static void settle_for_what_is_allowed(bool strict)
{
    struct probe probe = probe_policy();
    bool real_time = level_is_real_time(probe.refused);
    if (probe.error == 0 || (!strict && !real_time)) /* a refused nice value is reported where a thread misses it */
        return;
    const char *policy = ladder_policy_name(ladder.policy);
    char level[LEVEL_TEXT];
    char remedy[REMEDY_TEXT];
    level_text(probe.refused, level);
    report_remedy(probe.refused, probe.error, remedy);
    if (strict)
        report_and_exit("policy %s: wanted %s, the kernel refused (%s); %s; not started, as strict asks", policy, level,
                        errno_name(probe.error), remedy);
    report_line("policy %s: wanted %s, the kernel refused (%s); %s; going on with policy nice", policy, level,
                errno_name(probe.error), remedy);
    ladder.policy = LEDGER_POLICY_NICE;
}

static void read_options(const char *options)
{
    struct level launch;
    char message[256];
    bool strict = false;
    if (kernel_get(0, &launch) != 0)
        report_and_exit("cannot read the scheduling policy of this process");
    ladder_defaults(&ladder, launch);
    if (!options_parse(options, &ladder, &strict, message, sizeof message))
        report_and_exit("%s", message);
    if (strict)
        report_be_strict();
    if (ladder.policy != LEDGER_POLICY_NONE && !libjvm_flag("UseThreadPriorities", true)) {
        report_lack("policy %s is not applied: -XX:-UseThreadPriorities switches priorities off for this JVM",
                    ladder_policy_name(ladder.policy));
        ladder.policy = LEDGER_POLICY_NONE;
    }
    ladder.hotspot_sets_nice = libjvm_number_flag("ThreadPriorityPolicy", 0) != 0;
    settle_for_what_is_allowed(strict);
}

static void enable_events(jvmtiEnv *jvmti)
{
    static const jvmtiEvent events[] = {JVMTI_EVENT_NATIVE_METHOD_BIND, JVMTI_EVENT_VM_INIT, JVMTI_EVENT_VM_DEATH};
    jvmtiCapabilities capabilities = {.can_generate_native_method_bind_events = 1};
    jvmtiEventCallbacks callbacks = {
        .NativeMethodBind = java_threads_on_bind,
        .VMInit = on_vm_init,
        .VMDeath = on_vm_death,
        .ThreadStart = java_threads_on_start,
        .ThreadEnd = java_threads_on_end,
    };
    jvmtiError error = (*jvmti)->AddCapabilities(jvmti, &capabilities);
    if (error == JVMTI_ERROR_NONE)
        error = (*jvmti)->SetEventCallbacks(jvmti, &callbacks, sizeof callbacks);
    for (size_t i = 0; error == JVMTI_ERROR_NONE && i < sizeof events / sizeof events[0]; i++)
        error = (*jvmti)->SetEventNotificationMode(jvmti, JVMTI_ENABLE, events[i], NULL);
    if (error != JVMTI_ERROR_NONE)
        report_and_exit("this JVM does not tell agents of its native methods (JVMTI error %d)", (int)error);
}

static void watch_waits(void)
{
    if (!laggards_prepare() || !safepoint_hook() || !jvm_waits_hook())
        report_lack("waits inside this JVM cannot be watched: a low thread may delay a safepoint or a collection");
    if (!vm_locks_hook())
        report_lack("this JVM's own locks cannot be watched: a low thread that holds one may delay it");
    if (!stuck_calls_hook())
        report_lack("this JVM's calls of malloc cannot be watched: a low thread in there may delay a higher one");
}

JNIEXPORT jint JNICALL Agent_OnLoad(JavaVM *vm, char *options, void *reserved)
{
    (void)reserved;
    jvmtiEnv *jvmti = NULL;
    if (!libjvm_open())
        report_and_exit("no libjvm.so in this process: Ayatori works with HotSpot JVMs");
    read_options(options);
    if ((*vm)->GetEnv(vm, (void **)&jvmti, JVMTI_VERSION_1_2) != JNI_OK)
        report_and_exit("this JVM has no JVMTI 1.2");
    const char *missing = java_threads_prepare(jvmti);
    if (missing)
        report_and_exit("this JVM has no %s: Ayatori does not know it", missing);
    ledger_open();
    self_prepare();
    agent_thread_start();
    if (!birth_hook())
        report_lack("births in this JVM cannot be followed: a new thread gets its level only once it runs");
    if (ladder_orders_waits(&ladder))
        watch_waits();
    enable_events(jvmti);
    return JNI_OK;
}
