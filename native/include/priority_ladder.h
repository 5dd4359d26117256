/*
 * The one table of the product: Java priority -> Linux policy and value.
 *
 * Every number that decides where a thread stands is defined here and nowhere else. The Java twin,
 * ayatori.sched.PriorityLadder, is compared with this file by PriorityLadderTwinTest, which parses the
 * `#define LADDER_…` lines: keep each of them a plain integer on one line.
 *
 * Why these numbers:
 *  - Real-time values are Linux static priorities, sched(7), 1 (low) to 99. The kernel runs its own threaded
 *    interrupt handlers at 50; a ladder that ends at 25 can never keep a disk or a network card waiting.
 *  - Two per Java priority, so that a thread that inherits from priority p stands at 2p - 1: above every level
 *    below p, and just below p itself. At the same value the two would share the CPU by turns of a whole
 *    SCHED_RR quantum (100 ms) after the lock was let go.
 *  - One table for `static` and `mixed`: a thread of priority 8 has the same value in a `mixed` JVM as in a
 *    `static` one, so that two JVMs on one host compare.
 *  - nice values are HotSpot's own for -XX:ThreadPriorityPolicy=1 (prio_to_native in os_linux.cpp): who comes
 *    from there finds `nice` unchanged, and it is the mapping of the paper's figure 1.
 *  - The rungs above Java priority 10 are decided by measurement: docs/placement.md.
 */
#ifndef AYATORI_PRIORITY_LADDER_H
#define AYATORI_PRIORITY_LADDER_H

#define LADDER_MIN_JAVA_PRIORITY 1
#define LADDER_NORM_JAVA_PRIORITY 5
#define LADDER_MAX_JAVA_PRIORITY 10

/* Real-time value of Java priority p: p * STEP. */
#define LADDER_RT_STEP 2

/* nice of Java priorities 1 to 10, setpriority(2). */
#define LADDER_NICE_1 4
#define LADDER_NICE_2 3
#define LADDER_NICE_3 2
#define LADDER_NICE_4 1
#define LADDER_NICE_5 0
#define LADDER_NICE_6 -1
#define LADDER_NICE_7 -2
#define LADDER_NICE_8 -3
#define LADDER_NICE_9 -4
#define LADDER_NICE_10 -5

/* The JVM's own threads, above every Java thread. */
#define LADDER_RT_COMPILER 21      /* C1, C2, Graal compiler threads */
#define LADDER_RT_CONCURRENT_GC 22 /* concurrent marking, refinement, ZGC, Shenandoah */
#define LADDER_RT_LAGGARD 23       /* a Java thread on its way to an awaited safepoint; Signal Dispatcher */
#define LADDER_RT_GC_WORKER 24     /* stop-the-world GC workers */
#define LADDER_RT_VM_THREAD 25     /* the VM Thread */

/* Nothing is ever placed above this without the user's word. */
#define LADDER_RT_CAP 29

#endif
