#define _GNU_SOURCE
#include "java_threads.h"

#include <stdatomic.h>
#include <stddef.h>
#include <string.h>

#include "birth.h"
#include "ladder.h"
#include "libjvm.h"
#include "report.h"
#include "self.h"
#include "yield_guard.h"

static jvmtiEnv *jvmti_of_agent;

/* The fields of java.lang.Thread: `priority` and `group` themselves to JDK 18, in `holder` from 19 on. */
static jfieldID eetop_field, name_field, holder_field, priority_field, group_field, group_name_field;
static jobject system_group, main_group;
static atomic_bool fields_known; /* not before VMInit, when the JVM has started threads already */
static jclass thread_class, carrier_class, innocuous_class;

/* Where HotSpot's JavaThread lies from its JNIEnv, and its Linux thread id from the JavaThread. */
static ptrdiff_t env_offset;
static long os_thread_offset, thread_id_offset;

static void JNICALL start0(JNIEnv *env, jobject thread);
static void JNICALL set_priority0(JNIEnv *env, jobject thread, jint priority);
static void JNICALL set_native_name(JNIEnv *env, jobject thread, jstring name);
static void JNICALL yield0(JNIEnv *env, jclass thread_class);

/* What the natives of java.lang.Thread are bound to, in every JDK from 8 on, and what stands before it. */
static struct replacement {
    const char *function;
    void *ours;
    void *original;
} replacements[] = {
    {"JVM_StartThread", (void *)start0, NULL},
    {"JVM_SetThreadPriority", (void *)set_priority0, NULL},
    {"JVM_SetNativeThreadName", (void *)set_native_name, NULL},
    {"JVM_Yield", (void *)yield0, NULL},
};
enum { START, SET_PRIORITY, SET_NAME, YIELD, REPLACEMENTS };
const char *java_threads_prepare(jvmtiEnv *jvmti)
{
    jvmti_of_agent = jvmti;
    os_thread_offset = libjvm_offset("Thread", "_osthread");
    if (os_thread_offset < 0)
        os_thread_offset = libjvm_offset("JavaThread", "_osthread");
    thread_id_offset = libjvm_offset("OSThread", "_thread_id");
    for (int i = 0; i < REPLACEMENTS; i++) {
        replacements[i].original = libjvm_function(replacements[i].function);
        if (!replacements[i].original)
            return replacements[i].function;
    }
    return NULL;
}

void JNICALL java_threads_on_bind(jvmtiEnv *jvmti, JNIEnv *env, jthread thread, jmethodID method, void *address,
                                  void **new_address)
{
    (void)jvmti, (void)env, (void)thread, (void)method;
    for (int i = 0; i < REPLACEMENTS; i++)
        if (address == replacements[i].original)
            *new_address = replacements[i].ours;
}

static void *java_thread_of(JNIEnv *env, jthread thread)
{
    return (void *)(intptr_t)(*env)->GetLongField(env, thread, eetop_field);
}

/* A local reference to where the thread's priority and group are. */
static jobject holder_of(JNIEnv *env, jthread thread)
{
    return holder_field ? (*env)->GetObjectField(env, thread, holder_field) : (*env)->NewLocalRef(env, thread);
}

static int priority_of(JNIEnv *env, jthread thread)
{
    if (!holder_field)
        return (*env)->GetIntField(env, thread, priority_field);
    jobject holder = holder_of(env, thread);
    int priority = (*env)->GetIntField(env, holder, priority_field);
    (*env)->DeleteLocalRef(env, holder);
    return priority;
}

#define DESTROYER "DestroyJavaVM"

/*
 * Who brings the JVM to its end, and must not be kept from it by any Java thread: Signal Dispatcher, "SIGTERM handler"
 * and its like, which Signal.dispatch starts for each signal, and who waits in DestroyJavaVM for the last thread. And who
 * answers jstack, jcmd and this agent's own commands while Java threads have the CPUs: Attach Listener.
 */
static bool ends_vm(const char *name, bool system)
{
    size_t length = strlen(name);
    bool handler = strncmp(name, "SIG", 3) == 0 && length > 8 && strcmp(name + length - 8, " handler") == 0;
    bool speaks = strcmp(name, "Signal Dispatcher") == 0 || strcmp(name, "Attach Listener") == 0;
    return (system && (handler || speaks)) || strcmp(name, DESTROYER) == 0;
}

static bool is_a(JNIEnv *env, jobject object, jclass class)
{
    return class && (*env)->IsInstanceOf(env, object, class);
}

/* At most three bytes for each UTF-16 unit; the ledger cuts at a character. */
#define NAME_BYTES (3 * LEDGER_NAME_SIZE)

struct description {
    unsigned kind;
    int priority;
    struct level own;
    bool ends_vm;
    unsigned generation;
    const struct rule *rule;
    char name[NAME_BYTES];
};

/* Where the name is a char[]: in the early JDK 8. */
static void ask_for_name(JNIEnv *env, jthread thread, struct description *description)
{
    jvmtiThreadInfo info;
    if ((*jvmti_of_agent)->GetThreadInfo(jvmti_of_agent, thread, &info) != JVMTI_ERROR_NONE)
        return;
    strncpy(description->name, info.name, sizeof description->name - 1);
    (*jvmti_of_agent)->Deallocate(jvmti_of_agent, (unsigned char *)info.name);
    (*env)->DeleteLocalRef(env, info.thread_group);
    (*env)->DeleteLocalRef(env, info.context_class_loader);
}

static void read_string(JNIEnv *env, jobject object, jfieldID field, char text[NAME_BYTES])
{
    jstring string = (*env)->GetObjectField(env, object, field);
    if (!string) /* of a thread that was attached this moment */
        return;
    jsize length = (*env)->GetStringLength(env, string);
    (*env)->GetStringUTFRegion(env, string, 0, length < LEDGER_NAME_SIZE ? length : LEDGER_NAME_SIZE - 1, text);
    (*env)->DeleteLocalRef(env, string);
}

static void read_name(JNIEnv *env, jthread thread, struct description *description)
{
    if (!name_field) {
        ask_for_name(env, thread, description);
        return;
    }
    read_string(env, thread, name_field, description->name);
}

/* The rules speak of groups by the name of the one that the thread is in, not of those around it. */
static void find_rule(JNIEnv *env, jobject group, struct description *description)
{
    char name[NAME_BYTES] = "";
    if (group && group_name_field && ladder.rules->by_group)
        read_string(env, group, group_name_field, name);
    description->rule = rules_match(ladder.rules, description->kind, description->name, group ? name : NULL);
}

/* The JDK makes carriers and innocuous threads in groups of their own: in the program's first group there are none. */
static unsigned kind_of(JNIEnv *env, jthread thread, jobject group)
{
    if ((*env)->IsSameObject(env, group, main_group))
        return LEDGER_KIND_JAVA;
    if ((*env)->IsSameObject(env, group, system_group) || is_a(env, thread, innocuous_class))
        return LEDGER_KIND_JAVA_SYSTEM;
    return is_a(env, thread, carrier_class) ? LEDGER_KIND_CARRIER : LEDGER_KIND_JAVA;
}

/* By the fields: JVMTI's GetThreadInfo holds off the mounting of all virtual threads meanwhile, and copies more. */
static void describe(JNIEnv *env, jthread thread, struct description *description)
{
    *description = (struct description){.kind = LEDGER_KIND_JAVA, .priority = LADDER_NORM_JAVA_PRIORITY};
    description->generation = atomic_load(&ladder.generation);
    if (!atomic_load(&fields_known)) {
        description->own = ladder_level(&ladder, description->kind, description->priority, false);
        return;
    }
    jobject holder = holder_of(env, thread);
    jobject group = (*env)->GetObjectField(env, holder, group_field);
    read_name(env, thread, description);
    description->kind = kind_of(env, thread, group);
    description->priority = (*env)->GetIntField(env, holder, priority_field);
    description->ends_vm = ends_vm(description->name, description->kind == LEDGER_KIND_JAVA_SYSTEM);
    if (ladder.rules)
        find_rule(env, group, description);
    description->own =
        level_of_thread(&ladder, description->rule, description->kind, description->priority, description->ends_vm);
    (*env)->DeleteLocalRef(env, group);
    (*env)->DeleteLocalRef(env, holder);
}

/*
 * The entry of a Java thread, 0 if it has not begun or has ended. Not by JVMTI's thread-local storage, which crashes on
 * a thread of JDK 17 that is about to end. If the thread still has the JavaThread that was looked up, no other had it.
 */
static ledger_id id_of(JNIEnv *env, jthread thread)
{
    void *java_thread = java_thread_of(env, thread);
    ledger_id id = java_thread ? ledger_find_java_thread(java_thread) : 0;
    return id && java_thread_of(env, thread) == java_thread ? id : 0;
}

static struct ledger_thread entry_of(const struct description *description)
{
    return (struct ledger_thread){
        .kind = description->kind,
        .java_priority = description->priority,
        .own = description->own,
        .ends_vm = description->ends_vm,
        .rule = description->rule,
        .generation = description->generation,
        .name = description->name,
    };
}

/*
 * Puts the thread where its Java priority says, which others may be changing at the same time: the field is read again
 * after the level is set, so that the last to have written it is the last to be obeyed.
 */
static void follow_priority(JNIEnv *env, jthread thread, ledger_id id)
{
    struct description description;
    do {
        describe(env, thread, &description);
        struct ledger_thread as = entry_of(&description);
        as.name = NULL; /* it may be given another at this moment, and that one stays */
        ledger_identify(id, &as);
    } while (priority_of(env, thread) != description.priority ||
             atomic_load(&ladder.generation) != description.generation);
}

static void JNICALL start0(JNIEnv *env, jobject thread)
{
    if (self.destroys_vm && ladder.folded != LEDGER_FOLDED_END)
        java_threads_fold(LEDGER_FOLDED_END);
    struct description description;
    describe(env, thread, &description);
    struct birth birth = {.child = entry_of(&description)};
    birth_expect(&birth);
    ((void(JNICALL *)(JNIEnv *, jobject))replacements[START].original)(env, thread);
    birth_done(&birth);
}

static void JNICALL set_priority0(JNIEnv *env, jobject thread, jint priority)
{
    ((void(JNICALL *)(JNIEnv *, jobject, jint))replacements[SET_PRIORITY].original)(env, thread, priority);
    ledger_id id = id_of(env, thread);
    if (id)
        follow_priority(env, thread, id);
}

/* Another name may be another rule's, or none's, and so may the same among other rules. */
static void match_anew(JNIEnv *env, jthread thread)
{
    struct description description;
    struct ledger_view view;
    ledger_id id = id_of(env, thread);
    if (!id || !ledger_look(id, &view))
        return;
    describe(env, thread, &description);
    if (description.rule == view.rule)
        return;
    if (view.keeps_own && !rule_schedules(description.rule))
        ledger_set_rule(id, description.rule);
    else
        follow_priority(env, thread, id);
}

static void JNICALL set_native_name(JNIEnv *env, jobject thread, jstring name)
{
    ((void(JNICALL *)(JNIEnv *, jobject, jstring))replacements[SET_NAME].original)(env, thread, name);
    ledger_id id = id_of(env, thread);
    const char *text = id && name ? (*env)->GetStringUTFChars(env, name, NULL) : NULL;
    if (text) {
        ledger_rename(id, text);
        (*env)->ReleaseStringUTFChars(env, name, text);
        if (ladder.rules)
            match_anew(env, thread);
    }
}

static void JNICALL yield0(JNIEnv *env, jclass thread_class)
{
    self.in_thread_yield = true;
    ((void(JNICALL *)(JNIEnv *, jclass))replacements[YIELD].original)(env, thread_class);
    self.in_thread_yield = false;
    if (ladder.placement)
        yield_guard_after_yield();
}

/*
 * A thread that was there before. One with a policy of its own, such as an audio library's, keeps it until setPriority is
 * called; but a nice value is no sign of that where HotSpot may have set it.
 */
static ledger_id enter_existing(const struct description *description, pid_t tid, bool attaches)
{
    struct ledger_thread entry = entry_of(description);
    entry.tid = tid;
    entry.existed = true;
    if (tid == 0 || kernel_get(tid, &entry.now) != 0)
        return 0;
    bool placed_by_us = ledger_find(tid) != 0; /* at its birth, before this JVM told who it is */
    entry.keeps_own = !placed_by_us && (attaches || level_is_real_time(entry.now)) &&
                      !level_equals(entry.now, ladder.launch) && !rule_schedules(description->rule);
    if (entry.keeps_own)
        entry.own = entry.now;
    return ledger_enter(&entry);
}

void JNICALL java_threads_on_start(jvmtiEnv *jvmti, JNIEnv *env, jthread thread)
{
    (void)jvmti;
    struct ledger_view view = {0};
    bool known = ledger_look(self_entry(), &view);
    int priority = view.java_priority;
    if (!known || view.kind >= LEDGER_KIND_VM_THREAD || self.left_java) {
        /* Not born by start0: attached, or one that the JVM started by itself. */
        struct description description;
        describe(env, thread, &description);
        priority = description.priority;
        self.destroys_vm = strcmp(description.name, DESTROYER) == 0;
        self.left_java = false;
        if (known) {
            struct ledger_thread thread = entry_of(&description);
            ledger_identify(self.id, &thread);
        } else {
            self.id = enter_existing(&description, kernel_gettid(), true);
        }
        view.generation = description.generation;
    }
    self.java_thread = (char *)env - env_offset;
    self.asked = atomic_load(&self_asks);
    ledger_set_signs(self.id, self.java_thread, &self.signs);
    ledger_settle(self.id, BIRTH_CREDITOR);
    /* Changed before set_priority0 could find it, or another policy was applied in between. */
    bool changed = priority_of(env, thread) != priority || view.generation != atomic_load(&ladder.generation);
    if (ladder.hotspot_sets_nice || changed)
        follow_priority(env, thread, self.id);
}

void JNICALL java_threads_on_end(jvmtiEnv *jvmti, JNIEnv *env, jthread thread)
{
    (void)jvmti, (void)env, (void)thread;
    struct ledger_view view;
    bool known = ledger_look(self_entry(), &view);
    self.java_thread = NULL;
    if (self.is_newborn) {
        /*
         * It still has to leave the JVM, and can keep a safepoint waiting meanwhile: birth.c takes it out at its end.
         * If its maker is above it, it leaves at the maker's level: a maker who was in join() would else preempt it now,
         * go on to the next birth, and have dying threads with their stacks pile up below.
         */
        if (known && view.maker_rank > level_rank(view.now))
            ledger_owe(self.id, view.maker_rank, BIRTH_CREDITOR);
        ledger_set_signs(self.id, NULL, NULL);
        self.left_java = true;
        return;
    }
    ledger_set_rule(self.id, NULL);
    ledger_leave(self.id);
    self.id = 0;
    int error = known ? kernel_set(0, view.original, false) : 0;
    if (error)
        report_refusal(kernel_gettid(), "detached thread", view.original, error);
}

/* A class that not every JDK has, or NULL. */
static jclass find_class(JNIEnv *env, const char *name)
{
    jclass class = (*env)->FindClass(env, name);
    if (!class)
        (*env)->ExceptionClear(env);
    return class ? (*env)->NewGlobalRef(env, class) : NULL;
}

static jfieldID find_field(JNIEnv *env, jclass class, const char *name, const char *type)
{
    jfieldID field = (*env)->GetFieldID(env, class, name, type);
    if (!field)
        (*env)->ExceptionClear(env);
    return field;
}

/* The fields and classes that tell threads apart. False, with the Java exception cleared, if there is no such field. */
static bool find_fields(JNIEnv *env, jthread current)
{
    jclass class = (*env)->FindClass(env, "java/lang/Thread");
    thread_class = (*env)->NewGlobalRef(env, class);
    eetop_field = find_field(env, class, "eetop", "J");
    name_field = find_field(env, class, "name", "Ljava/lang/String;");
    holder_field = find_field(env, class, "holder", "Ljava/lang/Thread$FieldHolder;");
    jobject holder = holder_of(env, current);
    if (holder_field)
        class = (*env)->GetObjectClass(env, holder);
    priority_field = find_field(env, class, "priority", "I");
    group_field = find_field(env, class, "group", "Ljava/lang/ThreadGroup;");
    jclass group_class = find_class(env, "java/lang/ThreadGroup");
    group_name_field = group_class ? find_field(env, group_class, "name", "Ljava/lang/String;") : NULL;
    carrier_class = find_class(env, "jdk/internal/misc/CarrierThread");
    innocuous_class = find_class(env, "jdk/internal/misc/InnocuousThread");
    jint count = 0;
    jthreadGroup *groups = NULL;
    if ((*jvmti_of_agent)->GetTopThreadGroups(jvmti_of_agent, &count, &groups) == JVMTI_ERROR_NONE && count > 0) {
        system_group = (*env)->NewGlobalRef(env, groups[0]);
        (*jvmti_of_agent)->Deallocate(jvmti_of_agent, (unsigned char *)groups);
    }
    jobject group = group_field ? (*env)->GetObjectField(env, holder, group_field) : NULL;
    if (group && !(*env)->IsSameObject(env, group, system_group)) /* it is main, and not Attach Listener */
        main_group = (*env)->NewGlobalRef(env, group);
    bool known = eetop_field && priority_field && group_field;
    atomic_store(&fields_known, known);
    return known;
}

static pid_t thread_id_of(const char *java_thread)
{
    if (!java_thread || os_thread_offset < 0 || thread_id_offset < 0)
        return 0;
    const char *os_thread = *(const char *const *)(java_thread + os_thread_offset);
    return os_thread ? *(const pid_t *)(os_thread + thread_id_offset) : 0;
}

static void enter_running(JNIEnv *env, jthread thread)
{
    char *java_thread = java_thread_of(env, thread);
    struct description description;
    describe(env, thread, &description);
    if (id_of(env, thread))
        return;
    ledger_id id = enter_existing(&description, thread_id_of(java_thread), false);
    ledger_set_signs(id, java_thread, NULL);
    if (priority_of(env, thread) != description.priority)
        follow_priority(env, thread, id);
}

static void visit_all(JNIEnv *env, void (*visit)(JNIEnv *env, jthread thread))
{
    jint count = 0;
    jthread *threads = NULL;
    if ((*jvmti_of_agent)->GetAllThreads(jvmti_of_agent, &count, &threads) != JVMTI_ERROR_NONE)
        return;
    for (jint i = 0; i < count; i++) {
        visit(env, threads[i]);
        (*env)->DeleteLocalRef(env, threads[i]);
    }
    (*jvmti_of_agent)->Deallocate(jvmti_of_agent, (unsigned char *)threads);
}

bool java_threads_enter_all(jvmtiEnv *jvmti, JNIEnv *env, jthread current)
{
    if (!find_fields(env, current)) {
        report_line("this JVM's java.lang.Thread has no eetop, priority or group: Ayatori does not know it");
        return false;
    }
    env_offset = (char *)env - (char *)java_thread_of(env, current);
    java_threads_on_start(jvmti, env, current);
    self.is_newborn = true; /* main's detaching is the way to DestroyJavaVM, where it must not fall behind the others */
    if (thread_id_of((char *)env - env_offset) != kernel_gettid()) {
        report_lack("this JVM does not tell its threads' ids: those that it started before the agent stay as they are");
        return true;
    }
    visit_all(env, enter_running);
    atomic_fetch_add(&self_asks, 1);
    return true;
}

void java_threads_match_all(JNIEnv *env)
{
    visit_all(env, match_anew);
}

static bool bind(JNIEnv *env, const char *name, const char *signature, void *function)
{
    JNINativeMethod method = {(char *)name, (char *)signature, function};
    bool done = (*env)->RegisterNatives(env, thread_class, &method, 1) == 0;
    if (!done)
        (*env)->ExceptionClear(env); /* this JDK has no such method */
    return done;
}

bool java_threads_bind_again(JNIEnv *env)
{
    return bind(env, "start0", "()V", (void *)start0) && bind(env, "setPriority0", "(I)V", (void *)set_priority0) &&
           bind(env, "setNativeName", "(Ljava/lang/String;)V", (void *)set_native_name) &&
           (bind(env, "yield0", "()V", (void *)yield0) || bind(env, "yield", "()V", (void *)yield0));
}

static bool folded_level_for_java(const struct ledger_view *view, struct level *own, void *unused)
{
    (void)unused;
    *own = ladder_folded_level(&ladder);
    return view->kind < LEDGER_KIND_VM_THREAD && !view->ends_vm;
}

void java_threads_fold(int why)
{
    ladder.folded = why;
    ledger_revise(folded_level_for_java, NULL);
    ledger_publish_ladder();
}
