/*
 * Safepoints do not invert. While the VM Thread awaits a safepoint, or a thread awaits a handshake, a low Java thread
 * that still has to reach it can be kept from the CPU by a middle one that need not, because that one is in native
 * code. The waiter sleeps in short turns until all have arrived, by nanosleep(2) from libjvm: there the threads that are
 * awaited are raised, and put back when it wakes. Safepoints that come quickly, as nearly all do, cost nothing.
 *
 * Workers of a concurrent collector wait for Java threads as well: ZGC's for one that was preempted while it moved an
 * object out of the page that they want to free. They do not say for whom, so low threads get a turn each.
 */
#ifndef AYATORI_SAFEPOINT_H
#define AYATORI_SAFEPOINT_H

#include <jvmti.h>
#include <stdbool.h>

/* Hooks libjvm's nanosleep and pthread_cond_wait. Once, from Agent_OnLoad. False if this JVM cannot be hooked or does not tell its state. */
bool safepoint_hook(void);

/*
 * Counts JNI critical sections per thread, which collectors that lock the heap against them wait for. From VMInit.
 * False if the JNI function table cannot be replaced.
 */
bool safepoint_count_critical_sections(jvmtiEnv *jvmti);

/* The JVM ends: nobody is raised any more. From VMDeath. */
void safepoint_retire(void);

#endif
