#define _GNU_SOURCE
#include "runaway_guard.h"

#include <time.h>

#include "java_threads.h"
#include "ladder.h"
#include "ledger_page.h"
#include "report.h"
#include "self.h"
#include "task_stat.h"

#define LOOKS_PER_LIMIT 10
#define TAKEN_PERCENT 85

/* A look that has less than this of a CPU taken begins the limit anew. */
#define BUSY_PERCENT 40

/* More threads, or CPUs with a higher number, are not looked at. */
#define MOST_RUNNERS 4096
#define MOST_CPUS 1024

/* Who had less than this part of the time between two looks is not asked which CPU it is on. */
#define IDLE_PERCENT 5

struct runner {
    ledger_id id;
    pid_t tid;
    struct level level;
    int64_t cpu_ns; /* since its birth */
};

/* Those of the last look, the youngest first, as the ledger lists them: their ids fall. */
static struct runner runners[2][MOST_RUNNERS];
static int counts[2];
static int now; /* which of the two is the present look's */

static struct {
    int64_t ns[LOOKS_PER_LIMIT]; /* that real-time threads had of it between two looks, the last ones in a ring */
    int busy_looks;              /* in a row at which they had a good part of it */
    struct runner worst;         /* of the last look */
    int64_t worst_ns;
} cpus[MOST_CPUS];

static int slot; /* of the present look in the rings */
static int64_t last_look, last_process_ns;

static int64_t clock_ns(clockid_t clock)
{
    struct timespec time;
    return clock_gettime(clock, &time) == 0 ? time.tv_sec * 1000000000LL + time.tv_nsec : -1;
}

/* A thread's CPU time, by the id that linux/posix-timers.h makes of its tid. -1: it ended. */
static int64_t cpu_time_of(pid_t tid)
{
    return clock_ns((clockid_t)(~(unsigned)tid << 3 | 6));
}

static int note_runner(const struct ledger_view *view, void *unused)
{
    (void)unused;
    if (view->kind < LEDGER_KIND_VM_THREAD && level_is_real_time(view->now) && counts[now] < MOST_RUNNERS)
        runners[now][counts[now]++] = (struct runner){view->id, view->tid, view->now, 0};
    return 0;
}

/* -1: it ended, or its CPU's number is too high. */
static int cpu_of(pid_t tid)
{
    struct task_stat stat;
    const char *digit = task_stat_field(&stat, tid, TASK_CPU);
    int cpu = *digit ? 0 : -1;
    for (; *digit >= '0' && *digit <= '9'; digit++)
        cpu = cpu * 10 + (*digit - '0');
    return cpu < MOST_CPUS ? cpu : -1;
}

static void charge(const struct runner *runner, int64_t ns)
{
    int cpu = cpu_of(runner->tid);
    if (cpu < 0)
        return;
    cpus[cpu].ns[slot] += ns;
    if (ns > cpus[cpu].worst_ns) {
        cpus[cpu].worst_ns = ns;
        cpus[cpu].worst = *runner;
    }
}

/* Reads what each had since the last look, and charges it to its CPU. */
static void measure(int64_t elapsed)
{
    const struct runner *before = runners[1 - now];
    const struct runner *end = before + counts[1 - now];
    for (int i = 0; i < counts[now]; i++) {
        struct runner *runner = &runners[now][i];
        runner->cpu_ns = cpu_time_of(runner->tid);
        while (before < end && before->id > runner->id)
            before++;
        bool known = before < end && before->id == runner->id;
        int64_t ns = known && runner->cpu_ns >= 0 ? runner->cpu_ns - before->cpu_ns : 0;
        if (ns * 100 > elapsed * IDLE_PERCENT)
            charge(runner, ns);
    }
}

static void act(int cpu)
{
    char name[LEDGER_NAME_SIZE];
    char level[LEVEL_TEXT];
    const struct runner *worst = &cpus[cpu].worst;
    ledger_name(worst->id, name);
    java_threads_fold(LEDGER_FOLDED_RUNAWAY);
    report_line(
        "runaway guard: real-time threads took CPU %d for %d s, thread %d \"%s\" at %s above all; all Java threads "
        "are ordinary ones from here on; if that is their work, give them more time: runaway-limit=SECONDS, 0 for "
        "no guard",
        cpu, ladder.runaway_limit, worst->tid, name, level_text(worst->level, level));
}

/*
 * By the sum of the last looks, since one alone may meet the gap that the kernel's throttling makes each second. All of
 * them have to be busy ones, or the limit would not be over yet.
 */
static bool is_taken(int cpu, int64_t elapsed)
{
    bool busy = cpus[cpu].ns[slot] * 100 >= elapsed * BUSY_PERCENT;
    int64_t sum = 0;
    cpus[cpu].busy_looks = busy ? cpus[cpu].busy_looks + 1 : 0;
    for (int i = 0; i < LOOKS_PER_LIMIT; i++)
        sum += cpus[cpu].ns[i];
    return cpus[cpu].busy_looks >= LOOKS_PER_LIMIT && sum * 100 >= ladder.runaway_limit * 1000000000LL * TAKEN_PERCENT;
}

static void judge(int64_t elapsed)
{
    for (int cpu = 0; cpu < MOST_CPUS; cpu++) {
        if (is_taken(cpu, elapsed)) {
            act(cpu);
            return;
        }
    }
}

static bool guards(void)
{
    return ladder.runaway_limit > 0 && !ladder.folded && ladder_orders_waits(&ladder);
}

static int64_t look_ns(void)
{
    return ladder.runaway_limit * (1000000000LL / LOOKS_PER_LIMIT);
}

int runaway_guard_timeout_ms(void)
{
    if (!guards())
        return -1;
    int64_t left = last_look + look_ns() - monotonic_ns();
    return left > 0 ? (int)(left / 1000000) + 1 : 0;
}

void runaway_guard_look(void)
{
    int64_t time = monotonic_ns();
    int64_t elapsed = time - last_look;
    if (!guards() || elapsed < look_ns())
        return;
    last_look = time;
    int64_t process_ns = clock_ns(CLOCK_PROCESS_CPUTIME_ID);
    bool may_have_taken_one = (process_ns - last_process_ns) * 100 >= elapsed * BUSY_PERCENT;
    last_process_ns = process_ns;
    now = 1 - now;
    counts[now] = 0;
    slot = (slot + 1) % LOOKS_PER_LIMIT;
    for (int cpu = 0; cpu < MOST_CPUS; cpu++) {
        cpus[cpu].ns[slot] = 0;
        cpus[cpu].worst_ns = 0;
    }
    if (may_have_taken_one) {
        ledger_id nobody;
        ledger_raise_where(note_runner, NULL, 0, &nobody, 1);
        measure(elapsed);
    }
    judge(elapsed);
}
