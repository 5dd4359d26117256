#define _GNU_SOURCE
#include "stuck_calls.h"

#include <dlfcn.h>
#include <stdatomic.h>
#include <time.h>

#include "agent_thread.h"
#include "laggards.h"
#include "redirect.h"
#include "self.h"
#include "task_stat.h"

/* Who is in the same call at two looks is preempted in there, or waits for somebody who is. */
#define LOOK_MS 10

/* So many looks without a call in between, and nobody looks until there is one. */
#define LOOKS_WITHOUT_CALLS 10

/* A turn, and how many a look gives at most: a call takes microseconds, with fresh memory to be zeroed some hundred;
 * a library that is loaded takes milliseconds, and so some looks. */
#define RELEASE_NS 100000
#define MOST_TURNS 10

#define MOST_CALLERS 64

static void *(*malloc_original)(size_t);
static void *(*realloc_original)(void *, size_t);
static void (*free_original)(void *);
static void *(*dlopen_original)(const char *, int);
static void *(*dlsym_original)(void *, const char *);

static atomic_bool watched;

void short_call_begin(void)
{
    self_ask();
    self.signs.short_calls++;
    if (!atomic_load_explicit(&watched, memory_order_relaxed) && !atomic_exchange(&watched, true))
        agent_thread_wake();
}

void short_call_end(void)
{
    self.signs.short_calls++;
}

static void *malloc_hook(size_t size)
{
    short_call_begin();
    void *memory = malloc_original(size);
    short_call_end();
    return memory;
}

static void *realloc_hook(void *memory, size_t size)
{
    short_call_begin();
    void *larger = realloc_original(memory, size);
    short_call_end();
    return larger;
}

static void free_hook(void *memory)
{
    short_call_begin();
    free_original(memory);
    short_call_end();
}

/* The dynamic linker has one lock for the process, for looking up a native method as for loading a library. */
static void *dlopen_hook(const char *file, int mode)
{
    short_call_begin();
    void *library = dlopen_original(file, mode);
    short_call_end();
    return library;
}

static void *dlsym_hook(void *library, const char *symbol)
{
    short_call_begin();
    void *address = dlsym_original(library, symbol);
    short_call_end();
    return address;
}

bool stuck_calls_hook(void)
{
    const char *libjvm = "libjvm.so";
    return redirect_calls(libjvm, "malloc", (void *)malloc_hook, (void **)&malloc_original) &&
           redirect_calls(libjvm, "realloc", (void *)realloc_hook, (void **)&realloc_original) &&
           redirect_calls(libjvm, "free", (void *)free_hook, (void **)&free_original) &&
           redirect_calls(libjvm, "dlopen", (void *)dlopen_hook, (void **)&dlopen_original) &&
           redirect_calls(libjvm, "dlsym", (void *)dlsym_hook, (void **)&dlsym_original);
}

struct caller {
    ledger_id id;
    pid_t tid;
    int rank; /* of its own level */
    unsigned calls;
};

/* Who was in a call at the last look, and the sum of all counts then. */
static struct look {
    struct caller callers[MOST_CALLERS];
    int count;
    unsigned calls;
} last;

static int looks_without_calls;
static int64_t next_look;
static int done; /* how many of those who are in no call that we see have had a turn */

static int note_caller(const struct ledger_view *view, void *context)
{
    struct look *look = context;
    unsigned calls = view->signs ? view->signs->short_calls : 0;
    look->calls += calls;
    if (calls % 2 != 0 && look->count < MOST_CALLERS)
        look->callers[look->count++] = (struct caller){view->id, view->tid, level_rank(view->own), calls};
    return 0;
}

static void look_around(struct look *look)
{
    ledger_id nobody;
    look->count = 0;
    look->calls = 0;
    ledger_raise_where(note_caller, look, 0, &nobody, 1);
}

/* Whether it sleeps, for a lock or in the kernel, rather than wants the CPU. */
static bool sleeps(pid_t tid)
{
    struct task_stat stat;
    char state = *task_stat_field(&stat, tid, TASK_STATE);
    return state == 'S' || state == 'D';
}

static bool was_in_the_same_call(const struct caller *caller)
{
    for (int i = 0; i < last.count; i++)
        if (last.callers[i].id == caller->id && last.callers[i].calls == caller->calls)
            return true;
    return false;
}

/* A real-time thread that has slept in one call since the last look, NULL if there is none. */
static const struct caller *find_waiter(const struct look *look)
{
    for (int i = 0; i < look->count; i++) {
        const struct caller *caller = &look->callers[i];
        if (caller->rank > RANK_REAL_TIME && was_in_the_same_call(caller) && sleeps(caller->tid))
            return caller;
    }
    return NULL;
}

static bool still_waits(const struct caller *waiter)
{
    struct ledger_view view;
    return ledger_look(waiter->id, &view) && view.signs && view.signs->short_calls == waiter->calls;
}

/* Whoever else holds the lock called malloc by itself, from a native library: it may be any of the lower ones. */
static void give_turns(const struct caller *waiter)
{
    for (int i = 0; i < MOST_TURNS && still_waits(waiter); i++) {
        struct turn turn;
        if (!turn_begin(&turn))
            return;
        if (turn_raise_all(&turn, IN_SHORT_CALL) == 0 || i % 2 != 0)
            turn_raise_next(&turn, ANYWHERE, &done);
        clock_nanosleep(CLOCK_MONOTONIC, 0, &(struct timespec){0, RELEASE_NS}, NULL);
        turn_end(&turn);
    }
}

int stuck_calls_timeout_ms(void)
{
    return atomic_load(&watched) ? LOOK_MS : -1;
}

void stuck_calls_look(void)
{
    int64_t now = monotonic_ns();
    if (!atomic_load(&watched) || now < next_look)
        return;
    next_look = now + LOOK_MS * 1000000LL;
    struct look look;
    look_around(&look);
    looks_without_calls = look.calls == last.calls && look.count == 0 ? looks_without_calls + 1 : 0;
    if (looks_without_calls >= LOOKS_WITHOUT_CALLS) {
        atomic_store(&watched, false);
        look_around(&look); /* once more: a call may have begun that did not wake us */
        atomic_store(&watched, look.calls != last.calls);
    }
    const struct caller *waiter = find_waiter(&look);
    if (waiter)
        give_turns(waiter);
    last = look;
}
