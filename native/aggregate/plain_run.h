/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef AYATORI_PLAIN_RUN_H
#define AYATORI_PLAIN_RUN_H

/*
 * Runs a command, and all that it starts, with the longest slice that the kernel's own scheduler gives and in a cpu cgroup
 * of its own. Whatever of this the kernel refuses is said on standard error, and the command runs without it. The exit code:
 * the command's, or 128 and the number of the signal that ended it. Called once, by the main thread.
 *
 * words: the command, ends with NULL.
 */
int plain_run(char **words);

#endif
