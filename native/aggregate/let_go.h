/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef AYATORI_LET_GO_H
#define AYATORI_LET_GO_H

/*
 * Takes the scheduler of this link out of the kernel, and returns when it is out; of one that the kernel has thrown out, when that is
 * over. The link stays open. Up to Linux 6.18 the end of a link whose scheduler is out is taken for that of the one which the kernel
 * has by now: nobody may have loaded one meanwhile. Signals wait. By the main thread.
 *
 * for_all: all threads are under it that are not real-time; else those with the policy SCHED_EXT.
 */
void let_go(int link, _Bool for_all);

#endif
