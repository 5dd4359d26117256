/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Loads for the scheduler's tests, one process each, for so many seconds; what came of them on standard output.
 *   loads spin SECONDS SPEC...   processes with threads that compute; SPEC: THREADS[:NICE[:yield]]
 *       spin SPEC PID CPU_NS LONGEST_GAP_NS GAPS   of each: what it ran, how long one of its threads did not at most, and
 *                                how often one did not for a millisecond or more
 *   loads probe SECONDS          a thread that sleeps for 5 ms again and again, until then or SIGTERM
 *       probe WAKES P50_NS P99_NS             how late it wakes, but for the first of them: a scheduler has to learn that it sleeps
 *   loads pipe SECONDS           two processes with a byte that goes to and fro
 *       pipe ROUNDS
 *   loads vfork SECONDS          two threads that give way to each other, one of them a child's by vfork
 *       vfork PID                             of the child
 *   loads classes SECONDS        threads that become real-time and ordinary again, at random
 *       classes CHANGES MISSED REALTIME UNDER ORDINARY   how often; how often one that had become real-time found that it was
 *                                not; and a moment after the end: real-time, and of the others those under SCHED_EXT and not
 *   loads births SECONDS         bears threads that compute from then on, while a scheduler leaves
 *       ready
 *       born                                  of each, when it is
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <limits.h>
#include <linux/futex.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { MOST_PROCESSES = 8192, MOST_WAKES = 100000, FIRST_WAKES = 20, PERIOD_NS = 5000000, GAP_NS = 1000000 };

struct result {
    _Atomic long long cpu_ns;
    _Atomic long long gap_ns;
    atomic_int gaps;
};

/* Shared by all processes. */
struct board {
    atomic_int ready;
    atomic_int go;
    atomic_bool stop;
    struct result results[MOST_PROCESSES];
};

static struct board *board;
static struct result *mine;
static bool yields;
static volatile sig_atomic_t over;

static long long now_ns(clockid_t clock)
{
    struct timespec now;
    clock_gettime(clock, &now);
    return now.tv_sec * 1000000000LL + now.tv_nsec;
}

static void nap(long ns)
{
    struct timespec time = {.tv_nsec = ns};
    nanosleep(&time, NULL);
}

/* Thousands that look again and again would keep each other from beginning. */
static void await_go(void)
{
    while (!board->go)
        syscall(SYS_futex, &board->go, FUTEX_WAIT, 0, NULL, NULL, 0);
}

static void give_go(void)
{
    board->go = 1;
    syscall(SYS_futex, &board->go, FUTEX_WAKE, INT_MAX, NULL, NULL, 0);
}

static void *spin(void *unused)
{
    (void)unused;
    await_go();
    long long last = now_ns(CLOCK_MONOTONIC);
    long long longest = 0;
    int gaps = 0;
    while (!board->stop) {
        if (yields)
            sched_yield();
        for (volatile int i = 0; i < 2000; i++) {
        }
        long long now = now_ns(CLOCK_MONOTONIC);
        if (now - last > longest)
            longest = now - last;
        gaps += now - last >= GAP_NS;
        last = now;
    }
    mine->gaps += gaps;
    long long before = mine->gap_ns;
    while (longest > before && !atomic_compare_exchange_weak(&mine->gap_ns, &before, longest)) {
    }
    return NULL;
}

static int spinning(const char *spec)
{
    int threads = 1;
    int nice_value = 0;
    char word[8] = "";
    sscanf(spec, "%d:%d:%7s", &threads, &nice_value, word);
    yields = strcmp(word, "yield") == 0;
    setpriority(PRIO_PROCESS, 0, nice_value);
    pthread_t *ids = calloc(threads, sizeof *ids);
    for (int i = 1; i < threads; i++)
        pthread_create(&ids[i], NULL, spin, NULL);
    long long before = now_ns(CLOCK_PROCESS_CPUTIME_ID); /* already: the others may have their turns before this one */
    board->ready++;
    spin(NULL);
    mine->cpu_ns = now_ns(CLOCK_PROCESS_CPUTIME_ID) - before;
    for (int i = 1; i < threads; i++)
        pthread_join(ids[i], NULL);
    return 0;
}

static int compare(const void *one, const void *other)
{
    long long a = *(const long long *)one;
    long long b = *(const long long *)other;
    return (a > b) - (a < b);
}

static void enough(int signal)
{
    (void)signal;
    over = true;
}

/* Sleeps and wakes until the time is over. */
static int probe(double seconds)
{
    signal(SIGTERM, enough);
    static long long late[MOST_WAKES];
    int count = 0;
    int wakes = 0;
    long long end = now_ns(CLOCK_MONOTONIC) + (long long)(seconds * 1e9);
    for (long long next = now_ns(CLOCK_MONOTONIC) + PERIOD_NS; next < end && count < MOST_WAKES; next += PERIOD_NS) {
        struct timespec until = {.tv_sec = next / 1000000000, .tv_nsec = next % 1000000000};
        clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &until, NULL);
        if (over)
            break;
        long long now = now_ns(CLOCK_MONOTONIC);
        if (++wakes > FIRST_WAKES)
            late[count++] = now - next;
        if (now > next + PERIOD_NS)
            next = now;
    }
    qsort(late, count, sizeof *late, compare);
    if (count)
        printf("probe %d %lld %lld\n", count, late[count / 2], late[count * 99 / 100]);
    return 0;
}

static int mix(double seconds, int count, char **specs)
{
    pid_t pids[MOST_PROCESSES];
    for (int i = 0; i < count; i++) {
        mine = &board->results[i];
        pids[i] = fork();
        if (pids[i] == 0)
            exit(spinning(specs[i]));
        if (pids[i] < 0) {
            perror("loads: fork");
            return 1;
        }
    }
    while (board->ready < count)
        nap(1000000);
    give_go();
    struct timespec time = {.tv_sec = (long)seconds, .tv_nsec = (long)((seconds - (long)seconds) * 1e9)};
    nanosleep(&time, NULL);
    board->stop = true;
    int bad = 0;
    for (int i = 0; i < count; i++) {
        int status;
        waitpid(pids[i], &status, 0);
        bad |= status;
        struct result *result = &board->results[i];
        printf("spin %s %d %lld %lld %d\n", specs[i], pids[i], (long long)result->cpu_ns, (long long)result->gap_ns,
               result->gaps);
    }
    return bad != 0;
}

static int pipes(double seconds)
{
    int to[2];
    int fro[2];
    char byte = 0;
    if (pipe(to) != 0 || pipe(fro) != 0)
        return 1;
    pid_t other = fork();
    if (other == 0) {
        close(to[1]);
        while (read(to[0], &byte, 1) == 1 && write(fro[1], &byte, 1) == 1) {
        }
        _exit(0);
    }
    long long rounds = 0;
    for (long long end = now_ns(CLOCK_MONOTONIC) + (long long)(seconds * 1e9); now_ns(CLOCK_MONOTONIC) < end;
         rounds++) {
        if (write(to[1], &byte, 1) != 1 || read(fro[0], &byte, 1) != 1)
            return 1;
    }
    close(to[1]);
    waitpid(other, NULL, 0);
    printf("pipe %lld\n", rounds);
    return 0;
}

static double yield_seconds;

static void *yield(void *unused)
{
    (void)unused;
    for (long long end = now_ns(CLOCK_MONOTONIC) + (long long)(yield_seconds * 1e9); now_ns(CLOCK_MONOTONIC) < end;)
        sched_yield();
    return NULL;
}

static int yield_as_child(void *unused)
{
    yield(unused);
    return 0;
}

/* As posix_spawn does it: by vfork, but on a stack of its own. */
static int vfork_beside(double seconds)
{
    enum { STACK = 65536 };
    yield_seconds = seconds;
    char *stack = malloc(STACK);
    pthread_t other;
    if (!stack || pthread_create(&other, NULL, yield, NULL) != 0)
        return 1;
    pid_t child = clone(yield_as_child, stack + STACK, CLONE_VM | CLONE_VFORK | SIGCHLD, NULL);
    pthread_join(other, NULL);
    if (child < 0)
        return 1;
    waitpid(child, NULL, 0);
    printf("vfork %d\n", child);
    free(stack);
    return 0;
}

static atomic_long changes;
static atomic_long missed;
static double class_seconds;

static bool set_class(int policy)
{
    struct sched_param parameter = {.sched_priority = policy == SCHED_OTHER ? 0 : 5};
    changes++;
    return sched_setscheduler(0, policy | SCHED_RESET_ON_FORK, &parameter) == 0;
}

/* Born of a real-time thread; ends as one if its number is odd. Its policy then. */
static void *change_class(void *number)
{
    unsigned seed = (unsigned)(uintptr_t)number;
    for (long long end = now_ns(CLOCK_MONOTONIC) + (long long)(class_seconds * 1e9); now_ns(CLOCK_MONOTONIC) < end;) {
        set_class(SCHED_FIFO);
        nap(rand_r(&seed) % 3000000);
        missed += (sched_getscheduler(0) & ~SCHED_RESET_ON_FORK) != SCHED_FIFO;
        set_class(SCHED_OTHER);
        nap(rand_r(&seed) % 30000000);
    }
    if ((uintptr_t)number % 2)
        set_class(SCHED_FIFO);
    nap(200000000);
    return (void *)(uintptr_t)(sched_getscheduler(0) & ~SCHED_RESET_ON_FORK);
}

static int classes(double seconds)
{
    enum { THREADS = 16, EXT = 7 };
    pthread_t ids[THREADS];
    int real_time = 0;
    int under = 0;
    class_seconds = seconds;
    if (!set_class(SCHED_FIFO)) {
        perror("loads: SCHED_FIFO");
        return 1;
    }
    for (uintptr_t i = 0; i < THREADS; i++)
        pthread_create(&ids[i], NULL, change_class, (void *)i);
    for (int i = 0; i < THREADS; i++) {
        void *policy;
        pthread_join(ids[i], &policy);
        real_time += (uintptr_t)policy == SCHED_FIFO;
        under += (uintptr_t)policy == EXT;
    }
    printf("classes %ld %ld %d %d %d\n", changes, missed, real_time, under, THREADS - real_time - under);
    return 0;
}

static long long end_ns;

static void *compute(void *unused)
{
    (void)unused;
    while (now_ns(CLOCK_MONOTONIC) < end_ns) {
    }
    return NULL;
}

/* Looked at so often that none leaves unseen. */
static bool is_leaving(int state)
{
    char word[16] = "";
    return pread(state, word, sizeof word - 1, 0) > 0 && strncmp(word, "disabling", strlen("disabling")) == 0;
}

static int births(double seconds)
{
    enum { MOST = 8, LOOKS_NS = 200000 };
    pthread_t ids[MOST];
    int born = 0;
    int state = open("/sys/kernel/sched_ext/state", O_RDONLY | O_CLOEXEC);
    end_ns = now_ns(CLOCK_MONOTONIC) + (long long)(seconds * 1e9);
    puts("ready");
    fflush(stdout);
    while (now_ns(CLOCK_MONOTONIC) < end_ns) {
        if (born < MOST && is_leaving(state) && pthread_create(&ids[born], NULL, compute, NULL) == 0) {
            born++;
            puts("born");
            fflush(stdout);
        }
        nap(LOOKS_NS);
    }
    for (int i = 0; i < born; i++)
        pthread_join(ids[i], NULL);
    return born == 0;
}

int main(int count, char **words)
{
    board = mmap(NULL, sizeof *board, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (count > 3 && strcmp(words[1], "spin") == 0 && count - 3 <= MOST_PROCESSES)
        return mix(atof(words[2]), count - 3, words + 3);
    if (count == 3 && strcmp(words[1], "probe") == 0)
        return probe(atof(words[2]));
    if (count == 3 && strcmp(words[1], "pipe") == 0)
        return pipes(atof(words[2]));
    if (count == 3 && strcmp(words[1], "vfork") == 0)
        return vfork_beside(atof(words[2]));
    if (count == 3 && strcmp(words[1], "classes") == 0)
        return classes(atof(words[2]));
    if (count == 3 && strcmp(words[1], "births") == 0)
        return births(atof(words[2]));
    fputs("usage: loads spin SECONDS THREADS[:NICE[:yield]]... | loads probe|pipe|vfork|classes|births SECONDS\n", stderr);
    return 2;
}
