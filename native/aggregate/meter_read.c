/* SPDX-License-Identifier: GPL-2.0-only */
#define _GNU_SOURCE
#include "meter_read.h"

#include "loading.h"
#include "meter.h"

#include <bpf/bpf.h>
#include <bpf/libbpf.h>
#include <errno.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <time.h>
#include <unistd.h>

/* meter.bpf.o, put into this program by object.S. */
extern const char meter_object[];
extern const char meter_object_end[];

static const char *const programs[] = {"on_switch", "on_wakeup", "on_birth"};

enum { PROGRAMS = sizeof programs / sizeof *programs };

/* Counts until the time is over or a signal ends it. Both signals are blocked. Nanoseconds that have passed. */
static long long count_while_asleep(long milliseconds, const sigset_t *signals, volatile struct meter_control *control)
{
    struct timespec begin, now;
    clock_gettime(CLOCK_MONOTONIC, &begin);
    control->counting = 1;
    struct timespec time = {.tv_sec = milliseconds / 1000, .tv_nsec = milliseconds % 1000 * 1000000};
    while (sigtimedwait(signals, NULL, &time) < 0 && errno == EINTR) {
        /* Stopped and continued: goes on for the whole time once more. */
    }
    control->counting = 0;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (now.tv_sec - begin.tv_sec) * 1000000000LL + now.tv_nsec - begin.tv_nsec;
}

/* SHORTEST_NS:COUNT of each bucket that has any. */
static void print_lengths(const unsigned int *buckets)
{
    const char *between = "";
    putchar('\t');
    for (int i = 0; i < METER_BUCKETS; i++) {
        if (!buckets[i])
            continue;
        unsigned long long octave = METER_SHORTEST + i / METER_PARTS;
        unsigned long long shortest = i == 0 ? 0 : (METER_PARTS + i % METER_PARTS + 0ULL) << (octave - 2);
        printf("%s%llu:%u", between, shortest, buckets[i]);
        between = ",";
    }
}

static bool print_cpus(int map)
{
    int count = libbpf_num_possible_cpus();
    struct meter_cpu *cpus = calloc(count > 0 ? count : 1, sizeof *cpus);
    unsigned int only = 0;
    bool done = cpus && count > 0 && bpf_map_lookup_elem(map, &only, cpus) == 0;
    for (int i = 0; done && i < count; i++) {
        if (cpus[i].switches)
            printf("cpu\t%d\t%llu\t%llu\t%llu\n", i, cpus[i].switches, cpus[i].user_switches, cpus[i].entries);
    }
    free(cpus);
    return done;
}

static void print_processes(int map)
{
    unsigned int pid;
    for (const unsigned int *last = NULL; bpf_map_get_next_key(map, last, &pid) == 0; last = &pid) {
        struct meter_process process;
        if (bpf_map_lookup_elem(map, &pid, &process) != 0)
            continue;
        printf("process\t%u\t", pid);
        print_text(process.name, sizeof process.name);
        printf("\t%llu\t%llu\t%llu\t%llu", process.switches, process.entries, process.ran_ns, process.delay_ns);
        print_lengths(process.batches);
        print_lengths(process.delays);
        putchar('\n');
    }
}

static int print_all(struct bpf_object *object, long long passed, struct meter_lost lost)
{
    printf("nanoseconds\t%lld\n", passed);
    if (!print_cpus(bpf_object__find_map_fd_by_name(object, "cpus")))
        return refused("reading what was counted", errno);
    print_processes(bpf_object__find_map_fd_by_name(object, "processes"));
    printf("lost\t%llu\t%llu\n", lost.switches, lost.delays);
    puts("end");
    if (fflush(stdout) != 0 || ferror(stdout))
        return refused("writing to standard output", errno);
    return 0;
}

static int count_for(struct bpf_object *object, long milliseconds, const sigset_t *signals)
{
    int shared = bpf_object__find_map_fd_by_name(object, ".bss");
    /* libbpf's own view of it is what it was before it was loaded, without a skeleton. */
    struct meter_control *control = mmap(NULL, sizeof *control, PROT_READ | PROT_WRITE, MAP_SHARED, shared, 0);
    if (control == MAP_FAILED)
        return refused("mapping the meter's memory", errno);
    struct bpf_link *links[PROGRAMS] = {NULL};
    int error = 0;
    for (int i = 0; i < PROGRAMS && !error; i++) {
        links[i] = bpf_program__attach(bpf_object__find_program_by_name(object, programs[i]));
        if (!links[i])
            error = errno;
    }
    long long passed = 0;
    if (!error) {
        puts("ayatori-meter\t1");
        fflush(stdout); /* so that who waits for it knows that all from now on counts */
        passed = count_while_asleep(milliseconds, signals, control);
    }
    for (int i = 0; i < PROGRAMS; i++)
        bpf_link__destroy(links[i]);
    return error ? refused("attaching to the scheduler's tracepoints", error)
                 : print_all(object, passed, control->lost);
}

int meter(long milliseconds)
{
    prctl(PR_SET_PDEATHSIG, SIGTERM); /* who has started this wants the answer, or nobody does */
    sigset_t signals;
    sigemptyset(&signals);
    sigaddset(&signals, SIGINT);
    sigaddset(&signals, SIGTERM);
    sigprocmask(SIG_BLOCK, &signals, NULL);
    keep_complaint(", or have CAP_BPF and CAP_PERFMON");
    struct bpf_object *object = bpf_object__open_mem(meter_object, meter_object_end - meter_object, NULL);
    if (!object)
        return refused("opening the meter", errno);
    int error = bpf_object__load(object);
    int code = error ? refused("loading the meter into the kernel", -error) : count_for(object, milliseconds, &signals);
    bpf_object__close(object);
    return code;
}
