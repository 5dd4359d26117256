/* SPDX-License-Identifier: GPL-2.0-only */
#define _GNU_SOURCE
#include "bring_back.h"

#include "command.h"
#include "loading.h"
#include "members.h"

#include <bpf/bpf.h>
#include <bpf/libbpf.h>
#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

/* members.bpf.o, put into this program by object.S. */
extern const char members_object[];
extern const char members_object_end[];

/* Who is born of a real-time thread often gets a priority of its own at once; and the list costs what the host has threads. */
enum { PAUSE_MS = 20, READ_AT_ONCE = 256, LEAST_NICE = 19 };

static struct bpf_object *object;
static struct bpf_link *list;
static struct ring_buffer *calls;
static pthread_t worker;

static void put(const struct misplaced *found)
{
    int now = sched_getscheduler(found->thread);
    int policy = now & ~SCHED_RESET_ON_FORK;
    if (now < 0 || policy == SCHED_DEADLINE)
        return; /* gone, or where it belongs by now */
    /* Who wants to run only when nobody else does would go before all threads of the run. */
    if (policy == SCHED_IDLE)
        setpriority(PRIO_PROCESS, found->thread, LEAST_NICE);
    struct sched_param parameter = {.sched_priority = found->priority};
    if (sched_setscheduler(found->thread, found->policy | (now & SCHED_RESET_ON_FORK), &parameter) != 0 &&
        errno != ESRCH)
        say("a thread cannot be brought back under the scheduler");
}

/* If there were any. */
static bool put_all(void)
{
    struct misplaced found[READ_AT_ONCE];
    int iterator = bpf_iter_create(bpf_link__fd(list));
    if (iterator < 0) {
        say("threads cannot be brought back under the scheduler");
        return false;
    }
    bool any = false;
    ssize_t size;
    while ((size = read(iterator, found, sizeof found)) > 0) {
        any = true;
        for (size_t i = 0; i < (size_t)size / sizeof *found; i++)
            put(&found[i]);
    }
    close(iterator);
    return any;
}

static int hear(void *unused, void *call, size_t size)
{
    (void)unused, (void)call, (void)size;
    return 0;
}

static void *work(void *unused)
{
    struct timespec pause = {.tv_nsec = PAUSE_MS * 1000000L};
    (void)unused;
    int heard;
    while ((heard = ring_buffer__poll(calls, -1)) >= 0 || heard == -EINTR) {
        pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, NULL);
        nanosleep(&pause, NULL);
        if (put_all())
            put_all(); /* who has become real-time in that moment, and so is not any more */
        pthread_setcancelstate(PTHREAD_CANCEL_ENABLE, NULL);
    }
    return NULL;
}

/* The main thread gets the signals. */
static int start_worker(void)
{
    sigset_t all;
    sigset_t before;
    sigfillset(&all);
    pthread_sigmask(SIG_BLOCK, &all, &before);
    int error = pthread_create(&worker, NULL, work, NULL);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return error;
}

static struct bpf_link *attach(const char *program)
{
    return bpf_program__attach(bpf_object__find_program_by_name(object, program));
}

int bring_back_start(void)
{
    LIBBPF_OPTS(bpf_object_open_opts, options, .object_name = "ayatori_members");
    object = bpf_object__open_mem(members_object, members_object_end - members_object, &options);
    if (!object)
        return refused("opening the programs that know the threads of a run", errno);
    int error = bpf_object__load(object);
    if (!error) {
        list = attach("list");
        calls = ring_buffer__new(bpf_object__find_map_fd_by_name(object, "calls"), hear, NULL, NULL);
        error = list && calls && attach("born") && attach("policy_set") ? start_worker() : errno;
    }
    return error ? refused("starting the programs that know the threads of a run", error < 0 ? -error : error) : 0;
}

_Bool bring_back_me(void)
{
    member_asked me = ASKED(EXT_POLICY, 0);
    int thread = (int)syscall(SYS_pidfd_open, getpid(), 0);
    if (thread >= 0 &&
        bpf_map_update_elem(bpf_object__find_map_fd_by_name(object, "members"), &thread, &me, BPF_ANY) == 0) {
        close(thread);
        return true;
    }
    say("threads that leave the scheduler will not be brought back");
    return false;
}

void bring_back_stop(void)
{
    pthread_cancel(worker);
    pthread_join(worker, NULL);
}
