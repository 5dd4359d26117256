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
    bool is_jvms_own; /* made by libjvm, and no Java thread */
    bool signs_due;   /* the same, and the ledger does not know its signs yet */
};

/* initial-exec: these are read on the way of every yield and every JNI critical section. */
extern __thread struct self self __attribute__((tls_model("initial-exec")));

/* The calling thread's entry, found by its id where it was not entered by itself; 0 if it is not listed. */
ledger_id self_entry(void);

static inline int64_t monotonic_ns(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return now.tv_sec * 1000000000LL + now.tv_nsec;
}

#endif
