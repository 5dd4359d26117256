/*
 * Births: a thread that is made by libjvm stands at its own level before it runs a line of Java.
 *
 * SCHED_RESET_ON_FORK, which real-time Java threads bear so that processes are not born real-time, makes their threads
 * be born SCHED_OTHER too. On a full CPU such a thread would never come to its ThreadStart event, and its maker, who
 * waits in Thread.start() for it to begin, would wait with it. So the maker gives the child its level as soon as
 * clone(2) has returned, and a child below its maker borrows the maker's level until start() is over.
 */
#ifndef AYATORI_BIRTH_H
#define AYATORI_BIRTH_H

#include <pthread.h>
#include <stdbool.h>

#include "ledger.h"

/* A Java thread on its way into the world, on its maker's stack. */
struct birth {
    struct ledger_thread child;
    ledger_id id; /* set once the thread exists */
};

/* Who owes a child its maker's level. */
#define BIRTH_CREDITOR UINT64_C(0xB1)

/*
 * The id of a thread that may not have run yet, 0 if it cannot be told: the clock id of its CPU time holds it. The thread is
 * alive: HotSpot's threads wait for their maker.
 */
pid_t birth_tid_of(pthread_t thread);

/* Hooks libjvm's pthread_create. Once, from Agent_OnLoad. False if this JVM cannot be hooked. */
bool birth_hook(void);

/* The next thread that libjvm makes on the calling thread is `birth`. */
void birth_expect(struct birth *birth);

/* Its start is over: what it borrowed ends. */
void birth_done(struct birth *birth);

#endif
