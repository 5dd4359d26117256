/* The kernel's view of a thread's priority: one policy and one value. Any thread may call anything here. */
#ifndef AYATORI_KERNEL_SCHED_H
#define AYATORI_KERNEL_SCHED_H

#include <sched.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#ifndef SCHED_DEADLINE /* not in glibc 2.17 */
#define SCHED_DEADLINE 6
#endif

/*
 * A policy with its value: nice (-20 to 19) for SCHED_OTHER and SCHED_BATCH, the static priority (1 to 99) for SCHED_RR and
 * SCHED_FIFO, 0 for SCHED_IDLE and SCHED_DEADLINE.
 */
struct level {
    int policy;
    int value;
};

/*
 * What sched_setattr(2) takes beside a level, in nanoseconds: all three for SCHED_DEADLINE, and for SCHED_OTHER and
 * SCHED_BATCH the runtime alone, which is the slice there (Linux 6.12 and later; 0: as long as the kernel likes).
 */
struct timing {
    uint64_t runtime, deadline, period;
};

/* Levels in one order. SCHED_IDLE: 0; SCHED_OTHER nice n: 20 - n (1 to 40); real-time v: 100 + v; SCHED_DEADLINE above. */
#define RANK_REAL_TIME 100
#define RANK_DEADLINE 200
#define RANKS 201

static inline bool level_is_real_time(struct level level)
{
    return level.policy == 1 /* SCHED_FIFO */ || level.policy == 2 /* SCHED_RR */;
}

static inline bool level_equals(struct level a, struct level b)
{
    return a.policy == b.policy && a.value == b.value;
}

int level_rank(struct level level);

/* The level of `rank`; a real-time one takes `rt_policy`. */
struct level level_of_rank(int rank, int rt_policy);

/*
 * Gives thread `tid` this level. Real-time threads get SCHED_RESET_ON_FORK if `reset_on_fork`, so that what they
 * fork is born SCHED_OTHER, nice 0. Returns 0 or the errno of the call that failed. Async-signal-safe.
 */
int kernel_set(pid_t tid, struct level level, bool reset_on_fork);

/*
 * The same with the `timing` that belongs to such a level; NULL: what it had of it stays. SCHED_DEADLINE and a slice bring
 * SCHED_RESET_ON_FORK with them: the kernel lets no SCHED_DEADLINE thread make others without it, and a slice is nobody
 * else's.
 */
int kernel_set_timed(pid_t tid, struct level level, const struct timing *timing, bool reset_on_fork);

/* Reads the level back. Returns 0 or errno. Async-signal-safe. */
int kernel_get(pid_t tid, struct level *level);

pid_t kernel_gettid(void);

/* "RR 20", "OTHER nice 4"; into `text` of at least LEVEL_TEXT bytes, which is returned. */
#define LEVEL_TEXT 32
const char *level_text(struct level level, char *text);

/* "EPERM" and its like, or "errno". */
const char *errno_name(int error);

#endif
