/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Whatever can happen to the scheduler, at random, in a guest:
 *   churn SECONDS SEED [AYATORI-AGGREGATE]
 * Processes come, go and fork storms of others; their threads change nice values, CPUs and policies; the last CPU comes and
 * goes; with the program the scheduler is loaded in all ways and taken out again, and a churn without is run under it alone. A
 * line each ten seconds.
 * Exit code 1, and why on standard error: the kernel complained, or threw the scheduler out; a program of the scheduler failed;
 * a thread did not run for 20 s, or did not end. The same seed does the same as far as the guest's clock does.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { WORKERS = 6, THREADS = 3, STORM = 40, NICE = 5, OWN_PRIORITY = 20, MOST_PAUSE_MS = 40 };
enum { TOLD_EVERY = 10, INSPECTED_EVERY = 1, PATIENCE = 20, RUN_SECONDS = 10 };
/* To load the scheduler beside all of that takes ten seconds of a guest's CPU. */
enum { PROGRAM_PATIENCE = 60 };
/* Linux 6.18 puts maps away with a lock that who takes a CPU off waits for, while it waits for that one. */
enum { PUT_AWAY_SECONDS = 3 };

struct thread {
    _Atomic pid_t tid;
    atomic_long beats;
    long seen; /* beats, when it was found to have run */
    time_t seen_at;
};

/* A process with threads, as it is seen by both sides. */
struct worker {
    pid_t pid; /* 0: none */
    int threads;
    unsigned seed;
    atomic_bool stop;
    struct thread thread[THREADS];
};

static struct worker *workers;
static struct worker *mine; /* in its process */
static char *self;
static char *aggregate; /* NULL: the scheduler is left alone */
static pid_t run;       /* the command under the scheduler; 0: none */
static bool loaded;
static time_t unloaded_at;
static bool cpu_is_off;
static int kernel_log;
static time_t longest;
static unsigned long long state;
static long counts[3]; /* actions, times that a scheduler was loaded, processes */
enum { ACTIONS, LOADS, PROCESSES };

static unsigned below(unsigned bound)
{
    state = state * 6364136223846793005ULL + 1442695040888963407ULL;
    return (unsigned)(state >> 33) % bound;
}

static time_t now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return time.tv_sec;
}

static void nap_ms(long ms)
{
    struct timespec time = {.tv_sec = ms / 1000, .tv_nsec = ms % 1000 * 1000000};
    nanosleep(&time, NULL);
}

static void write_to(const char *path, const char *text)
{
    int file = open(path, O_WRONLY | O_CLOEXEC);
    if (file >= 0 && write(file, text, strlen(text)) < 0)
        fprintf(stderr, "churn: %s: %s\n", path, strerror(errno));
    if (file >= 0)
        close(file);
}

static void set_cpu(bool on)
{
    char path[64];
    snprintf(path, sizeof path, "/sys/devices/system/cpu/cpu%ld/online", sysconf(_SC_NPROCESSORS_CONF) - 1);
    write_to(path, on ? "1" : "0");
    cpu_is_off = !on;
}

/* Where the kernel tells what stands in the queues. */
#define TRACING "/sys/kernel/tracing"

/* What stands there now, and stood when the kernel threw the scheduler out. */
static void show_queues(void)
{
    char *words[] = {"/bin/sed", "-n", "s/^.*sched_ext_dump: //p", TRACING "/trace", NULL};
    write_to("/proc/sysrq-trigger", "D");
    nap_ms(100); /* it is told elsewhere */
    pid_t pid = fork();
    if (pid == 0) {
        dup2(2, 1);
        execv(words[0], words);
        _exit(127);
    }
    waitpid(pid, NULL, 0);
}

__attribute__((format(printf, 1, 2), noreturn)) static void fail(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    fputs("churn: ", stderr);
    vfprintf(stderr, format, arguments);
    fputc('\n', stderr);
    va_end(arguments);
    show_queues();
    for (int i = 0; i < WORKERS; i++)
        if (workers[i].pid > 0)
            kill(workers[i].pid, SIGKILL);
    exit(1);
}

/* A thread of a worker, which computes for moments and sleeps for moments, yields, or only computes. */
static void *work(void *number)
{
    struct thread *thread = &mine->thread[(uintptr_t)number];
    unsigned seed = mine->seed + (unsigned)(uintptr_t)number;
    unsigned kind = rand_r(&seed) % 3;
    thread->tid = gettid();
    while (!mine->stop) {
        for (volatile unsigned i = rand_r(&seed) % 30000; i; i--) {
        }
        thread->beats++;
        if (kind == 0)
            usleep(rand_r(&seed) % 5000);
        else if (kind == 1)
            sched_yield();
    }
    return NULL;
}

static void work_all(struct worker *worker)
{
    pthread_t ids[THREADS];
    mine = worker;
    for (int i = 1; i < worker->threads; i++)
        if (pthread_create(&ids[i], NULL, work, (void *)(uintptr_t)i) != 0)
            _exit(1);
    work((void *)0);
    for (int i = 1; i < worker->threads; i++)
        pthread_join(ids[i], NULL);
    _exit(0);
}

static pid_t child(void)
{
    pid_t pid = fork();
    if (pid < 0)
        fail("fork: %s", strerror(errno));
    counts[PROCESSES] += pid > 0;
    return pid;
}

static void begin_worker(struct worker *worker)
{
    memset(worker, 0, sizeof *worker);
    worker->threads = 1 + (int)below(THREADS);
    worker->seed = below(1 << 30);
    for (int i = 0; i < THREADS; i++)
        worker->thread[i].seen_at = now();
    pid_t pid = child();
    if (pid == 0)
        work_all(worker);
    worker->pid = pid;
}

/* What holds a process up. */
static void show(pid_t pid)
{
    char script[512];
    snprintf(script, sizeof script,
             "cat /sys/kernel/sched_ext/state /sys/devices/system/cpu/online; cd /proc/%d/task && for thread in *; do "
             "cat $thread/stat $thread/stack; grep -E '^(policy|prio|se.sum_exec|nr_switches|ext)' $thread/sched; "
             "grep Cpus_allowed_list $thread/status; done",
             pid);
    char *words[] = {"/bin/sh", "-c", script, NULL};
    if (fork() == 0) {
        dup2(2, 1);
        execv(words[0], words);
    }
    nap_ms(3000);
}

/* Waits for a process with an end in sight. */
static int reap(pid_t pid, const char *what, int patience)
{
    int status;
    time_t until = now() + patience;
    while (waitpid(pid, &status, WNOHANG) == 0) {
        if (now() > until) {
            show(pid);
            fail("%s, process %d, has not ended in %d s", what, pid, patience);
        }
        nap_ms(5);
    }
    return status;
}

static void end_worker(struct worker *worker)
{
    worker->stop = true;
    int status = reap(worker->pid, "a worker", PATIENCE);
    if (status != 0)
        fail("a worker ended with status %#x", status);
    worker->pid = 0;
}

static void end_workers(void)
{
    for (int i = 0; i < WORKERS; i++)
        if (workers[i].pid != 0)
            end_worker(&workers[i]);
}

/* For a moment only: beside a real-time thread nobody else would run, and who is SCHED_IDLE not for minutes. */
static void change_policy(pid_t thread)
{
    static const int policies[] = {SCHED_FIFO, SCHED_RR, SCHED_IDLE};
    int policy = policies[below(3)];
    struct sched_param parameter = {.sched_priority = policy == SCHED_IDLE ? 0 : 1 + (int)below(OWN_PRIORITY - 1)};
    sched_setscheduler(thread, policy, &parameter);
    nap_ms(below(MOST_PAUSE_MS));
    parameter.sched_priority = 0;
    sched_setscheduler(thread, below(2) ? SCHED_OTHER : SCHED_BATCH, &parameter);
}

static void move(pid_t thread)
{
    cpu_set_t set;
    CPU_ZERO(&set);
    for (long i = sysconf(_SC_NPROCESSORS_CONF) - 1; i >= 0; i--)
        if (below(2))
            CPU_SET(i, &set);
    sched_setaffinity(thread, sizeof set, &set); /* refused if there is none, or none is online */
}

static void change(struct worker *worker)
{
    pid_t thread = worker->thread[below(worker->threads)].tid;
    if (thread == 0)
        return; /* not there yet; 0 would be us */
    unsigned what = below(3);
    if (what == 0)
        setpriority(PRIO_PROCESS, thread, (int)below(2 * NICE + 1) - NICE);
    else if (what == 1)
        change_policy(thread);
    else
        move(thread);
}

/* Many processes that live for a moment, some with an address space of their own. */
static void storm(void)
{
    pid_t pids[STORM];
    int count = 1 + (int)below(STORM);
    bool exec = below(8) == 0;
    for (int i = 0; i < count; i++) {
        pids[i] = child();
        if (pids[i] != 0)
            continue;
        if (exec && i == 0)
            execlp("true", "true", NULL);
        _exit(0);
    }
    for (int i = 0; i < count; i++)
        reap(pids[i], "one of a storm", PATIENCE);
}

static pid_t start_program(char **words, int nice_value)
{
    pid_t pid = child();
    if (pid == 0) {
        setpriority(PRIO_PROCESS, 0, nice_value);
        execv(words[0], words);
        _exit(127);
    }
    return pid;
}

static void run_program(char *what, char *how)
{
    char *words[] = {aggregate, what, how, NULL};
    int status = reap(start_program(words, -20), what, PROGRAM_PATIENCE);
    if (status != 0)
        fail("%s %s %s: status %#x", aggregate, what, how ? how : "", status);
}

/* In and out. */
static void change_scheduler(void)
{
    static char *const batches[] = {"auto", "always", "never"};
    char *batch = batches[below(3)];
    if (!aggregate || run != 0)
        return;
    if (loaded) {
        run_program("stop", NULL);
        loaded = false;
        unloaded_at = now();
        return;
    }
    counts[LOADS]++;
    if (below(4) > 0) {
        run_program("start", batch);
        loaded = true;
        return;
    }
    /* The kernel takes ours first, which are not under it. */
    end_workers();
    char seconds[16];
    char seed[16];
    snprintf(seconds, sizeof seconds, "%u", 1 + below(RUN_SECONDS));
    snprintf(seed, sizeof seed, "%u", below(1 << 30));
    char *words[] = {aggregate, "run", batch, self, seconds, seed, NULL};
    run = start_program(words, 0);
}

static void end_run(bool wait)
{
    int status;
    if (run == 0 || (!wait && waitpid(run, &status, WNOHANG) == 0))
        return;
    if (wait)
        status = reap(run, "the command under the scheduler", PROGRAM_PATIENCE);
    if (status != 0)
        fail("the command under the scheduler: status %#x", status);
    run = 0;
    unloaded_at = now();
}

/* Not while a run may end at any moment: the churn in it takes the CPU off and on by itself. */
static bool may_change_cpu(void)
{
    return run == 0 && (cpu_is_off || now() > unloaded_at + PUT_AWAY_SECONDS);
}

static void act(void)
{
    struct worker *worker = &workers[below(WORKERS)];
    counts[ACTIONS]++;
    unsigned what = below(100);
    if (what < 8)
        change_scheduler();
    else if (what < 11 && may_change_cpu())
        set_cpu(cpu_is_off);
    else if (what < 16)
        storm();
    else if (run != 0)
        nap_ms(MOST_PAUSE_MS);
    else if (worker->pid == 0)
        begin_worker(worker);
    else if (what < 24)
        end_worker(worker);
    else
        change(worker);
    nap_ms(below(MOST_PAUSE_MS));
}

/* What the kernel has said since the last time; what is bad, with all that follows. */
static void read_kernel_log(void)
{
    static const char *const bad[] = {"WARNING:", "BUG:", "Oops", "lockup", "stall", "hung", "disabled ("};
    char text[8192];
    ssize_t size;
    bool complained = false;
    while ((size = read(kernel_log, text, sizeof text - 1)) > 0 || (size < 0 && errno == EPIPE)) {
        text[size < 0 ? 0 : size] = '\0';
        for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
            complained |= strstr(text, bad[i]) && !strstr(text, "unregistered from user space");
        if (complained)
            fputs(text, stderr);
    }
    if (complained)
        fail("the kernel complains");
}

static void inspect(void)
{
    read_kernel_log();
    for (struct worker *worker = workers; worker < workers + WORKERS; worker++) {
        for (int i = 0; worker->pid != 0 && i < worker->threads; i++) {
            struct thread *thread = &worker->thread[i];
            long beats = thread->beats;
            time_t waited = now() - thread->seen_at;
            if (beats != thread->seen)
                thread->seen_at = now();
            else if (waited > longest)
                longest = waited;
            if (beats == thread->seen && waited > PATIENCE) {
                show(worker->pid);
                fail("thread %d of process %d has not run for %d s", thread->tid, worker->pid, PATIENCE);
            }
            thread->seen = beats;
        }
    }
}

static void tell(time_t seconds)
{
    if (!aggregate)
        return;
    printf("churn %ld s: %ld actions, the scheduler loaded %ld times, %ld processes; waited for %ld s at most\n",
           (long)seconds, counts[ACTIONS], counts[LOADS], counts[PROCESSES], (long)longest);
    fflush(stdout);
}

static void churn(time_t seconds)
{
    time_t begin = now();
    time_t told = begin;
    time_t inspected = begin;
    unloaded_at = begin; /* perhaps: by who runs this one */
    while (now() < begin + seconds) {
        act();
        end_run(false);
        if (now() >= inspected + INSPECTED_EVERY) {
            inspect();
            inspected = now();
        }
        if (now() >= told + TOLD_EVERY) {
            tell(now() - begin);
            told = now();
        }
    }
    end_workers();
    end_run(true);
    if (loaded)
        run_program("stop", NULL);
    set_cpu(true);
    inspect();
    tell(now() - begin);
}

int main(int count, char **words)
{
    if (count < 3 || count > 4) {
        fputs("usage: churn SECONDS SEED [AYATORI-AGGREGATE]\n", stderr);
        return 2;
    }
    state = strtoull(words[2], NULL, 0);
    self = words[0];
    aggregate = words[3];
    workers = mmap(NULL, WORKERS * sizeof *workers, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    kernel_log = open("/dev/kmsg", O_RDONLY | O_NONBLOCK | O_CLOEXEC);
    struct sched_param own = {.sched_priority = OWN_PRIORITY};
    if (workers == MAP_FAILED || kernel_log < 0 || lseek(kernel_log, 0, SEEK_END) < 0 ||
        sched_setscheduler(0, SCHED_FIFO | SCHED_RESET_ON_FORK, &own) != 0) {
        perror("churn");
        return 2;
    }
    if (aggregate) {
        printf("churn: seed %s\n", words[2]);
        fflush(stdout);
    }
    write_to(TRACING "/events/sched_ext/sched_ext_dump/enable", "1");
    churn(atol(words[1]));
    return 0;
}
