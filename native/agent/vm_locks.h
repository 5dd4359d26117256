/*
 * Priority inheritance for the JVM's own mutexes (Heap_lock, Threads_lock, …). A low Java thread can be preempted in
 * the JVM while it holds one, by a middle thread that runs for ever; whoever needs the mutex, the collector among them,
 * would wait with it. A real-time thread that finds a mutex taken raises its owner for as long as it waits.
 *
 * HotSpot also polls mutexes: JDK 25's G1 refinement thread tries Heap_lock again and again without ever sleeping,
 * and would keep the CPU from a lower owner. It is made to sleep a little, with the owner raised.
 */
#ifndef AYATORI_VM_LOCKS_H
#define AYATORI_VM_LOCKS_H

#include <stdbool.h>

/* Hooks libjvm's pthread_mutex_lock and _trylock. Once, from Agent_OnLoad. False if this C library or JVM cannot be. */
bool vm_locks_hook(void);

#endif
