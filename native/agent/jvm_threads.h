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

/* A thread that libjvm just made. */
struct newcomer {
    ledger_id id;                  /* 0: there is none, this is a knock at the agent's door */
    char comm_at_birth[COMM_SIZE]; /* its maker's, which it bears until it names itself */
    int64_t since;                 /* when it was accepted */
};

/* Gives a newcomer its place, or keeps it until it has named itself. From the agent's thread, as the two below. */
void jvm_threads_accept(const struct newcomer *newcomer);

/* How long the agent's thread may sleep before it looks at those that were kept: -1, for ever. */
int jvm_threads_timeout_ms(void);

void jvm_threads_look(void);

/*
 * Gives every JVM thread that is there its place, before any Java thread becomes real-time: also those that were born
 * before the hook, or where it could not be set. False if no VM Thread is among them by name. From VMInit.
 */
bool jvm_threads_place_all(void);

#endif
