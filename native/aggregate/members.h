/* SPDX-License-Identifier: GPL-2.0-only */
/* What members.bpf.c keeps in the kernel and bring_back.c sets and reads: the contract between both. */
#ifndef AYATORI_MEMBERS_H
#define AYATORI_MEMBERS_H

/* linux/sched.h: SCHED_EXT, which libraries do not know yet. */
enum { EXT_POLICY = 7 };

/* What a thread of the run asked for last, or was given by others: the policy, and below it 32 bits for the priority. In one
 * piece, since it is read while it changes. */
typedef unsigned long long member_asked;
#define ASKED(policy, priority) ((member_asked)(policy) << 32 | (priority))

/* A member that has another policy than it is to have, and that one. */
struct misplaced {
    int thread; /* as the reader's PID namespace numbers it */
    int policy;
    int priority;
};

#endif
