/*
 * Waits inside the JVM for somebody whom the JVM does not name, so that nobody can be raised for it alone:
 *  - a collector's worker for a mutator, as ZGC's for one that was preempted while it moved an object out of the page
 *    that the worker wants to free;
 *  - a Java thread for others to leave their JNI critical sections, so that the heap can be collected;
 *  - whoever spins for a lock that has no owner, as Shenandoah's heap lock.
 * Low threads get a turn each, one at a time, for as long as such a wait lasts.
 */
#ifndef AYATORI_JVM_WAITS_H
#define AYATORI_JVM_WAITS_H

#include <stdbool.h>

/* Hooks libjvm's pthread_cond_wait and sched_yield. Once, from Agent_OnLoad, after laggards_prepare. */
bool jvm_waits_hook(void);

#endif
