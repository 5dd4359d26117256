/*
 * Laggards: low Java threads that somebody in the JVM waits for while a middle thread keeps them from the CPU. The waiter
 * raises them for the length of a short sleep of its own, a turn, and puts them back when it wakes: nothing outlives
 * the wait. Safepoints (safepoint.c), the JVM's other waits (jvm_waits.c), its mutexes (vm_locks.c) and the calls that
 * somebody is stuck in (stuck_calls.c) do so.
 */
#ifndef AYATORI_LAGGARDS_H
#define AYATORI_LAGGARDS_H

#include <stdbool.h>

#include "ledger.h"

/*
 * How long a turn is. HotSpot's own sleeps of 10 us are over before a laggard has run one instruction where a timer takes
 * as long to set and to ring (a virtual machine: measured, no progress in 1 ms of them); its sleeps of 1 ms are long
 * beside what most laggards need.
 */
#define TURN_NS 50000

#define MOST_LAGGARDS 64

enum laggards {
    NOT_IN_NATIVE,
    AWAITED,             /* neither in native code nor blocked: a safepoint or handshake waits for them */
    IN_CRITICAL_SECTION, /* JNI critical sections, which some collectors wait for */
    IN_SHORT_CALL,       /* they may hold a lock there that somebody waits for (stuck_calls.h) */
    ANYWHERE,
};

struct turn {
    struct ledger_view waiter;
    int rank; /* that the laggards get */
    int raised_count;
    ledger_id raised[MOST_LAGGARDS];
};

/* Reads where HotSpot keeps a thread's state. Once, from Agent_OnLoad. False if this JVM does not tell. */
bool laggards_prepare(void);

/* The JVM ends, and JavaThreads vanish without a ThreadEnd: nobody is raised any more. From VMDeath. */
void laggards_retire(void);

/*
 * Begins a turn of the calling thread's. False if nobody may be raised for it: it is not real-time, or at the lowest
 * real-time value, or the JVM ends. To be paired with turn_end, whatever was raised.
 */
bool turn_begin(struct turn *turn);

/* Raises all of a kind, MOST_LAGGARDS at most. How many. */
int turn_raise_all(struct turn *turn, enum laggards which);

/* True if any of a kind is there to be raised. */
bool turn_finds(struct turn *turn, enum laggards which);

/*
 * Raises one, and the next one in the next turn that has the same `done` (0 at first). For waits in which the raised do
 * not stop by themselves: the first of several would have every turn to itself. Of a kind, or NOT_IN_NATIVE: the awaited
 * and those that are blocked, since one may be so in name only, still on its way out of an earlier safepoint, and no
 * handshake is possible with it before.
 */
void turn_raise_next(struct turn *turn, enum laggards which, int *done);

void turn_end(struct turn *turn);

#endif
