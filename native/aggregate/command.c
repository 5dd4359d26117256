/* SPDX-License-Identifier: GPL-2.0-only */
#define _GNU_SOURCE
#include "command.h"

#include <errno.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { NOT_FOUND = 127, NOT_EXECUTABLE = 126, BY_SIGNAL = 128 };

static pid_t command;

/* Those that are blocked for the command too. */
static sigset_t blocked_before;
static bool holds;

void say(const char *what)
{
    fprintf(stderr, "ayatori aggregate run: %s (%s)\n", what, strerror(errno));
}

static void forward(int signal)
{
    if (command > 0)
        kill(command, signal);
}

/* What a terminal sends, which is the kernel, comes to the command anyway. */
static void forward_of_a_process(int signal, siginfo_t *from, void *unused)
{
    (void)unused;
    if (from->si_code <= 0)
        forward(signal);
}

static void pass_signals_on(void)
{
    static const int terminals[] = {SIGINT, SIGQUIT};
    struct sigaction action = {.sa_sigaction = forward_of_a_process, .sa_flags = SA_RESTART | SA_SIGINFO};
    for (size_t i = 0; i < sizeof terminals / sizeof *terminals; i++)
        sigaction(terminals[i], &action, NULL);
    static const int others[] = {SIGTERM, SIGHUP, SIGUSR1, SIGUSR2};
    action = (struct sigaction){.sa_handler = forward, .sa_flags = SA_RESTART};
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        sigaction(others[i], &action, NULL);
}

static int wait_for_command(void)
{
    int status;
    while (waitpid(command, &status, 0) < 0) {
        if (errno != EINTR)
            return NOT_EXECUTABLE;
    }
    command = 0; /* its number may be another's from now on */
    return WIFEXITED(status) ? WEXITSTATUS(status) : BY_SIGNAL + WTERMSIG(status);
}

void hold_signals(void)
{
    sigset_t all;
    sigfillset(&all);
    if (!holds)
        sigprocmask(SIG_BLOCK, &all, &blocked_before);
    holds = true;
}

int run_command(char **words, _Bool (*prepare)(void))
{
    hold_signals();
    command = fork();
    if (command == 0) {
        sigprocmask(SIG_SETMASK, &blocked_before, NULL);
        if (prepare && !prepare())
            _exit(NOT_EXECUTABLE);
        execvp(words[0], words);
        int error = errno;
        say(words[0]);
        _exit(error == ENOENT ? NOT_FOUND : NOT_EXECUTABLE);
    }
    if (command < 0)
        say("no process can be started");
    else
        pass_signals_on();
    sigprocmask(SIG_SETMASK, &blocked_before, NULL);
    return command < 0 ? NOT_EXECUTABLE : wait_for_command();
}
