#define _GNU_SOURCE
#include "options.h"

#include <sched.h>
#include <string.h>

#include "unit.h"

static struct ladder chosen;
static bool strict;
static char message[300];

static bool parse(const char *text)
{
    ladder_defaults(&chosen, (struct level){SCHED_OTHER, 0});
    strict = false;
    message[0] = '\0';
    return options_parse(text, &chosen, &strict, message, sizeof message);
}

/* Refused, with a message that has `part` in it, and nothing changed. */
static bool refused(const char *text, const char *part)
{
    struct ladder before;
    ladder_defaults(&before, (struct level){SCHED_OTHER, 0});
    bool accepted = parse(text);
    bool same = chosen.policy == before.policy && chosen.rt_policy == before.rt_policy &&
                chosen.placement == before.placement && chosen.paper_values == before.paper_values && !strict;
    if (accepted || !same || !strstr(message, part))
        printf("%s: accepted %d, unchanged %d, message: %s\n", text, accepted, same, message);
    return !accepted && same && strstr(message, part);
}

CASE(nothing_means_the_defaults)
{
    static const char *const nothing[] = {NULL, ""};
    for (int i = 0; i < 2; i++) {
        CHECK(parse(nothing[i]));
        CHECK_EQUAL(LEDGER_POLICY_MIXED, chosen.policy);
        CHECK_EQUAL(SCHED_RR, chosen.rt_policy);
        CHECK(chosen.placement && !chosen.paper_values && !strict);
    }
}

CASE(every_policy_is_known)
{
    static const char *const texts[] = {"policy=none", "policy=nice", "policy=static", "policy=mixed"};
    for (int policy = LEDGER_POLICY_NONE; policy <= LEDGER_POLICY_MIXED; policy++) {
        CHECK(parse(texts[policy]));
        CHECK_EQUAL(policy, chosen.policy);
    }
}

CASE(options_are_separated_by_commas)
{
    CHECK(parse("policy=static,rt=fifo,values=paper,placement=off,strict"));
    CHECK_EQUAL(LEDGER_POLICY_STATIC, chosen.policy);
    CHECK_EQUAL(SCHED_FIFO, chosen.rt_policy);
    CHECK(chosen.paper_values && !chosen.placement && strict);
}

CASE(rungs_take_a_value_up_to_the_cap)
{
    CHECK(parse("compiler=0,concurrent-gc=1,gc-worker=28,vm-thread=29"));
    CHECK_EQUAL(0, chosen.rungs[LEDGER_KIND_COMPILER]);
    CHECK_EQUAL(1, chosen.rungs[LEDGER_KIND_CONCURRENT_GC]);
    CHECK_EQUAL(28, chosen.rungs[LEDGER_KIND_GC_WORKER]);
    CHECK_EQUAL(LADDER_RT_CAP, chosen.rungs[LEDGER_KIND_VM_THREAD]);
    CHECK(refused("compiler=30", "30"));
    CHECK(refused("compiler=-1", "-1"));
    CHECK(refused("compiler=", "rung"));
    CHECK(refused("compiler=4294967297", "4294967297"));
}

CASE(mistakes_are_named)
{
    CHECK(refused("policy=fast", "unknown policy \"fast\""));
    CHECK(refused("policy", "unknown policy"));
    CHECK(refused("policy=mixe", "\"mixe\""));
    CHECK(refused("policy=mixedd", "\"mixedd\""));
    CHECK(refused("rt=other", "\"other\""));
    CHECK(refused("values=1", "\"1\""));
    CHECK(refused("placement=maybe", "\"maybe\""));
    CHECK(refused("colour=red", "\"colour\""));
    CHECK(refused("strict=no", "\"strict\""));
}

CASE(a_late_mistake_undoes_what_came_before)
{
    CHECK(refused("policy=none,rt=fifo,strict,placement=off,values=paper,x", "\"x\""));
}

CASE(a_long_mistake_is_cut)
{
    char text[2000];
    memset(text, 'x', sizeof text - 1);
    text[sizeof text - 1] = '\0';
    CHECK(!parse(text));
    CHECK(strlen(message) < sizeof message);
}

int main(void)
{
    RUN(nothing_means_the_defaults);
    RUN(every_policy_is_known);
    RUN(options_are_separated_by_commas);
    RUN(rungs_take_a_value_up_to_the_cap);
    RUN(mistakes_are_named);
    RUN(a_late_mistake_undoes_what_came_before);
    RUN(a_long_mistake_is_cut);
    return verdict();
}
