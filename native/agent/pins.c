#define _GNU_SOURCE
#include "pins.h"

#include <errno.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "report.h"

#define IOPRIO_WHO_PROCESS 1
#define IO_CLASS_SHIFT 13
#define IO_CLASS_REAL_TIME 1

static cpu_set_t launch_cpus;
static bool launch_cpus_known;
static int launch_io_priority;

void pins_prepare(void)
{
    launch_cpus_known = sched_getaffinity(0, sizeof launch_cpus, &launch_cpus) == 0;
    long io_priority = syscall(SYS_ioprio_get, IOPRIO_WHO_PROCESS, 0);
    /* Without a class the kernel reports a level all the same, and does not take it back. */
    launch_io_priority = io_priority >> IO_CLASS_SHIFT > 0 ? (int)io_priority : 0;
}

static int set_cpus(pid_t tid, const cpu_set_t *cpus)
{
    return sched_setaffinity(tid, sizeof *cpus, cpus) == 0 ? 0 : errno;
}

static int set_io_priority(pid_t tid, int priority)
{
    return syscall(SYS_ioprio_set, IOPRIO_WHO_PROCESS, tid, priority) == 0 ? 0 : errno;
}

static void report_cpus(pid_t tid, const char *name, int error)
{
    static atomic_bool said;
    if (error == 0 || error == ESRCH || atomic_exchange(&said, true))
        return;
    report_line("thread %d \"%s\": its CPUs cannot be set as the rules say (%s): %s", tid, name, errno_name(error),
                error == EINVAL ? "the control group that it is in has none of them: see its cpuset.cpus.effective"
                                : strerror(error));
}

static void report_io_priority(pid_t tid, const char *name, int priority, int error)
{
    static atomic_bool said;
    if (error == 0 || error == ESRCH || atomic_exchange(&said, true))
        return;
    bool privileged = error == EPERM && priority >> IO_CLASS_SHIFT == IO_CLASS_REAL_TIME;
    report_line("thread %d \"%s\": its I/O priority cannot be set as the rules say (%s): %s", tid, name,
                errno_name(error), privileged ? "IOSchedulingClass=realtime takes CAP_SYS_NICE" : strerror(error));
}

static bool same_cpus(const struct rule *a, const struct rule *b)
{
    return a && a->pins && b->pins && CPU_EQUAL(&a->cpus, &b->cpus);
}

void pins_follow(pid_t tid, const char *name, const struct rule *before, const struct rule *now)
{
    bool was_pinned = before && before->pins;
    if (now && now->pins) {
        if (!same_cpus(before, now))
            report_cpus(tid, name, set_cpus(tid, &now->cpus));
    } else if (was_pinned && launch_cpus_known) {
        report_cpus(tid, name, set_cpus(tid, &launch_cpus));
    }
    int io_before = before ? before->io_priority : RULE_LEAVES_IO;
    int io_now = now ? now->io_priority : RULE_LEAVES_IO;
    int io = io_now == RULE_LEAVES_IO ? launch_io_priority : io_now;
    if (io_now != io_before)
        report_io_priority(tid, name, io, set_io_priority(tid, io));
}

void pins_take_back(pid_t process, const struct rules *rules)
{
    if (rules && rules->pins && launch_cpus_known)
        set_cpus(process, &launch_cpus);
    if (rules && rules->sets_io)
        set_io_priority(process, launch_io_priority);
}
