/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef AYATORI_COMMAND_H
#define AYATORI_COMMAND_H

/*
 * Runs a command as a child, passes signals on to it, and waits for its end. The exit code: the command's, or 128 and the
 * number of the signal that ended it; 126 or 127 if it cannot be started, said on standard error. Called once, by the main
 * thread.
 *
 * words: the command, ends with NULL. prepare: called in the child before the command; if it says false, having said why,
 * there is none and the exit code is 126; or NULL.
 */
int run_command(char **words, _Bool (*prepare)(void));

/* Who makes something first that has to go when the command ends: from here on signals wait for the command. By the main thread. */
void hold_signals(void);

/* Says on standard error what failed, and errno. */
void say(const char *what);

#endif
