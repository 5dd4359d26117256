/* What the agent keeps for the calling thread. */
#ifndef AYATORI_SELF_H
#define AYATORI_SELF_H

#include <stdbool.h>
#include <stdint.h>
#include <time.h>

#include "ledger.h"

struct birth;

struct self {
    ledger_id id;
    struct birth *birth;  /* the Java thread that this thread is starting right now */
    char *java_thread;    /* HotSpot's JavaThread, between ThreadStart and ThreadEnd */
    bool in_thread_yield; /* it is in Thread.yield(), which has a guard of its own */
    bool left_java;       /* its ThreadEnd has been: a ThreadStart that follows is an attachment */
    bool destroys_vm;     /* it is in DestroyJavaVM: what it starts are shutdown hooks */
    struct ledger_signs signs;
    bool is_jvms_own; /* of the JVM's own, and no Java thread */
    bool is_newborn;  /* made by libjvm under the agent's eyes: its maker enters it, soon */
    unsigned asked;   /* the count of `self_asks` when it last asked the ledger for itself */
};

/* initial-exec: these are read on the way of every yield and every JNI critical section. */
extern __thread struct self self __attribute__((tls_model("initial-exec")));

/* Counts the occasions on which threads are entered by others. Each thread asks for itself once after each. */
extern atomic_uint self_asks;

/* Once, before the first thread asks. */
void self_prepare(void);

/* The calling thread's entry, 0 if it is not listed. Where others entered it, it shows its signs from now on. */
ledger_id self_entry(void);

static inline void self_ask(void)
{
    if (self.asked != atomic_load_explicit(&self_asks, memory_order_relaxed))
        self_entry();
}

/* The rank of its own level, 0 if it is not listed. Takes no lock but for the first time. */
static inline int self_rank(void)
{
    self_ask();
    return atomic_load_explicit(&self.signs.own_rank, memory_order_relaxed);
}

static inline int64_t monotonic_ns(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return now.tv_sec * 1000000000LL + now.tv_nsec;
}

#endif
