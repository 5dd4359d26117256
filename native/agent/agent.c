/*
 * libayatori.so: thread priorities that Linux obeys, for stock HotSpot. Loaded by -agentpath:…/libayatori.so=OPTIONS, or into
 * a JVM that runs, by `ayatori apply`; there each further load applies other options, and the option `restore` puts
 * everything back. An agent cannot leave: its hooks then do nothing.
 */
#define _GNU_SOURCE
#include <jvmti.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "agent_thread.h"
#include "allowance.h"
#include "birth.h"
#include "java_threads.h"
#include "jvm_threads.h"
#include "jvm_waits.h"
#include "ladder.h"
#include "laggards.h"
#include "libjvm.h"
#include "redirect.h"
#include "options.h"
#include "pins.h"
#include "process_birth.h"
#include "report.h"
#include "safepoint.h"
#include "self.h"
#include "stuck_calls.h"
#include "vm_locks.h"

/* The agent's own environment, NULL until it is set up. */
static jvmtiEnv *jvmti;

static void (*before_halt_original)(void);

/* libjava's way into the JVM as System.exit, or a signal's handler, begins to run the shutdown hooks. */
static void before_halt_hook(void)
{
    java_threads_fold(LEDGER_FOLDED_END);
    before_halt_original();
}

static bool level_anew(const struct ledger_view *view, struct level *own, void *jvms_own)
{
    *own = level_of_thread(&ladder, view->rule, view->kind, view->java_priority, view->ends_vm);
    return (view->kind >= LEDGER_KIND_VM_THREAD) == *(bool *)jvms_own && !view->keeps_own;
}

/* Everybody to where the ladder now in force says: the JVM's own first where they go above the others, else last. */
static void place_everybody(void)
{
    bool jvms_own = ladder_orders_waits(&ladder);
    ledger_revise(level_anew, &jvms_own);
    jvms_own = !jvms_own;
    ledger_revise(level_anew, &jvms_own);
    ledger_publish_ladder();
}

/* What can only be hooked once the JVM is up, and what the policy in force needs of the rest. Once or more often. */
static void complete_hooks(void)
{
    if (ladder_orders_waits(&ladder) && !safepoint_count_critical_sections(jvmti))
        report_lack("JNI critical sections are not seen: a collection may wait for a low thread in one");
    if ((ladder.policy != LEDGER_POLICY_NONE || ladder.rules) && !process_birth_hook())
        report_lack("processes of this JVM may be born with the nice value of the thread that starts them");
    redirect_calls("libjava.so", "JVM_BeforeHalt", (void *)before_halt_hook, (void **)&before_halt_original);
}

/* Gives everybody who is there a place: the JVM's own threads first, since a real-time one could keep them from it. */
static bool take_over(JNIEnv *env, jthread current)
{
    if (!jvm_threads_place_all() && ladder_orders_waits(&ladder)) {
        report_lack("policy %s: this JVM does not name its threads, so the VM Thread cannot be placed; going on with "
                    "policy nice",
                    ladder_policy_name(ladder.policy));
        ladder.policy = LEDGER_POLICY_NICE;
        place_everybody();
    }
    (*jvmti)->SetEventNotificationMode(jvmti, JVMTI_ENABLE, JVMTI_EVENT_THREAD_START, NULL);
    (*jvmti)->SetEventNotificationMode(jvmti, JVMTI_ENABLE, JVMTI_EVENT_THREAD_END, NULL);
    if (!java_threads_enter_all(jvmti, env, current))
        return false;
    complete_hooks();
    return true;
}

static void JNICALL on_vm_init(jvmtiEnv *unused, JNIEnv *env, jthread main)
{
    (void)unused;
    if (!take_over(env, main))
        _exit(2);
    report_be_strict(false);
}

/* JavaThreads vanish without a ThreadEnd from here on. By now no Java thread is real-time any more. */
static void JNICALL on_vm_death(jvmtiEnv *unused, JNIEnv *env)
{
    (void)unused, (void)env;
    laggards_retire();
}

/* From the options to the ladder to put in force. False, which is said, if there is none to be had. */
static bool choose(const char *options, struct level launch, struct ladder *chosen, bool *strict, const char *strictly)
{
    char message[600];
    ladder_defaults(chosen, launch);
    if (!options_parse(options, chosen, strict, message, sizeof message)) {
        report_line("%s", message);
        return false;
    }
    if (chosen->policy != LEDGER_POLICY_NONE && !libjvm_flag("UseThreadPriorities", true)) {
        const char *end = *strict ? ", as strict asks" : "";
        report_line("policy %s is not applied: -XX:-UseThreadPriorities switches priorities off for this JVM%s%s%s",
                    ladder_policy_name(chosen->policy), *strict ? "; " : "", *strict ? strictly : "", end);
        chosen->policy = LEDGER_POLICY_NONE;
        return !*strict;
    }
    chosen->hotspot_sets_nice = libjvm_number_flag("ThreadPriorityPolicy", 0) != 0;
    if (!settle_for_what_is_allowed(chosen, *strict ? strictly : NULL))
        return false;
    if (chosen->rules && chosen->rules->real_time && !ladder_is_real_time(chosen))
        report_line("rules: no thread becomes real-time by them, since policy %s puts the VM Thread above none",
                    ladder_policy_name(chosen->policy));
    return true;
}

static bool enable_events(void)
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
        report_line("this JVM does not tell agents of its native methods (JVMTI error %d)", (int)error);
    return error == JVMTI_ERROR_NONE;
}

static void watch_waits(void)
{
    if (!laggards_prepare() || !safepoint_hook() || !jvm_waits_hook())
        report_lack("waits inside this JVM cannot be watched: a low thread may delay a safepoint or a collection");
    if (!vm_locks_hook())
        report_lack("this JVM's own locks cannot be watched: a low thread that holds one may delay it");
    if (!stuck_calls_hook())
        report_lack(
            "this JVM's calls of malloc and dlsym cannot be watched: a low thread in there may delay a higher one");
}

/* With the ladder in force. False, which is said, if this JVM cannot be worked with. */
static bool set_up(JavaVM *vm)
{
    if ((*vm)->GetEnv(vm, (void **)&jvmti, JVMTI_VERSION_1_2) != JNI_OK) {
        report_line("this JVM has no JVMTI 1.2");
        return false;
    }
    const char *missing = java_threads_prepare(jvmti);
    if (missing) {
        report_line("this JVM has no %s: Ayatori does not know it", missing);
        return false;
    }
    ledger_open();
    pins_prepare();
    self_prepare();
    agent_thread_start();
    if (!birth_hook())
        report_lack("births in this JVM cannot be followed: a new thread gets its level only once it runs");
    if (ladder_orders_waits(&ladder))
        watch_waits();
    return enable_events();
}

static bool open_jvm(void)
{
    bool opened = libjvm_open();
    if (!opened)
        report_line("no libjvm.so in this process: Ayatori works with HotSpot JVMs");
    return opened;
}

/*
 * The thread that creates the JVM, which will be main, spins in places for threads that it has made. Launched above the whole
 * ladder, it would keep them from the CPU.
 */
static void stand_below_own_helpers(void)
{
    struct level laggard = {ladder.rt_policy, ladder.laggard};
    if (ladder_orders_waits(&ladder) && level_rank(ladder.launch) > level_rank(laggard))
        kernel_set(0, laggard, false);
}

JNIEXPORT jint JNICALL Agent_OnLoad(JavaVM *vm, char *options, void *reserved)
{
    (void)reserved;
    struct level launch;
    struct ladder chosen;
    bool strict = false;
    if (kernel_get(0, &launch) != 0) {
        report_line("cannot read the scheduling policy of this process");
        _exit(2);
    }
    if (!open_jvm() || !choose(options, launch, &chosen, &strict, "not started"))
        _exit(2);
    report_be_strict(strict);
    ladder_put_in_force(&chosen);
    stand_below_own_helpers();
    if (!set_up(vm))
        _exit(2);
    return JNI_OK;
}

static bool apply_first(JavaVM *vm, JNIEnv *env, const struct ladder *chosen)
{
    jthread current;
    ladder_put_in_force(chosen);
    if (!set_up(vm) || (*jvmti)->GetCurrentThread(jvmti, &current) != JVMTI_ERROR_NONE || !take_over(env, current))
        return false;
    if (!java_threads_bind_again(env))
        report_line("this JVM does not bind java.lang.Thread's natives again: setPriority is not followed");
    return true;
}

/* Java threads first: the JVM's own must not fall below them. */
static void put_back(const struct ladder *none)
{
    ladder_put_in_force(none);
    ledger_restore(false);
    ledger_restore(true);
    ledger_publish_ladder();
}

static void apply_again(JNIEnv *env, const struct ladder *chosen)
{
    bool rules = ladder.rules || chosen->rules;
    if (chosen->policy == LEDGER_POLICY_NONE) {
        put_back(chosen);
    } else {
        ladder_put_in_force(chosen);
        if (ladder_orders_waits(&ladder))
            watch_waits();
        place_everybody();
    }
    if (rules) {
        jvm_threads_place_all();
        java_threads_match_all(env);
    }
    complete_hooks();
}

static void restore(void)
{
    struct ladder none = ladder;
    none.policy = LEDGER_POLICY_NONE;
    none.folded = 0;
    none.rules = NULL; /* not freed: a thread may be on its way in by one of them */
    put_back(&none);
}

static bool attach(JavaVM *vm, const char *options)
{
    struct ladder chosen;
    struct level launch = ladder.launch;
    JNIEnv *env;
    bool strict = false;
    if (!open_jvm() || (*vm)->GetEnv(vm, (void **)&env, JNI_VERSION_1_6) != JNI_OK)
        return false;
    if (strcmp(options, "restore") == 0) {
        if (jvmti)
            restore();
        return true;
    }
    /* The launcher's first thread only waits for the others: it is still as the JVM was launched. */
    if (!jvmti && kernel_get(getpid(), &launch) != 0)
        return false;
    if (!choose(options, launch, &chosen, &strict, "not applied")) {
        rules_free(chosen.rules);
        return false;
    }
    if (!jvmti)
        return apply_first(vm, env, &chosen);
    apply_again(env, &chosen);
    return true;
}

/* Options may begin with `reply=FILE,`: what there is to be said meanwhile goes there, for whoever applies to read. */
JNIEXPORT jint JNICALL Agent_OnAttach(JavaVM *vm, char *options, void *reserved)
{
    (void)reserved;
    const char *rest = options ? options : "";
    int fd = -1;
    if (strncmp(rest, "reply=", 6) == 0) {
        char path[256];
        size_t length = strcspn(rest + 6, ",");
        snprintf(path, sizeof path, "%.*s", (int)length, rest + 6);
        fd = open(path, O_WRONLY | O_APPEND | O_CLOEXEC | O_NOFOLLOW);
        rest += 6 + length + (rest[6 + length] == ',');
    }
    if (fd >= 0)
        report_to(fd);
    bool done = attach(vm, rest);
    report_to(STDERR_FILENO);
    if (fd >= 0)
        close(fd);
    return done ? JNI_OK : JNI_ERR;
}
