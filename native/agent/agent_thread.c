#define _GNU_SOURCE
#include "agent_thread.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <string.h>
#include <sys/prctl.h>
#include <unistd.h>

#include "birth.h"
#include "jvm_threads.h"
#include "ladder.h"
#include "report.h"
#include "runaway_guard.h"
#include "stuck_calls.h"

/* Makers write newcomers into the pipe; the agent's thread reads them. The kernel does the queueing. */
static int queue[2] = {-1, -1};

static int sooner(int ms, int other)
{
    return other < 0 || (ms >= 0 && ms < other) ? ms : other;
}

static void wait_for_news(void)
{
    int ms = sooner(jvm_threads_timeout_ms(), sooner(stuck_calls_timeout_ms(), runaway_guard_timeout_ms()));
    struct pollfd poller = {.fd = queue[0], .events = POLLIN};
    struct newcomer newcomer;
    if (poll(&poller, 1, ms) > 0 && read(queue[0], &newcomer, sizeof newcomer) == (ssize_t)sizeof newcomer &&
        newcomer.id)
        jvm_threads_accept(&newcomer);
}

static void *attend(void *unused)
{
    (void)unused;
    prctl(PR_SET_NAME, "ayatori");
    for (;;) {
        wait_for_news();
        jvm_threads_look();
        stuck_calls_look();
        runaway_guard_look();
    }
    return NULL;
}

void agent_thread_start(void)
{
    pthread_t thread;
    sigset_t all, before;
    if (pipe2(queue, O_CLOEXEC | O_NONBLOCK) != 0) {
        report_lack("cannot follow the JVM's threads: no pipe (%s)", errno_name(errno));
        return;
    }
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before); /* the program's signals are the JVM's to handle */
    int error = pthread_create(&thread, NULL, attend, NULL);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    if (error) {
        report_lack("cannot follow the JVM's threads: no thread (%s)", errno_name(error));
        return;
    }
    /* From here: by itself it might not get the CPU to do so. */
    ledger_enter(&(struct ledger_thread){
        .tid = birth_tid_of(thread),
        .kind = LEDGER_KIND_JVM_OTHER,
        .own = ladder_level(&ladder, LEDGER_KIND_JVM_OTHER, 0, false),
        .now = ladder.launch,
        .name = "ayatori",
    });
}

void agent_thread_announce(ledger_id id, const char *comm_at_birth)
{
    struct newcomer newcomer = {.id = id};
    strncpy(newcomer.comm_at_birth, comm_at_birth, COMM_SIZE - 1);
    /* Less than PIPE_BUF: whole or not at all. A full pipe would mean hundreds of births that nobody attended to. */
    if (write(queue[1], &newcomer, sizeof newcomer) < 0)
        report_line("a thread of the JVM stays where it was born: %s", strerror(errno));
}

void agent_thread_wake(void)
{
    struct newcomer nobody = {.id = 0};
    /* A full pipe wakes it as well. */
    if (write(queue[1], &nobody, sizeof nobody) < 0 && errno != EAGAIN)
        report_line("the agent's thread cannot be woken: %s", strerror(errno));
}
