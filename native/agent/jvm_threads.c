#define _GNU_SOURCE
#include "jvm_threads.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <unistd.h>

#include "ladder.h"
#include "report.h"
#include "self.h"

/* A newcomer names itself within microseconds once it runs; on a full machine that may take a while. */
#define LOOK_AGAIN_MS 2
#define PATIENCE_NS 1000000000LL

static const struct jvm_name {
    const char *prefix;
    unsigned kind;
} names[] = {
    {"VM Thread", LEDGER_KIND_VM_THREAD},
    {"GC Thread", LEDGER_KIND_GC_WORKER}, /* Parallel, G1 */
    {"ParGC Thread", LEDGER_KIND_GC_WORKER},
    {"GC task thread", LEDGER_KIND_GC_WORKER}, /* JDK 8 */
    {"Gang worker", LEDGER_KIND_GC_WORKER},
    {"Safepoint Clean", LEDGER_KIND_GC_WORKER}, /* JDK 17: works for the VM Thread in a pause */
    {"RuntimeWorker", LEDGER_KIND_GC_WORKER},   /* ZGC's pauses */
    {"G1 ", LEDGER_KIND_CONCURRENT_GC},
    {"Concurrent Mark", LEDGER_KIND_CONCURRENT_GC},
    {"CMS ", LEDGER_KIND_CONCURRENT_GC},
    {"Shenandoah", LEDGER_KIND_CONCURRENT_GC}, /* the same workers do its pauses */
    {"ShenControl", LEDGER_KIND_CONCURRENT_GC},
    {"ShenRegulator", LEDGER_KIND_CONCURRENT_GC},
    {"ZDirector", LEDGER_KIND_CONCURRENT_GC},
    {"ZDriver", LEDGER_KIND_CONCURRENT_GC},
    {"ZWorker", LEDGER_KIND_CONCURRENT_GC},
    {"ZStat", LEDGER_KIND_CONCURRENT_GC},
    {"ZUncommitter", LEDGER_KIND_CONCURRENT_GC},
    {"ZUnmapper", LEDGER_KIND_CONCURRENT_GC},
    {"XDirector", LEDGER_KIND_CONCURRENT_GC}, /* JDK 21: ZGC without generations */
    {"XDriver", LEDGER_KIND_CONCURRENT_GC},
    {"XWorker", LEDGER_KIND_CONCURRENT_GC},
    {"C1 Compiler", LEDGER_KIND_COMPILER},
    {"C2 Compiler", LEDGER_KIND_COMPILER},
    {"JVMCI", LEDGER_KIND_COMPILER},
    {"Sweeper", LEDGER_KIND_COMPILER}, /* JDK 17: frees compiled code */
    {"LibGraal", LEDGER_KIND_COMPILER},
    /* Each Java thread that ends wakes it with its lock held: from above, it would preempt them twice each. Nobody
     * waits for what it does, and where a safepoint waits for it, it is raised like any other Java thread. */
    {"Service Thread", LEDGER_KIND_JAVA_SYSTEM},
    {"VM Periodic", LEDGER_KIND_JVM_OTHER},
    {"Monitor Deflati", LEDGER_KIND_JVM_OTHER},
};

static const struct jvm_name *find_name(const char *comm)
{
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        if (strncmp(comm, names[i].prefix, strlen(names[i].prefix)) == 0)
            return &names[i];
    return NULL;
}

unsigned jvm_thread_kind(const char *comm)
{
    const struct jvm_name *name = find_name(comm);
    return name ? name->kind : LEDGER_KIND_JVM_OTHER;
}

bool jvm_thread_is_gc_worker(const char *comm)
{
    static const char *const prefixes[] = {"ZWorker", "XWorker", "Shenandoah GC"};
    for (size_t i = 0; i < sizeof prefixes / sizeof prefixes[0]; i++)
        if (strncmp(comm, prefixes[i], strlen(prefixes[i])) == 0)
            return true;
    return false;
}

bool jvm_thread_self_is_gc_worker(void)
{
    char comm[COMM_SIZE] = "";
    prctl(PR_GET_NAME, comm);
    return jvm_thread_is_gc_worker(comm);
}

static bool read_comm(pid_t tid, char comm[COMM_SIZE])
{
    char path[48];
    snprintf(path, sizeof path, "/proc/self/task/%d/comm", tid);
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return false;
    ssize_t length = read(fd, comm, COMM_SIZE - 1);
    close(fd);
    if (length <= 0)
        return false;
    comm[length] = '\0';
    comm[strcspn(comm, "\n")] = '\0';
    return true;
}

/* A thread's id from its folder's name; 0 for "." and "..". Newer headers turn strtol into a symbol of glibc 2.38. */
static pid_t number_of(const char *digits)
{
    pid_t number = 0;
    while (*digits >= '0' && *digits <= '9')
        number = number * 10 + (*digits++ - '0');
    return number;
}

/* A thread of the JVM's own as the rules and the ladder in force have it. */
static struct ledger_thread thread_of_kind(unsigned kind, const char *comm)
{
    unsigned generation = atomic_load(&ladder.generation);
    const struct rule *rule = rules_match(ladder.rules, kind, NULL, NULL);
    return (struct ledger_thread){.kind = kind,
                                  .own = level_of_thread(&ladder, rule, kind, 0, false),
                                  .name = comm,
                                  .rule = rule,
                                  .generation = generation};
}

static void place(ledger_id id, unsigned kind, const char *comm)
{
    struct ledger_thread thread;
    do {
        thread = thread_of_kind(kind, comm);
        ledger_identify(id, &thread);
    } while (thread.generation != atomic_load(&ladder.generation));
}

#define WAITING_CAPACITY 256

static struct newcomer waiting[WAITING_CAPACITY];
static int waiting_count;

/* True if nothing is left to do for it. */
static bool look_at(const struct newcomer *newcomer)
{
    struct ledger_view view;
    char comm[COMM_SIZE];
    if (!ledger_look(newcomer->id, &view) || !read_comm(view.tid, comm))
        return true; /* it ended */
    if (view.kind < LEDGER_KIND_VM_THREAD)
        return true; /* it turned out to be a Java thread: ThreadStart has placed it */
    if (strcmp(comm, newcomer->comm_at_birth) == 0)
        return false;
    place(newcomer->id, jvm_thread_kind(comm), comm);
    return true;
}

void jvm_threads_accept(const struct newcomer *newcomer)
{
    if (look_at(newcomer) || waiting_count == WAITING_CAPACITY)
        return;
    waiting[waiting_count] = *newcomer;
    waiting[waiting_count++].since = monotonic_ns();
}

int jvm_threads_timeout_ms(void)
{
    return waiting_count > 0 ? LOOK_AGAIN_MS : -1;
}

void jvm_threads_look(void)
{
    int kept = 0;
    for (int i = 0; i < waiting_count; i++)
        if (monotonic_ns() - waiting[i].since < PATIENCE_NS && !look_at(&waiting[i]))
            waiting[kept++] = waiting[i];
    waiting_count = kept;
}

bool jvm_threads_place_all(void)
{
    DIR *tasks = opendir("/proc/self/task");
    bool vm_thread_found = false;
    char process_comm[COMM_SIZE] = "";
    read_comm(getpid(), process_comm);
    for (struct dirent *task; tasks && (task = readdir(tasks));) {
        pid_t tid = number_of(task->d_name);
        char comm[COMM_SIZE];
        if (tid <= 0 || !read_comm(tid, comm))
            continue;
        vm_thread_found |= jvm_thread_kind(comm) == LEDGER_KIND_VM_THREAD;
        ledger_id id = ledger_find(tid);
        struct ledger_view view;
        if (id && ledger_look(id, &view)) {
            if (view.kind >= LEDGER_KIND_VM_THREAD && strcmp(comm, process_comm) != 0)
                place(id, jvm_thread_kind(comm), comm);
            continue;
        }
        /* Also the launcher's first thread: the kernel delivers the process's signals to it, so it has to run. Others
         * that bear no name of HotSpot's were made by somebody else and are left alone. */
        unsigned kind = jvm_thread_kind(comm);
        if (!find_name(comm) && tid != getpid())
            continue;
        struct ledger_thread thread = thread_of_kind(kind, comm);
        thread.tid = tid;
        thread.existed = true;
        if (kernel_get(tid, &thread.now) == 0)
            ledger_enter(&thread);
    }
    if (tasks)
        closedir(tasks);
    return vm_thread_found;
}
