/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What meter.bpf.c counts in the kernel and meter.c reads: the contract between both.
 *
 * An address space is a struct mm_struct. Threads that share one form a process here; one that borrows its parent's by
 * vfork counts with the parent.
 */
#ifndef AYATORI_METER_H
#define AYATORI_METER_H

#define METER_NAME 16 /* TASK_COMM_LEN */
#define METER_MOST_PROCESSES 4096
#define METER_MOST_READY 32768

/* Lengths of time, in buckets of a quarter of an octave, from 256 ns (all that is shorter) to 17 s (all that is longer). */
#define METER_SHORTEST 8 /* log2 of nanoseconds */
#define METER_OCTAVES 26
#define METER_PARTS 4
#define METER_BUCKETS (METER_OCTAVES * METER_PARTS)

/* Of a process: how it ran, on all CPUs. */
struct meter_process {
    char name[METER_NAME];
    unsigned long long switches;         /* to one of its threads */
    unsigned long long entries;          /* of these, out of another address space */
    unsigned long long ran_ns;           /* on a CPU */
    unsigned long long delay_ns;         /* ready to run, and not on a CPU */
    unsigned int batches[METER_BUCKETS]; /* what it ran on a CPU between two other address spaces there */
    unsigned int delays[METER_BUCKETS];  /* from being ready to running */
};

/* Of a CPU: what it did, and what it is doing. */
struct meter_cpu {
    unsigned long long switches;      /* all, also to kernel threads and to the idle thread */
    unsigned long long user_switches; /* to threads of processes */
    unsigned long long entries;       /* into an address space other than the one before */

    unsigned long long space;    /* that of the process that ran last; 0: not known yet */
    unsigned long long since;    /* when the thread that runs began, by CLOCK_MONOTONIC; 0: no process's */
    unsigned long long batch_ns; /* what its process has run since the address space was another */
    unsigned int process;        /* whose address space it is */
    unsigned int complete;       /* 1: this batch has been counted from its beginning */
};

/* What did not fit. */
struct meter_lost {
    unsigned long long switches; /* to processes beyond METER_MOST_PROCESSES */
    unsigned long long delays;   /* of threads beyond METER_MOST_READY that were ready at once */
};

/* What both sides write: all global variables of the BPF programs. */
struct meter_control {
    unsigned int counting; /* 1: now; programs come to tracepoints, and leave them, one by one and slowly */
    struct meter_lost lost;
};

#endif
