/* SPDX-License-Identifier: GPL-2.0-only */
#define _GNU_SOURCE
#include "plain_run.h"

#include "command.h"
#include "own_cgroup.h"

#include <sched.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/syscall.h>
#include <unistd.h>

/* The longest that the kernel takes. */
static const uint64_t slice_ns = 100000000;

/* struct sched_attr of sched_setattr(2), as far as it was from the beginning. */
struct attributes {
    uint32_t size;
    uint32_t policy;
    uint64_t flags;
    int32_t nice;
    uint32_t priority;
    uint64_t runtime;
    uint64_t deadline;
    uint64_t period;
};

/* For this thread and what it starts. */
static void take_slice(void)
{
    struct attributes now = {.size = sizeof now};
    if (syscall(SYS_sched_getattr, 0, &now, sizeof now, 0) != 0) {
        say("its slice stays as it is");
        return;
    }
    if (now.policy != SCHED_OTHER && now.policy != SCHED_BATCH)
        return; /* who is real-time has no slice of this kind */
    now.runtime = slice_ns;
    struct attributes after = {.size = sizeof after};
    if (syscall(SYS_sched_setattr, 0, &now, 0) != 0)
        say("its slice stays as it is");
    else if (syscall(SYS_sched_getattr, 0, &after, sizeof after, 0) == 0 && after.runtime != slice_ns)
        fputs("ayatori aggregate run: its slice stays as it is: Linux 6.12 or later takes one\n", stderr);
}

int plain_run(char **words)
{
    struct own_cgroup group;
    hold_signals(); /* who is ended after that leaves the cgroup behind */
    const char *trouble = own_cgroup_enter(&group);
    bool grouped = !trouble;
    if (trouble)
        say(trouble);
    take_slice();
    int code = run_command(words, NULL);
    trouble = grouped ? own_cgroup_leave(&group) : NULL;
    if (trouble)
        say(trouble);
    return code;
}
