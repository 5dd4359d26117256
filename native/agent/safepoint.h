/*
 * Safepoints do not invert. While the VM Thread awaits a safepoint, or a thread awaits a handshake, a low Java thread
 * that still has to reach it can be kept from the CPU by a middle one that need not, because that one is in native
 * code. The waiter sleeps in short turns until all have arrived, by nanosleep(2) from libjvm: there the laggards are
 * raised. Safepoints that come quickly, as nearly all do, cost nothing.
 */
#ifndef AYATORI_SAFEPOINT_H
#define AYATORI_SAFEPOINT_H

#include <jvmti.h>
#include <stdbool.h>

/* Hooks libjvm's nanosleep. Once, from Agent_OnLoad, after laggards_prepare. False if this JVM cannot be hooked. */
bool safepoint_hook(void);

/*
 * Counts JNI critical sections per thread, which collectors that lock the heap against them wait for. From VMInit.
 * False if the JNI function table cannot be replaced.
 */
bool safepoint_count_critical_sections(jvmtiEnv *jvmti);

#endif
