/*
 * The JVM's own threads: VM Thread, collectors, compilers. They are no JVMTI threads; they are known by the hook on
 * libjvm's pthread_create (birth.c) and told apart by the names that they give themselves, proc(5) comm.
 */
#ifndef AYATORI_JVM_THREADS_H
#define AYATORI_JVM_THREADS_H

#include <stdbool.h>
#include <sys/types.h>

#include "ledger.h"

#define COMM_SIZE 16

/* LEDGER_KIND_… of a thread by its comm; LEDGER_KIND_JVM_OTHER if the name is none of HotSpot's. Pure. */
unsigned jvm_thread_kind(const char *comm);

/*
 * True for a thread that takes its work from a collector's task queue, so that it waits on a condition variable only
 * for somebody else's part of the task (idle, it waits on a semaphore: workerThread.cpp). Pure.
 */
bool jvm_thread_is_gc_worker(const char *comm);

/* Whether the calling thread is one, by the name that it bears now: a new one waits for its maker before it names itself. */
bool jvm_thread_self_is_gc_worker(void);

/* Starts the agent's own thread, which gives newcomers their places. Once, from Agent_OnLoad. */
void jvm_threads_start(void);

/*
 * A thread that libjvm just made, entered as `id`; `comm_at_birth` is its maker's, which a new thread bears until it
 * names itself. From the maker.
 */
void jvm_threads_announce(ledger_id id, const char *comm_at_birth);

/* Wakes the agent's thread, to look after something else. From any thread. */
void jvm_threads_wake(void);

/*
 * Gives every JVM thread that is there its place, before any Java thread becomes real-time: also those that were born
 * before the hook, or where it could not be set. False if no VM Thread is among them by name. From VMInit.
 */
bool jvm_threads_place_all(void);

/* Puts them back, after the policy in force was changed to one that does not place them. From VMInit. */
void jvm_threads_give_up(void);

#endif
