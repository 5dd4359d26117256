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

CASE(a_band_holds_the_whole_ladder)
{
    CHECK(parse("band=10-29")); /* mixed: five Java priorities with room between them, and five rungs */
    CHECK_EQUAL(2, chosen.java_step);
    CHECK_EQUAL(24, ladder_level(&chosen, LEDGER_KIND_JAVA, 10, false).value);
    CHECK_EQUAL(16, ladder_level(&chosen, LEDGER_KIND_JAVA, 6, false).value);
    CHECK_EQUAL(29, ladder_level(&chosen, LEDGER_KIND_VM_THREAD, 0, false).value);
    CHECK_EQUAL(25, ladder_level(&chosen, LEDGER_KIND_COMPILER, 0, false).value);
    CHECK_EQUAL(27, ladder_level(&chosen, LEDGER_KIND_JAVA_SYSTEM, 9, true).value);
    CHECK(chosen.band_low == 10 && chosen.band_high == 29);
    CHECK(parse("band=10-29,policy=static")); /* ten: no room between */
    CHECK_EQUAL(1, chosen.java_step);
    CHECK_EQUAL(24, ladder_level(&chosen, LEDGER_KIND_JAVA, 10, false).value);
    CHECK_EQUAL(15, ladder_level(&chosen, LEDGER_KIND_JAVA, 1, false).value);
    CHECK(parse("policy=static,band=1-25")); /* the ladder as it is */
    CHECK_EQUAL(2, ladder_level(&chosen, LEDGER_KIND_JAVA, 1, false).value);
    CHECK_EQUAL(LADDER_RT_VM_THREAD, chosen.rungs[LEDGER_KIND_VM_THREAD]);
    CHECK(parse("policy=nice,band=1-2")); /* nothing is real-time */
    CHECK(refused("policy=static,band=10-23", "too narrow for policy static, which takes 15 values"));
    CHECK(parse("policy=static,band=10-24"));
    CHECK(refused("band=10-18", "takes 10 values"));
    CHECK(refused("band=30", "no band \"30\""));
    CHECK(refused("band=29-10", "no band"));
    CHECK(refused("band=0-29", "no band"));
    CHECK(refused("band=40-50", "from 1 to 49"));
    CHECK(refused("band=10-29,values=paper", "paper's values"));
}

CASE(the_runaway_limit_is_in_seconds)
{
    CHECK(parse(""));
    CHECK_EQUAL(DEFAULT_RUNAWAY_LIMIT, chosen.runaway_limit);
    CHECK(parse("runaway-limit=3600"));
    CHECK_EQUAL(3600, chosen.runaway_limit);
    CHECK(parse("policy=static,runaway-limit=0"));
    CHECK_EQUAL(0, chosen.runaway_limit);
    CHECK(refused("runaway-limit=3601", "no runaway limit \"3601\""));
    CHECK(refused("runaway-limit=", "no runaway limit \"\""));
    CHECK(refused("runaway-limit=-1", "no runaway limit \"-1\""));
    CHECK(refused("runaway-limit=1.5", "from 1 to 3600"));
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
    RUN(a_band_holds_the_whole_ladder);
    RUN(the_runaway_limit_is_in_seconds);
    RUN(rungs_take_a_value_up_to_the_cap);
    RUN(mistakes_are_named);
    RUN(a_late_mistake_undoes_what_came_before);
    RUN(a_long_mistake_is_cut);
    return verdict();
}
