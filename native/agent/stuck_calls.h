/*
 * Calls of libjvm that should take no time, and in which the C library waits for locks that nobody can inherit through:
 * malloc and its like (two threads that share an arena share its lock), the dynamic linker (one lock for the process), and
 * the end of a wait on a condition variable, where the mutex is taken again. A low thread that is preempted with such a
 * lock holds up a higher one, a collector's worker among them, for as long as a middle one runs. The calls are counted as
 * they begin and end (ledger_signs); the agent's thread sees who does not come out.
 */
#ifndef AYATORI_STUCK_CALLS_H
#define AYATORI_STUCK_CALLS_H

#include <stdbool.h>

/* Redirects libjvm's calls of the allocator and the linker. Once, from Agent_OnLoad. False if this JVM lacks one. */
bool stuck_calls_hook(void);

/* Around a call, on the calling thread. Not nested. */
void short_call_begin(void);
void short_call_end(void);

/* How long the agent's thread may sleep before it looks: -1, for ever; the first call will wake it. */
int stuck_calls_timeout_ms(void);

/* Looks, if it is time, and gives turns to those who hold up others. From the agent's thread. */
void stuck_calls_look(void);

#endif
