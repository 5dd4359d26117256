#define _GNU_SOURCE
#include "ladder.h"

#include <sched.h>
#include <string.h>

#include "unit.h"

static struct ladder with_policy(int policy)
{
    struct ladder chosen;
    ladder_defaults(&chosen, (struct level){SCHED_OTHER, 0});
    chosen.policy = policy;
    return chosen;
}

static int rank_of(const struct ladder *chosen, unsigned kind, int java_priority)
{
    return level_rank(ladder_level(chosen, kind, java_priority, false));
}

static void check_level(int policy, int value, struct level actual)
{
    CHECK_EQUAL(policy, actual.policy);
    CHECK_EQUAL(value, actual.value);
}

CASE(every_policy_keeps_the_order_of_java_priorities)
{
    for (int policy = LEDGER_POLICY_NICE; policy <= LEDGER_POLICY_MIXED; policy++) {
        struct ladder chosen = with_policy(policy);
        for (int p = LADDER_MIN_JAVA_PRIORITY; p < LADDER_MAX_JAVA_PRIORITY; p++)
            CHECK(rank_of(&chosen, LEDGER_KIND_JAVA, p) < rank_of(&chosen, LEDGER_KIND_JAVA, p + 1));
    }
}

CASE(neighbours_leave_room_for_one_who_inherits)
{
    struct ladder chosen = with_policy(LEDGER_POLICY_STATIC);
    for (int p = LADDER_MIN_JAVA_PRIORITY; p < LADDER_MAX_JAVA_PRIORITY; p++)
        CHECK(rank_of(&chosen, LEDGER_KIND_JAVA, p + 1) - rank_of(&chosen, LEDGER_KIND_JAVA, p) >= 2);
}

CASE(the_jvms_own_threads_stand_above_every_java_thread)
{
    static const int policies[] = {LEDGER_POLICY_STATIC, LEDGER_POLICY_MIXED};
    for (int i = 0; i < 2; i++) {
        struct ladder chosen = with_policy(policies[i]);
        int top = rank_of(&chosen, LEDGER_KIND_JAVA, LADDER_MAX_JAVA_PRIORITY);
        for (unsigned kind = LEDGER_KIND_VM_THREAD; kind <= LEDGER_KIND_JVM_OTHER; kind++) {
            CHECK(rank_of(&chosen, kind, 0) > top);
            CHECK(rank_of(&chosen, kind, 0) <= RANK_REAL_TIME + LADDER_RT_CAP);
        }
        CHECK(rank_of(&chosen, LEDGER_KIND_VM_THREAD, 0) > rank_of(&chosen, LEDGER_KIND_GC_WORKER, 0));
    }
}

CASE(without_placement_the_jvms_own_threads_stay)
{
    struct ladder chosen = with_policy(LEDGER_POLICY_STATIC);
    chosen.placement = false;
    for (unsigned kind = LEDGER_KIND_VM_THREAD; kind <= LEDGER_KIND_JVM_OTHER; kind++)
        check_level(SCHED_OTHER, 0, ladder_level(&chosen, kind, 0, false));
}

CASE(a_rung_of_zero_is_left_alone)
{
    struct ladder chosen = with_policy(LEDGER_POLICY_STATIC);
    chosen.rungs[LEDGER_KIND_COMPILER] = 0;
    check_level(SCHED_OTHER, 0, ladder_level(&chosen, LEDGER_KIND_COMPILER, 0, false));
}

CASE(mixed_is_real_time_above_norm_priority_only)
{
    struct ladder chosen = with_policy(LEDGER_POLICY_MIXED);
    check_level(SCHED_OTHER, LADDER_NICE_5, ladder_level(&chosen, LEDGER_KIND_JAVA, 5, false));
    check_level(SCHED_RR, 6 * LADDER_RT_STEP, ladder_level(&chosen, LEDGER_KIND_JAVA, 6, false));
    check_level(SCHED_OTHER, LADDER_NICE_5, ladder_level(&chosen, LEDGER_KIND_JAVA_SYSTEM, 10, false));
}

CASE(static_and_mixed_agree_on_real_time_values)
{
    struct ladder all = with_policy(LEDGER_POLICY_STATIC), some = with_policy(LEDGER_POLICY_MIXED);
    for (int p = LADDER_NORM_JAVA_PRIORITY + 1; p <= LADDER_MAX_JAVA_PRIORITY; p++)
        CHECK_EQUAL(rank_of(&all, LEDGER_KIND_JAVA, p), rank_of(&some, LEDGER_KIND_JAVA, p));
}

CASE(the_papers_values_are_the_java_priorities)
{
    struct ladder chosen = with_policy(LEDGER_POLICY_STATIC);
    chosen.paper_values = true;
    chosen.rt_policy = SCHED_FIFO;
    for (int p = LADDER_MIN_JAVA_PRIORITY; p <= LADDER_MAX_JAVA_PRIORITY; p++)
        check_level(SCHED_FIFO, p, ladder_level(&chosen, LEDGER_KIND_JAVA, p, false));
}

CASE(nice_is_relative_to_the_launch_and_within_linux_bounds)
{
    struct ladder chosen = with_policy(LEDGER_POLICY_NICE);
    chosen.launch.value = 10;
    check_level(SCHED_OTHER, 10 + LADDER_NICE_9, ladder_level(&chosen, LEDGER_KIND_JAVA, 9, false));
    chosen.launch.value = 19;
    check_level(SCHED_OTHER, 19, ladder_level(&chosen, LEDGER_KIND_JAVA, 1, false));
    chosen.launch.value = -20;
    check_level(SCHED_OTHER, -20, ladder_level(&chosen, LEDGER_KIND_JAVA, 10, false));
}

CASE(none_is_the_launchs_level)
{
    struct ladder chosen = with_policy(LEDGER_POLICY_NONE);
    chosen.launch = (struct level){SCHED_OTHER, 7};
    for (int p = LADDER_MIN_JAVA_PRIORITY; p <= LADDER_MAX_JAVA_PRIORITY; p++)
        check_level(SCHED_OTHER, 7, ladder_level(&chosen, LEDGER_KIND_JAVA, p, false));
}

CASE(a_priority_out_of_range_counts_as_the_norm)
{
    struct ladder chosen = with_policy(LEDGER_POLICY_STATIC);
    CHECK_EQUAL(rank_of(&chosen, LEDGER_KIND_JAVA, 5), rank_of(&chosen, LEDGER_KIND_JAVA, 0));
    CHECK_EQUAL(rank_of(&chosen, LEDGER_KIND_JAVA, 5), rank_of(&chosen, LEDGER_KIND_JAVA, 11));
}

CASE(ranks_and_levels_are_inverse)
{
    for (int nice = -20; nice <= 19; nice++) {
        struct level level = {SCHED_OTHER, nice};
        CHECK(level_equals(level, level_of_rank(level_rank(level), SCHED_RR)));
    }
    for (int value = 1; value <= 99; value++) {
        struct level level = {SCHED_RR, value};
        CHECK(level_equals(level, level_of_rank(level_rank(level), SCHED_RR)));
    }
    CHECK(level_rank((struct level){SCHED_OTHER, -20}) < level_rank((struct level){SCHED_FIFO, 1}));
}

CASE(policies_have_names)
{
    CHECK(strcmp(ladder_policy_name(LEDGER_POLICY_MIXED), "mixed") == 0);
    CHECK(ladder_policy_name(LEDGER_POLICY_MIXED + 1) == NULL);
    CHECK(ladder_policy_name(-1) == NULL);
}

int main(void)
{
    RUN(every_policy_keeps_the_order_of_java_priorities);
    RUN(neighbours_leave_room_for_one_who_inherits);
    RUN(the_jvms_own_threads_stand_above_every_java_thread);
    RUN(without_placement_the_jvms_own_threads_stay);
    RUN(a_rung_of_zero_is_left_alone);
    RUN(mixed_is_real_time_above_norm_priority_only);
    RUN(static_and_mixed_agree_on_real_time_values);
    RUN(the_papers_values_are_the_java_priorities);
    RUN(nice_is_relative_to_the_launch_and_within_linux_bounds);
    RUN(none_is_the_launchs_level);
    RUN(a_priority_out_of_range_counts_as_the_norm);
    RUN(ranks_and_levels_are_inverse);
    RUN(policies_have_names);
    return verdict();
}
