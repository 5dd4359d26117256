#define _GNU_SOURCE
#include "jvm_threads.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <unistd.h>

#include "ladder.h"
#include "report.h"
#include "runaway_guard.h"
#include "self.h"
#include "stuck_calls.h"

/* A newcomer names itself within microseconds once it runs; on a full machine that may take a while. */
#define LOOK_AGAIN_MS 2
#define PATIENCE_NS 1000000000LL

unsigned jvm_thread_kind(const char *comm)
{
    static const struct {
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
    };
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        if (strncmp(comm, names[i].prefix, strlen(names[i].prefix)) == 0)
            return names[i].kind;
    return LEDGER_KIND_JVM_OTHER;
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

static struct level level_of_kind(unsigned kind)
{
    return ladder_level(&ladder, kind, 0, false);
}

static void place(ledger_id id, unsigned kind, const char *comm)
{
    ledger_rename(id, comm);
    ledger_set_own(id, kind, 0, level_of_kind(kind));
}

struct newcomer {
    ledger_id id;
    char comm_at_birth[COMM_SIZE];
    int64_t since; /* when it was accepted */
};

/* Makers write newcomers into the pipe; the agent's thread reads them. The kernel does the queueing. */
static int queue[2] = {-1, -1};

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

#define WAITING_CAPACITY 256

static void accept_newcomer(struct newcomer *waiting, int *count, int timeout_ms)
{
    struct pollfd poller = {.fd = queue[0], .events = POLLIN};
    if (poll(&poller, 1, timeout_ms) <= 0)
        return;
    struct newcomer newcomer;
    if (read(queue[0], &newcomer, sizeof newcomer) != (ssize_t)sizeof newcomer)
        return;
    if (!look_at(&newcomer) && *count < WAITING_CAPACITY) {
        newcomer.since = monotonic_ns();
        waiting[(*count)++] = newcomer;
    }
}

/* How long the agent's thread may sleep: for ever once every newcomer has its place, nobody calls the allocator, and no
 * thread can run away. */
static int timeout_ms(int newcomers)
{
    int calls = newcomers ? LOOK_AGAIN_MS : stuck_calls_timeout_ms();
    int guard = runaway_guard_timeout_ms();
    return guard < 0 || (calls >= 0 && calls < guard) ? calls : guard;
}

static void *attend(void *unused)
{
    (void)unused;
    static struct newcomer waiting[WAITING_CAPACITY];
    int count = 0;
    prctl(PR_SET_NAME, "ayatori");
    pid_t tid = kernel_gettid();
    struct level own = level_of_kind(LEDGER_KIND_JVM_OTHER);
    ledger_enter(&(struct ledger_thread){
        .tid = tid, .kind = LEDGER_KIND_JVM_OTHER, .own = own, .now = ladder.launch, .name = "ayatori"});
    for (;;) {
        accept_newcomer(waiting, &count, timeout_ms(count));
        int kept = 0;
        for (int i = 0; i < count; i++)
            if (monotonic_ns() - waiting[i].since < PATIENCE_NS && !look_at(&waiting[i]))
                waiting[kept++] = waiting[i];
        count = kept;
        stuck_calls_look();
        runaway_guard_look();
    }
    return NULL;
}

void jvm_threads_start(void)
{
    pthread_t thread;
    sigset_t all, before;
    if (pipe2(queue, O_CLOEXEC | O_NONBLOCK) != 0) {
        report_lack("cannot follow the JVM's threads: no pipe (%s)", errno_name(errno));
        return;
    }
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before); /* the program's signals are the JVM's to handle */
    int error = pthread_create(&thread, NULL, attend, NULL);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    if (error)
        report_lack("cannot follow the JVM's threads: no thread (%s)", errno_name(error));
}

void jvm_threads_announce(ledger_id id, const char *comm_at_birth)
{
    struct newcomer newcomer = {.id = id};
    strncpy(newcomer.comm_at_birth, comm_at_birth, COMM_SIZE - 1);
    /* Less than PIPE_BUF: whole or not at all. A full pipe would mean hundreds of births that nobody attended to. */
    if (write(queue[1], &newcomer, sizeof newcomer) < 0)
        report_line("a thread of the JVM stays where it was born: %s", strerror(errno));
}

void jvm_threads_wake(void)
{
    struct newcomer nobody = {.id = 0};
    /* A full pipe wakes it as well. */
    if (write(queue[1], &nobody, sizeof nobody) < 0 && errno != EAGAIN)
        report_line("the agent's thread cannot be woken: %s", strerror(errno));
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
        if (kind == LEDGER_KIND_JVM_OTHER && tid != getpid())
            continue;
        struct ledger_thread thread = {.tid = tid, .kind = kind, .own = level_of_kind(kind), .name = comm};
        if (kernel_get(tid, &thread.now) == 0)
            ledger_enter(&thread);
    }
    if (tasks)
        closedir(tasks);
    return vm_thread_found;
}

static bool level_anew(const struct ledger_view *view, struct level *own, void *unused)
{
    (void)unused;
    *own = ladder_level(&ladder, view->kind, view->java_priority, false);
    return true;
}

void jvm_threads_give_up(void)
{
    ledger_revise(level_anew, NULL);
    ledger_publish_policy();
}
