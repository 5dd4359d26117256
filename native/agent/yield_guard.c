#define _GNU_SOURCE
#include "yield_guard.h"

#include <stdbool.h>
#include <stdint.h>
#include <time.h>

#include "self.h"

/* So many yields in a row make a loop, if they follow each other within LOOP_GAP_NS on the average. */
#define YIELDS_IN_A_ROW 32
#define LOOP_GAP_NS (YIELDS_IN_A_ROW * 50000LL)

/* How long it sleeps to let others run, and how often it tries where nobody wants the CPU: 2.5 % of the time. */
#define NAP_NS 50000
#define TRY_AGAIN_NS 2000000LL

struct yield_loop {
    int yields;       /* since the last look */
    int64_t looked;   /* when that was */
    int64_t next_nap; /* not before this */
    bool naps_help;   /* the last nap let another thread of this process run */
};

static __thread struct yield_loop loop __attribute__((tls_model("initial-exec")));

static int64_t process_cpu_ns(void)
{
    struct timespec time;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
    return time.tv_sec * 1000000000LL + time.tv_nsec;
}

/*
 * Sleeps, and says whether another thread of the process ran meanwhile that had not run before. The kernel adds the
 * time of threads that run on other CPUs at their ticks, milliseconds at once: such a step is more than one CPU can do
 * during the nap, and says nothing; then the last answer stands.
 */
static bool nap(bool last_answer)
{
    int64_t cpu = process_cpu_ns();
    int64_t start = monotonic_ns();
    struct timespec time = {0, NAP_NS};
    clock_nanosleep(CLOCK_MONOTONIC, 0, &time, NULL);
    int64_t slept = monotonic_ns() - start;
    cpu = process_cpu_ns() - cpu;
    if (cpu > slept + slept / 2)
        return last_answer;
    return cpu > slept / 2;
}

static bool is_real_time(void)
{
    struct ledger_view view;
    return ledger_look(self_entry(), &view) && level_is_real_time(view.now);
}

void yield_guard_after_yield(void)
{
    if (++loop.yields < YIELDS_IN_A_ROW && !loop.naps_help)
        return;
    int64_t now = monotonic_ns();
    bool in_a_row = now - loop.looked < LOOP_GAP_NS;
    loop.looked = now;
    loop.yields = 0;
    if (!in_a_row) {
        loop.naps_help = false;
        loop.next_nap = now;
        return;
    }
    if ((now < loop.next_nap && !loop.naps_help) || !is_real_time())
        return;
    loop.naps_help = nap(loop.naps_help);
    loop.looked = monotonic_ns();
    loop.next_nap = loop.looked + TRY_AGAIN_NS;
}
