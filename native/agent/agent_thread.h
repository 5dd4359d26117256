/*
 * The agent's own thread, "ayatori": it gives newcomers among the JVM's threads their places, looks after calls that do
 * not come out, and guards against runaways. It stands above all Java threads, and sleeps while there is nothing to do.
 */
#ifndef AYATORI_AGENT_THREAD_H
#define AYATORI_AGENT_THREAD_H

#include "ledger.h"

/* Once, from Agent_OnLoad or Agent_OnAttach. */
void agent_thread_start(void);

/* A thread that libjvm just made, entered as `id`; `comm_at_birth` is its maker's. From the maker. */
void agent_thread_announce(ledger_id id, const char *comm_at_birth);

/* Wakes it, to look after something else. From any thread. */
void agent_thread_wake(void);

#endif
