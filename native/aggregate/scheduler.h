/* SPDX-License-Identifier: GPL-2.0-only */
/* What scheduler.bpf.c keeps in the kernel and the loader sets and reads: the contract between both. Times in ns. */
#ifndef AYATORI_SCHEDULER_H
#define AYATORI_SCHEDULER_H

#define SCHEDULER_NAME 16 /* TASK_COMM_LEN */
#define SCHEDULER_MOST_SPACES 65536
#define SCHEDULER_MOST_CPUS 4096
#define SCHEDULER_REASON 128
#define SCHEDULER_MESSAGE 512

/* When a CPU stays with an address space. */
enum scheduler_batch { BATCH_NEVER, BATCH_AUTO, BATCH_ALWAYS };

/* Set before the programs are loaded. */
struct scheduler_settings {
    unsigned int batch;  /* enum scheduler_batch */
    unsigned int cpus;   /* online */
    unsigned int tagged; /* address spaces that a CPU keeps translations of */
    unsigned long long slice_ns;
    unsigned long long batch_ns;
};

/* An address space: the threads that share it are one group. */
struct scheduler_space {
    char name[SCHEDULER_NAME];
    unsigned int pid; /* of its process, as the initial PID namespace has it */
    unsigned int number;
    int threads;
    int waiting;                /* of these, in a queue */
    int active;                 /* of these, wait or run */
    unsigned long long counted; /* in which cgroup, and as how much: see count_as() */
    unsigned long long group;   /* the cgroup that its scale is for */
    unsigned long long scale;   /* of its virtual time: see scale_in() and weigh() */
    unsigned long long scaled_at;
    unsigned long long ran_ns;          /* on all CPUs */
    unsigned long long batches;         /* times that a CPU began with it */
    unsigned long long vtime_ns;        /* what it ran, by its part of all */
    unsigned long long place_ns;        /* vtime_ns when its present batch began: its place in the line */
    unsigned long long thread_vtime_ns; /* of its threads: how far the one has come that was taken last */
    unsigned long long thread_base_ns;  /* thread_vtime_ns when its present batch began */
};

/* A CPU: what it did, and what it is doing. */
struct scheduler_cpu {
    unsigned long long batches; /* begun */
    unsigned long long used_up; /* of these, ended since their time was over */
    unsigned long long urgent;  /* threads that went before a batch */
    unsigned long long pushed;  /* of these, that stopped a thread for it */
    unsigned long long spaces;  /* switches to another address space than it had before */
    unsigned long long had;     /* that one */

    unsigned long long space;     /* whose batch it is; 0: none */
    unsigned long long used_ns;   /* of the batch */
    unsigned long long budget_ns; /* of the batch; 0: none is granted */
    unsigned int runs;            /* a thread of the scheduler's runs: no higher class has the CPU */
    unsigned int running_urgent;  /* a thread runs, or is about to, that is not to be pushed aside */
    unsigned int gives_way;       /* an urgent thread has been pushed aside by another one */
    unsigned int urgent_waits;    /* one has been put before the batch, and is not to wait for its end */
    unsigned int given_way;       /* it comes to the next space since a thread has called sched_yield */
    unsigned int crowd;           /* spaces that are ready, in sixteenths, smoothed */
    unsigned int batching;
    unsigned int taken;                  /* how often it took from a line */
    unsigned long long first_place;      /* of who was found first in a line */
    unsigned long long running_burst_ns; /* as a rule, of who runs urgently */
    unsigned long long urgent_since;     /* urgent threads have the CPU; 0: the last one was not */
};

/* Why the scheduler went, if not by its loader. */
struct scheduler_exit {
    int kind; /* 0: it has not */
    char reason[SCHEDULER_REASON];
    char message[SCHEDULER_MESSAGE];
};

#endif
