/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef AYATORI_OWN_CGROUP_H
#define AYATORI_OWN_CGROUP_H

#include <limits.h>

/* A cgroup with the cpu controller, below the one that the process was in. */
struct own_cgroup {
    char path[PATH_MAX];
};

/*
 * Makes one and puts the calling process into it, and with it whatever that starts: version 2 of cgroups, or version 1 with
 * a budget for real-time threads, where those need one. NULL, or what stood in the way; errno says why.
 */
const char *own_cgroup_enter(struct own_cgroup *group);

/* Leaves it again, and removes it. NULL, or what stood in the way: processes that are still in it, say. */
const char *own_cgroup_leave(struct own_cgroup *group);

#endif
