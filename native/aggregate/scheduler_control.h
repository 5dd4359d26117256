/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef AYATORI_SCHEDULER_CONTROL_H
#define AYATORI_SCHEDULER_CONTROL_H

/*
 * The scheduler of scheduler.bpf.c: into the kernel and out of it. Each gives the program's exit code and says on standard
 * error what is in the way. Called once, by the main thread.
 *
 * batch: never, auto or always.
 */

/* Loads it for a command and what that starts, which have the policy SCHED_EXT; it goes when the command ends. */
int scheduler_run(const char *batch, char **words);

/* Loads it for all threads of the host that are not real-time, until stopped. */
int scheduler_start(const char *batch);
int scheduler_stop(void);

/* Writes what it did to standard output. */
int scheduler_status(void);

#endif
