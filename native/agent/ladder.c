#define _GNU_SOURCE
#include "ladder.h"

#include <sched.h>
#include <stddef.h>

struct ladder ladder;

static const int nice_of[LADDER_MAX_JAVA_PRIORITY + 1] = {
    0,
    LADDER_NICE_1,
    LADDER_NICE_2,
    LADDER_NICE_3,
    LADDER_NICE_4,
    LADDER_NICE_5,
    LADDER_NICE_6,
    LADDER_NICE_7,
    LADDER_NICE_8,
    LADDER_NICE_9,
    LADDER_NICE_10,
};

void ladder_defaults(struct ladder *l, struct level launch)
{
    *l = (struct ladder){
        .policy = LEDGER_POLICY_MIXED,
        .rt_policy = SCHED_RR,
        .placement = true,
        .laggard = LADDER_RT_LAGGARD,
        .java_top = LADDER_RT_STEP * LADDER_MAX_JAVA_PRIORITY,
        .java_step = LADDER_RT_STEP,
        .launch = launch,
        .runaway_limit = DEFAULT_RUNAWAY_LIMIT,
    };
    l->rungs[LEDGER_KIND_VM_THREAD] = LADDER_RT_VM_THREAD;
    l->rungs[LEDGER_KIND_GC_WORKER] = LADDER_RT_GC_WORKER;
    l->rungs[LEDGER_KIND_CONCURRENT_GC] = LADDER_RT_CONCURRENT_GC;
    l->rungs[LEDGER_KIND_COMPILER] = LADDER_RT_COMPILER;
    l->rungs[LEDGER_KIND_JVM_OTHER] = LADDER_RT_LAGGARD;
}

const char *ladder_policy_name(int policy)
{
    static const char *const names[] = {"none", "nice", "static", "mixed"};
    return policy >= 0 && policy <= LEDGER_POLICY_MIXED ? names[policy] : NULL;
}

bool ladder_is_real_time(const struct ladder *l)
{
    return l->policy == LEDGER_POLICY_STATIC || l->policy == LEDGER_POLICY_MIXED;
}

bool ladder_orders_waits(const struct ladder *l)
{
    return ladder_is_real_time(l) && l->placement;
}

bool ladder_set_band(struct ladder *l, int low, int high, int *needed)
{
    /* How far the JVM's own threads reach above Java priority 10, and how many Java priorities are real-time. */
    const int rungs = LADDER_RT_VM_THREAD - LADDER_RT_STEP * LADDER_MAX_JAVA_PRIORITY;
    int levels = LADDER_MAX_JAVA_PRIORITY - (l->policy == LEDGER_POLICY_STATIC ? 0 : LADDER_NORM_JAVA_PRIORITY);
    int values = high - low + 1;
    *needed = levels + rungs;
    if (values < *needed)
        return false;
    int shift = high - LADDER_RT_VM_THREAD;
    l->band_low = low;
    l->band_high = high;
    l->java_step = values >= levels * LADDER_RT_STEP + rungs ? LADDER_RT_STEP : 1;
    l->java_top = high - rungs;
    l->laggard = LADDER_RT_LAGGARD + shift;
    l->rungs[LEDGER_KIND_VM_THREAD] = LADDER_RT_VM_THREAD + shift;
    l->rungs[LEDGER_KIND_GC_WORKER] = LADDER_RT_GC_WORKER + shift;
    l->rungs[LEDGER_KIND_CONCURRENT_GC] = LADDER_RT_CONCURRENT_GC + shift;
    l->rungs[LEDGER_KIND_COMPILER] = LADDER_RT_COMPILER + shift;
    l->rungs[LEDGER_KIND_JVM_OTHER] = LADDER_RT_LAGGARD + shift;
    return true;
}

int ladder_lent_rank(const struct ladder *l, int rank)
{
    return rank < RANK_DEADLINE ? rank - 1 : RANK_REAL_TIME + l->laggard;
}

static struct level real_time_level(const struct ladder *l, int java_priority)
{
    int below_top = LADDER_MAX_JAVA_PRIORITY - java_priority;
    return (struct level){l->rt_policy, l->paper_values ? java_priority : l->java_top - l->java_step * below_top};
}

/* nice is relative to the launch's, so that `nice -n 10 ayatori run …` keeps the whole program below others. */
static struct level nice_level(const struct ladder *l, int java_priority)
{
    int base = l->launch.policy == SCHED_OTHER ? l->launch.value : 0;
    int value = base + nice_of[java_priority];
    return (struct level){SCHED_OTHER, value < -20 ? -20 : value > 19 ? 19 : value};
}

struct level ladder_folded_level(const struct ladder *l)
{
    bool ordinary = !level_is_real_time(l->launch) || l->folded == LEDGER_FOLDED_END;
    return ordinary ? l->launch : (struct level){SCHED_OTHER, 0};
}

struct level ladder_hotspot_level(const struct ladder *l, struct level launch, int java_priority)
{
    return l->hotspot_sets_nice && java_priority > 0 ? nice_level(l, java_priority) : launch;
}

void ladder_put_in_force(const struct ladder *chosen)
{
    unsigned generation = atomic_load(&ladder.generation);
    ladder = *chosen;
    atomic_store(&ladder.generation, generation + 1);
}

static struct level java_level(const struct ladder *l, unsigned kind, int java_priority)
{
    if (java_priority < LADDER_MIN_JAVA_PRIORITY || java_priority > LADDER_MAX_JAVA_PRIORITY)
        java_priority = LADDER_NORM_JAVA_PRIORITY;
    if (l->folded)
        return ladder_folded_level(l);
    switch (l->policy) {
    case LEDGER_POLICY_NICE: return nice_level(l, java_priority);
    case LEDGER_POLICY_STATIC: return real_time_level(l, java_priority);
    case LEDGER_POLICY_MIXED:
        /* Finalizer, Reference Handler and their like have priorities above 5 that no user asked for: they do
         * everybody's housekeeping, at any length, and stay with the ordinary threads. */
        if (kind == LEDGER_KIND_JAVA_SYSTEM && java_priority > LADDER_NORM_JAVA_PRIORITY)
            java_priority = LADDER_NORM_JAVA_PRIORITY;
        return java_priority > LADDER_NORM_JAVA_PRIORITY ? real_time_level(l, java_priority)
                                                         : nice_level(l, java_priority);
    default: return l->launch;
    }
}

struct level ladder_level(const struct ladder *l, unsigned kind, int java_priority, bool ends_vm)
{
    bool jvm_own = kind >= LEDGER_KIND_VM_THREAD;
    bool placed = ladder_orders_waits(l);
    if (placed && ends_vm)
        return (struct level){l->rt_policy, l->laggard};
    if (!jvm_own)
        return java_level(l, kind, java_priority);
    if (placed && kind <= LEDGER_KIND_JVM_OTHER && l->rungs[kind] > 0)
        return (struct level){l->rt_policy, l->rungs[kind]};
    return l->launch;
}
