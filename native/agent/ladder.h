/* From a thread's kind and Java priority to its level, by the policy in force. Pure: any thread may call. */
#ifndef AYATORI_LADDER_H
#define AYATORI_LADDER_H

#include <stdatomic.h>
#include <stdbool.h>

#include "kernel_sched.h"
#include "ledger_page.h"
#include "priority_ladder.h"

struct rules;

/* Seconds that real-time threads may take a whole CPU for before they are all put back: longer than most work that a
 * person waits for, short enough to wait at a prompt that has the 5 % of a CPU which the kernel leaves to it. */
#define DEFAULT_RUNAWAY_LIMIT 10
#define MAX_RUNAWAY_LIMIT 3600

/*
 * What the user chose. Written in Agent_OnLoad, before there is a second thread that reads it, and again when another
 * choice is applied to the JVM that runs: who reads it just then may see a mixture. `generation` counts that, and whoever
 * took a level from it looks afterwards whether it is still the same.
 */
struct ladder {
    atomic_uint generation;
    int policy;                           /* LEDGER_POLICY_… */
    int rt_policy;                        /* SCHED_RR or SCHED_FIFO */
    bool paper_values;                    /* the real-time value is the Java priority itself, as in the paper */
    bool placement;                       /* false: the JVM's own threads are left where HotSpot put them */
    int rungs[LEDGER_KIND_JVM_OTHER + 1]; /* real-time value of each kind of JVM thread, 0 = left alone */
    int laggard;
    int java_top;              /* real-time value of Java priority 10 … */
    int java_step;             /* … and from one priority to the next */
    bool hotspot_sets_nice;    /* -XX:ThreadPriorityPolicy=1: a thread may not be where it was put last */
    int folded;                /* LEDGER_FOLDED_…: Java threads are ordinary ones from here on; 0 if they are not */
    int runaway_limit;         /* seconds that real-time threads may take a whole CPU for; 0: for ever */
    const struct rules *rules; /* what is said of single threads; NULL if nothing is */
    struct level launch;       /* what the JVM was launched with: level of processes, and of threads under `none` */
    /* What ladder_set_band was given; 0 if it was not called. */
    int band_low, band_high;
};

extern struct ladder ladder;

/* The defaults of priority_ladder.h, policy mixed, launched with `launch`. */
void ladder_defaults(struct ladder *ladder, struct level launch);

/* The policies' names, "none", "nice", "static", "mixed", by LEDGER_POLICY_…; NULL beyond. */
const char *ladder_policy_name(int policy);

/* True if this policy can make a Java thread real-time. */
bool ladder_is_real_time(const struct ladder *ladder);

/* True if waits inside the JVM have to be watched: some threads are real-time, and the JVM's own stand above them. */
bool ladder_orders_waits(const struct ladder *ladder);

/*
 * The level of a thread of `kind` (LEDGER_KIND_…) whose Java priority is `java_priority` (1 to 10, ignored for the
 * JVM's own threads). `ends_vm`: the thread brings the JVM to its end (Signal Dispatcher, DestroyJavaVM).
 */
struct level ladder_level(const struct ladder *ladder, unsigned kind, int java_priority, bool ends_vm);

/*
 * Puts all real-time values of the policy in force between `low` and `high`, the JVM's own threads on top. The step between
 * two Java priorities is 2 where there is room for it, so that who inherits stands between them, else 1. False, with
 * nothing changed, if there is not even that; then `needed` is how many values there would have to be.
 */
bool ladder_set_band(struct ladder *ladder, int low, int high, int *needed);

/* Puts the ladder `chosen` in force, the next generation. One thread at a time. */
void ladder_put_in_force(const struct ladder *chosen);

/* Where HotSpot itself would have a Java thread: as launched, but for -XX:ThreadPriorityPolicy=1. */
struct level ladder_hotspot_level(const struct ladder *ladder, struct level launch, int java_priority);

/*
 * The rank that a thread of `rank` lends: a step less than its own, so that it gets the CPU back. One of SCHED_DEADLINE lends
 * what a Java thread is given on its way to a safepoint: nobody but itself is to stand above the JVM's own threads.
 */
int ladder_lent_rank(const struct ladder *ladder, int rank);

/* Where Java threads are once they are folded: as launched, but never real-time if a runaway is the cause. */
struct level ladder_folded_level(const struct ladder *ladder);

#endif
