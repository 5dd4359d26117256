/* SPDX-License-Identifier: GPL-2.0-only */
#define _GNU_SOURCE
#include "plain_run.h"

#include "own_cgroup.h"

#include <errno.h>
#include <sched.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

/* The longest that the kernel takes. */
static const uint64_t slice_ns = 100000000;

enum { NOT_FOUND = 127, NOT_EXECUTABLE = 126, BY_SIGNAL = 128 };

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

static pid_t command;

static void say(const char *what)
{
    fprintf(stderr, "ayatori aggregate run: %s (%s)\n", what, strerror(errno));
}

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

static void forward(int signal)
{
    kill(command, signal);
}

/* What a terminal sends comes to the command anyway; the rest is for it too. */
static void pass_signals_on(void)
{
    signal(SIGINT, SIG_IGN);
    signal(SIGQUIT, SIG_IGN);
    static const int others[] = {SIGTERM, SIGHUP, SIGUSR1, SIGUSR2};
    struct sigaction action = {.sa_handler = forward, .sa_flags = SA_RESTART};
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
    return WIFEXITED(status) ? WEXITSTATUS(status) : BY_SIGNAL + WTERMSIG(status);
}

int plain_run(char **words)
{
    struct own_cgroup group;
    const char *trouble = own_cgroup_enter(&group);
    bool grouped = !trouble;
    if (trouble)
        say(trouble);
    take_slice();
    sigset_t all;
    sigset_t before;
    sigfillset(&all);
    sigprocmask(SIG_BLOCK, &all, &before); /* until it is known to whom they go on */
    command = fork();
    if (command == 0) {
        sigprocmask(SIG_SETMASK, &before, NULL);
        execvp(words[0], words);
        int error = errno;
        say(words[0]);
        _exit(error == ENOENT ? NOT_FOUND : NOT_EXECUTABLE);
    }
    if (command < 0)
        say("no process can be started");
    else
        pass_signals_on();
    sigprocmask(SIG_SETMASK, &before, NULL);
    int code = command < 0 ? NOT_EXECUTABLE : wait_for_command();
    trouble = grouped ? own_cgroup_leave(&group) : NULL;
    if (trouble)
        say(trouble);
    return code;
}
