#define _GNU_SOURCE
#include "kernel_sched.h"

#include <errno.h>
#include <stdio.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#define RESET_ON_FORK_FLAG 1 /* SCHED_FLAG_RESET_ON_FORK */

/* struct sched_attr of linux/sched/types.h, which older headers do not have. */
struct attributes {
    uint32_t size, policy;
    uint64_t flags;
    int32_t nice;
    uint32_t priority;
    uint64_t runtime, deadline, period;
};

int level_rank(struct level level)
{
    if (level.policy == SCHED_DEADLINE)
        return RANK_DEADLINE;
    if (level.policy == SCHED_IDLE)
        return 0;
    return level_is_real_time(level) ? RANK_REAL_TIME + level.value : 20 - level.value;
}

struct level level_of_rank(int rank, int rt_policy)
{
    if (rank > RANK_REAL_TIME)
        return (struct level){rt_policy, rank - RANK_REAL_TIME};
    return (struct level){SCHED_OTHER, 20 - rank};
}

pid_t kernel_gettid(void)
{
    return (pid_t)syscall(SYS_gettid);
}

static int set_policy(pid_t tid, int policy, int priority)
{
    struct sched_param param = {.sched_priority = priority};
    return sched_setscheduler(tid, policy, &param) == 0 ? 0 : errno;
}

int kernel_set(pid_t tid, struct level level, bool reset_on_fork)
{
    if (level_is_real_time(level))
        return set_policy(tid, level.policy | (reset_on_fork ? SCHED_RESET_ON_FORK : 0), level.value);
    if (level.policy == SCHED_IDLE) /* its nice is of no account until it leaves the policy */
        return set_policy(tid, level.policy, 0);
    /* The nice value first: a thread that leaves a real-time policy must not run at the wrong one, even shortly. */
    int nice_error = setpriority(PRIO_PROCESS, (id_t)tid, level.value) == 0 ? 0 : errno;
    int error = set_policy(tid, level.policy, 0);
    if (error == EPERM) /* without CAP_SYS_NICE the kernel does not take SCHED_RESET_ON_FORK back */
        error = set_policy(tid, level.policy | SCHED_RESET_ON_FORK, 0);
    return error ? error : nice_error;
}

static int set_attributes(pid_t tid, struct attributes attributes)
{
    return syscall(SYS_sched_setattr, tid, &attributes, 0) == 0 ? 0 : errno;
}

int kernel_set_timed(pid_t tid, struct level level, const struct timing *timing, bool reset_on_fork)
{
    struct attributes attributes = {.size = sizeof attributes, .policy = (uint32_t)level.policy};
    if (timing && level.policy == SCHED_DEADLINE) {
        attributes.flags = RESET_ON_FORK_FLAG;
        attributes.runtime = timing->runtime;
        attributes.deadline = timing->deadline;
        attributes.period = timing->period;
        return set_attributes(tid, attributes);
    }
    int error = kernel_set(tid, level, reset_on_fork);
    if (!timing || (level.policy != SCHED_OTHER && level.policy != SCHED_BATCH))
        return error;
    /* With the nice value that it has now: where that one was refused, the slice is still to be had. */
    attributes.nice = getpriority(PRIO_PROCESS, (id_t)tid);
    attributes.flags = timing->runtime ? RESET_ON_FORK_FLAG : 0;
    attributes.runtime = timing->runtime;
    int slice_error = set_attributes(tid, attributes);
    if (slice_error == EPERM && !attributes.flags) { /* as above */
        attributes.flags = RESET_ON_FORK_FLAG;
        slice_error = set_attributes(tid, attributes);
    }
    return error ? error : slice_error;
}

int kernel_get(pid_t tid, struct level *level)
{
    struct sched_param param;
    do {
        int policy = sched_getscheduler(tid);
        if (policy < 0)
            return errno;
        level->policy = policy & ~SCHED_RESET_ON_FORK;
        if (level_is_real_time(*level) && sched_getparam(tid, &param) != 0)
            return errno;
        /* Again where it was set to an ordinary policy between the two calls. */
    } while (level_is_real_time(*level) && param.sched_priority == 0);
    level->value = 0;
    if (level_is_real_time(*level)) {
        level->value = param.sched_priority;
        return 0;
    }
    if (level->policy == SCHED_IDLE || level->policy == SCHED_DEADLINE)
        return 0;
    errno = 0;
    level->value = getpriority(PRIO_PROCESS, (id_t)tid);
    return errno;
}

const char *level_text(struct level level, char *text)
{
    static const char *const names[] = {"OTHER", "FIFO", "RR", "BATCH", "4", "IDLE", "DEADLINE", "EXT"};
    const char *name = level.policy >= 0 && level.policy <= 7 ? names[level.policy] : "?";
    if (level_is_real_time(level))
        snprintf(text, LEVEL_TEXT, "%s %d", name, level.value);
    else if (level.value != 0)
        snprintf(text, LEVEL_TEXT, "%s nice %d", name, level.value);
    else
        snprintf(text, LEVEL_TEXT, "%s", name);
    return text;
}

const char *errno_name(int error)
{
    switch (error) {
    case EPERM: return "EPERM";
    case EACCES: return "EACCES";
    case ESRCH: return "ESRCH";
    case EINVAL: return "EINVAL";
    case EBUSY: return "EBUSY";
    case EAGAIN: return "EAGAIN";
    case ENOMEM: return "ENOMEM";
    case ENOSYS: return "ENOSYS";
    default: return "errno";
    }
}
