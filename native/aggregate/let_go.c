/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * While a scheduler of sched_ext leaves, threads are born under the kernel's own already, which comes first, and the others change
 * over only when the kernel has waited for all that are being born, and for RCU, whose thread is among those others. Up to Linux 6.18
 * nothing gives these any CPU as long as newborn ones compute on all: one that does not end, and none of the others runs
 * ever again. A thread whose parameters are set changes over at once.
 */
#define _GNU_SOURCE
#include "let_go.h"

#include "members.h"

#include <bpf/bpf.h>
#include <ctype.h>
#include <dirent.h>
#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

/* Most leave within a tenth of it. */
enum { PATIENCE_SECONDS = 1, OWN_PRIORITY = 1, STACK_BYTES = 256 << 10 };

/* Files of /sys/kernel/sched_ext, open. */
static int state;
static int switch_all;

/* Or only those with the policy SCHED_EXT are under it. */
static bool is_for_all;
/* Whether it has been tried in vain to leave policies as they are. */
static bool in_vain;

static bool says(int file, const char *word)
{
    char line[32] = "";
    return pread(file, line, sizeof line - 1, 0) > 0 && strncmp(line, word, strlen(word)) == 0;
}

/* One that becomes real-time meanwhile stays so: it is refused the parameters of an ordinary one. They do not move one that is
 * SCHED_IDLE, or has a slice of its own: that one has another policy for a moment. */
static void change_over(pid_t thread)
{
    static const struct sched_param none;
    int now = sched_getscheduler(thread);
    int policy = now & ~SCHED_RESET_ON_FORK;
    if (now < 0 || policy == SCHED_FIFO || policy == SCHED_RR || policy == SCHED_DEADLINE ||
        (!is_for_all && policy != EXT_POLICY))
        return; /* gone, or not under it */
    if (policy != SCHED_IDLE && !in_vain) {
        sched_setparam(thread, &none);
        return;
    }
    int other = policy == SCHED_BATCH ? SCHED_OTHER : SCHED_BATCH;
    if (sched_setscheduler(thread, other | (now & SCHED_RESET_ON_FORK), &none) == 0)
        sched_setscheduler(thread, now, &none);
}

/* Does something for each number that is a name in a folder. */
static void for_each_number(const char *path, void (*some)(pid_t))
{
    DIR *folder = opendir(path);
    const struct dirent *entry;
    while (folder && (entry = readdir(folder)))
        if (isdigit((unsigned char)*entry->d_name))
            some((pid_t)strtol(entry->d_name, NULL, 10));
    if (folder)
        closedir(folder);
}

static void change_threads_over(pid_t process)
{
    char path[64];
    snprintf(path, sizeof path, "/proc/%d/task", process);
    for_each_number(path, change_over);
}

static void *help(void *unused)
{
    struct timespec pause = {.tv_sec = PATIENCE_SECONDS};
    (void)unused;
    for (;;) {
        nanosleep(&pause, NULL);
        pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, NULL);
        /* Not before: as long as all threads are to be under it the kernel does not look at any that are not. */
        if (says(state, "disabling") && says(switch_all, "0")) {
            for_each_number("/proc", change_threads_over);
            in_vain = true;
        }
        pthread_setcancelstate(PTHREAD_CANCEL_ENABLE, NULL);
    }
    return NULL;
}

/* Real-time, and all that it needs in memory: it is to run when those do not that would bring that. 0, or why there is none. */
static int start_helper(pthread_t *helper)
{
    struct sched_param parameter = {.sched_priority = OWN_PRIORITY};
    pthread_attr_t attributes;
    pthread_attr_init(&attributes);
    pthread_attr_setinheritsched(&attributes, PTHREAD_EXPLICIT_SCHED);
    pthread_attr_setschedpolicy(&attributes, SCHED_FIFO);
    pthread_attr_setschedparam(&attributes, &parameter);
    pthread_attr_setstacksize(&attributes, STACK_BYTES);
    mlockall(MCL_CURRENT | MCL_FUTURE);
    int error = pthread_create(helper, &attributes, help, NULL);
    pthread_attr_destroy(&attributes);
    return error;
}

void let_go(int link, bool for_all)
{
    sigset_t all;
    sigset_t before;
    sigfillset(&all);
    pthread_sigmask(SIG_BLOCK, &all, &before);
    state = open("/sys/kernel/sched_ext/state", O_RDONLY | O_CLOEXEC);
    switch_all = open("/sys/kernel/sched_ext/switch_all", O_RDONLY | O_CLOEXEC);
    is_for_all = for_all;
    pthread_t helper;
    int error = start_helper(&helper);
    if (error)
        fprintf(stderr,
                "no real-time thread can be had that helps threads over to the kernel's own scheduler (%s): they have "
                "to get there by themselves\n",
                strerror(error));
    bpf_link_detach(link);
    if (!error) {
        pthread_cancel(helper);
        pthread_join(helper, NULL);
    }
    close(state);
    close(switch_all);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
}
