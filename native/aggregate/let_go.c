/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * While a scheduler of sched_ext leaves, threads are born under the kernel's own already, which comes first, and the others change
 * over only when the kernel has waited for all that are being born, and for RCU, whose thread is among those others. Up to Linux 6.18
 * nothing gives these any CPU as long as newborn ones compute on all: one that does not end, and none of the others runs
 * ever again. A thread whose policy is set changes over at once.
 */
#define _GNU_SOURCE
#include "let_go.h"

#include "loading.h"

#include <bpf/bpf.h>
#include <ctype.h>
#include <dirent.h>
#include <pthread.h>
#include <sched.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

/* Most leave within a tenth of it. */
enum { PATIENCE_SECONDS = 1, OWN_PRIORITY = 1 };

static void change_over(pid_t thread)
{
    int now = sched_getscheduler(thread);
    int policy = now & ~SCHED_RESET_ON_FORK;
    if (now < 0 || policy == SCHED_FIFO || policy == SCHED_RR || policy == SCHED_DEADLINE)
        return; /* gone, or under neither of the two */
    struct sched_param none = {0};
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
        for_each_number("/proc", change_threads_over);
        pthread_setcancelstate(PTHREAD_CANCEL_ENABLE, NULL);
    }
    return NULL;
}

/* Real-time: it is to run when they do not. 0, or why there is none. */
static int start_helper(pthread_t *helper)
{
    struct sched_param parameter = {.sched_priority = OWN_PRIORITY};
    pthread_attr_t attributes;
    pthread_attr_init(&attributes);
    pthread_attr_setinheritsched(&attributes, PTHREAD_EXPLICIT_SCHED);
    pthread_attr_setschedpolicy(&attributes, SCHED_FIFO);
    pthread_attr_setschedparam(&attributes, &parameter);
    int error = pthread_create(helper, &attributes, help, NULL);
    pthread_attr_destroy(&attributes);
    return error;
}

void let_go(int link)
{
    pthread_t helper;
    int error = start_helper(&helper);
    if (error)
        refused("starting a real-time thread that helps the scheduler out", error);
    bpf_link_detach(link);
    if (!error) {
        pthread_cancel(helper);
        pthread_join(helper, NULL);
    }
}
