#define _GNU_SOURCE
#include "laggards.h"

#include <limits.h>
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

static bool belongs(const struct ledger_view *view, enum laggards which)
{
    int state = state_of(view);
    switch (which) {
    case NOT_IN_NATIVE: return state != state_in_native;
    case AWAITED: return state != state_in_native && state != state_blocked;
    case IN_CRITICAL_SECTION: return view->signs && view->signs->critical_sections > 0;
    case IN_SHORT_CALL: return view->signs && view->signs->short_calls % 2 != 0;
    case ANYWHERE: return true;
    }
    return false;
}

/* Whom to raise: those of a kind, `skip` of them left out. */
struct selection {
    const struct turn *turn;
    enum laggards which;
    int skip;
    int found;
};

static int rank_if_selected(const struct ledger_view *view, void *context)
{
    struct selection *selection = context;
    bool found = is_lower(view, selection->turn) && belongs(view, selection->which);
    selection->found += found;
    return found && selection->found > selection->skip ? selection->turn->rank : 0;
}

bool turn_begin(struct turn *turn)
{
    turn->raised_count = 0;
    if (atomic_load(&retired) || self_rank() <= RANK_REAL_TIME || !ledger_look(self_entry(), &turn->waiter) ||
        level_rank(turn->waiter.own) <= RANK_REAL_TIME)
        return false;
    /*
     * Below the waiter, who has to get the CPU back to end the turn; and below its own level, since what it is owed at the
     * moment can end before the turn does, and then those whom it raised would keep it from the CPU.
     */
    int below = ladder_lent_rank(&ladder, level_rank(turn->waiter.own));
    int laggard = RANK_REAL_TIME + ladder.laggard;
    turn->rank = below < laggard ? below : laggard;
    return turn->rank > RANK_REAL_TIME;
}

static int raise_selected(struct turn *turn, struct selection selection, int most)
{
    int room = MOST_LAGGARDS - turn->raised_count;
    int count = ledger_raise_where(rank_if_selected, &selection, turn->waiter.id, turn->raised + turn->raised_count,
                                   most < room ? most : room);
    turn->raised_count += count;
    return count;
}

int turn_raise_all(struct turn *turn, enum laggards which)
{
    return raise_selected(turn, (struct selection){turn, which, 0, 0}, MOST_LAGGARDS);
}

bool turn_finds(struct turn *turn, enum laggards which)
{
    struct selection nobody = {turn, which, INT_MAX, 0};
    ledger_raise_where(rank_if_selected, &nobody, turn->waiter.id, NULL, 1);
    return nobody.found > 0;
}

void turn_raise_next(struct turn *turn, enum laggards which, int *done)
{
    int count = raise_selected(turn, (struct selection){turn, which, *done, 0}, 1);
    if (count == 0 && *done > 0) { /* all have had theirs: from the beginning */
        *done = 0;
        count = raise_selected(turn, (struct selection){turn, which, 0, 0}, 1);
    }
    *done += count;
}

void turn_end(struct turn *turn)
{
    for (int i = 0; i < turn->raised_count; i++)
        ledger_settle(turn->raised[i], turn->waiter.id);
    turn->raised_count = 0;
}
