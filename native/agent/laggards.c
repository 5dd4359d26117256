#define _GNU_SOURCE
#include "laggards.h"

#include <stdatomic.h>

#include "ladder.h"
#include "libjvm.h"
#include "self.h"

static long thread_state_offset;
static int state_in_native, state_blocked;
static atomic_bool retired;

bool laggards_prepare(void)
{
    thread_state_offset = libjvm_offset("JavaThread", "_thread_state");
    state_in_native = libjvm_constant("_thread_in_native", 4);
    state_blocked = libjvm_constant("_thread_blocked", 10);
    return thread_state_offset >= 0;
}

void laggards_retire(void)
{
    atomic_store(&retired, true);
}

/* HotSpot's JavaThreadState. Who has no JavaThread is coming or going, in the JVM. */
static int state_of(const struct ledger_view *view)
{
    return view->java_thread ? *(volatile int *)((char *)view->java_thread + thread_state_offset) : 0;
}

static bool is_lower(const struct ledger_view *view, const struct turn *turn)
{
    return view->kind < LEDGER_KIND_VM_THREAD && view->id != turn->waiter.id && level_rank(view->now) < turn->rank;
}

static int rank_if_awaited(const struct ledger_view *view, void *context)
{
    const struct turn *turn = context;
    int state = state_of(view);
    return is_lower(view, turn) && state != state_in_native && state != state_blocked ? turn->rank : 0;
}

static int rank_if_in_critical_section(const struct ledger_view *view, void *context)
{
    const struct turn *turn = context;
    bool inside = view->critical_sections && *view->critical_sections > 0;
    return is_lower(view, turn) && inside ? turn->rank : 0;
}

struct next {
    const struct turn *turn;
    int skip;
};

static int rank_if_next(const struct ledger_view *view, void *context)
{
    struct next *next = context;
    if (!is_lower(view, next->turn) || state_of(view) == state_in_native)
        return 0;
    return next->skip-- <= 0 ? next->turn->rank : 0;
}

bool turn_begin(struct turn *turn)
{
    turn->raised_count = 0;
    if (atomic_load(&retired) || !ledger_look(self_entry(), &turn->waiter) || !level_is_real_time(turn->waiter.own))
        return false;
    /*
     * Below the waiter, who has to get the CPU back to end the turn; and below its own level, since what it is owed at the
     * moment can end before the turn does, and then those whom it raised would keep it from the CPU.
     */
    int below = level_rank(turn->waiter.own) - 1;
    int laggard = RANK_REAL_TIME + ladder.laggard;
    turn->rank = below < laggard ? below : laggard;
    return turn->rank > RANK_REAL_TIME;
}

int turn_raise_all(struct turn *turn, enum laggards which)
{
    int count =
        ledger_raise_where(which == AWAITED ? rank_if_awaited : rank_if_in_critical_section, turn, turn->waiter.id,
                           turn->raised + turn->raised_count, MOST_LAGGARDS - turn->raised_count);
    turn->raised_count += count;
    return count;
}

void turn_raise_next(struct turn *turn, int *done)
{
    struct next next = {turn, *done};
    int count = ledger_raise_where(rank_if_next, &next, turn->waiter.id, turn->raised + turn->raised_count, 1);
    if (count == 0 && *done > 0) { /* all have had theirs: from the beginning */
        *done = 0;
        next.skip = 0;
        count = ledger_raise_where(rank_if_next, &next, turn->waiter.id, turn->raised + turn->raised_count, 1);
    }
    turn->raised_count += count;
    *done += count;
}

void turn_end(struct turn *turn)
{
    for (int i = 0; i < turn->raised_count; i++)
        ledger_settle(turn->raised[i], turn->waiter.id);
    turn->raised_count = 0;
}
