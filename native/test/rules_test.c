/* Rules: what a file says, which rule is a thread's, and each mistake with the line that it is in. */
#define _GNU_SOURCE
#include "rules.h"

#include <fcntl.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "options.h"
#include "unit.h"

static struct ladder l;
static char message[600];
static char path[] = "/tmp/ayatori-rules-XXXXXX";

static void write_file(const char *text, size_t length)
{
    int fd = open(path, O_WRONLY | O_TRUNC);
    if (fd < 0 || write(fd, text, length) != (ssize_t)length)
        abort();
    close(fd);
}

static const struct rules *read_rules(const char *text)
{
    write_file(text, strlen(text));
    message[0] = '\0';
    const struct rules *rules = rules_read(path, &l, 1, message, sizeof message);
    if (!rules)
        printf("%s\n", message);
    return rules;
}

static bool refused_bytes(const char *text, size_t length, int line, const char *part)
{
    char place[100];
    write_file(text, length);
    message[0] = '\0';
    const struct rules *rules = rules_read(path, &l, 1, message, sizeof message);
    int place_length = snprintf(place, sizeof place, "%s:%d: ", path, line);
    bool good = !rules && strncmp(message, place, (size_t)place_length) == 0 && strstr(message, part);
    if (!good)
        printf("%s: accepted %d, message: %s\n", text, rules != NULL, message);
    rules_free(rules);
    return good;
}

/* Refused at that line, with a message that has `part` in it. */
static bool refused(const char *text, int line, const char *part)
{
    return refused_bytes(text, strlen(text), line, part);
}

static bool same_level(struct level expected, struct level actual)
{
    if (!level_equals(expected, actual))
        printf("level %d %d, not %d %d\n", actual.policy, actual.value, expected.policy, expected.value);
    return level_equals(expected, actual);
}

CASE(nothing_is_no_rule)
{
    static const char *const texts[] = {"", "\n\n", "# only a comment\n; and another", "\xEF\xBB\xBF\r\n"};
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        const struct rules *rules = read_rules(texts[i]);
        CHECK(rules && rules->count == 0);
        CHECK(!rules_match(rules, LEDGER_KIND_JAVA, "main", "main"));
        rules_free(rules);
    }
    CHECK(!rules_match(NULL, LEDGER_KIND_JAVA, "main", "main"));
}

CASE(each_key_says_what_it_means)
{
    const struct rules *rules = read_rules("[Thread a]\n"
                                           "CPUSchedulingPolicy=rr\n"
                                           " CPUSchedulingPriority = 18 # a comment\r\n"
                                           "[Thread b]\nCPUSchedulingPolicy=deadline\nDeadlineRuntime=2ms\n"
                                           "DeadlineDeadline=9000us\nDeadlinePeriod=10000000ns\n"
                                           "[Group c]\nNice=-5\nIOSchedulingClass=idle\nIOSchedulingPriority=6\n"
                                           "[Kind compiler]\nCPUSchedulingPolicy=batch\nCPUAffinity=0\n"
                                           "[Thread d]\nCPUSchedulingPolicy=idle\nIOSchedulingClass=best-effort\n");
    CHECK(rules && rules->count == 5);
    if (!rules)
        return;
    const struct rule *r = rules->rules;
    CHECK(r[0].policy == SCHED_RR && r[0].value == 18 && !r[0].pins && r[0].io_priority == RULE_LEAVES_IO);
    CHECK(rule_schedules(&r[0]) && !rule_timing(&r[0]));
    CHECK(r[1].policy == SCHED_DEADLINE);
    CHECK_EQUAL(2000000, r[1].timing.runtime);
    CHECK_EQUAL(9000000, r[1].timing.deadline);
    CHECK_EQUAL(10000000, r[1].timing.period);
    CHECK(rule_timing(&r[1]) == &r[1].timing);
    CHECK(r[2].policy == SCHED_OTHER && r[2].value == -5); /* nice alone makes it an ordinary thread */
    CHECK_EQUAL(3 << 13 | 6, r[2].io_priority);
    CHECK(r[3].policy == SCHED_BATCH && r[3].pins && CPU_ISSET(0, &r[3].cpus) && CPU_COUNT(&r[3].cpus) == 1);
    CHECK(r[4].policy == SCHED_IDLE);
    CHECK_EQUAL(2 << 13 | 4, r[4].io_priority);
    CHECK(rules->by_group && rules->pins && rules->sets_io && rules->real_time);
    rules_free(rules);
}

CASE(a_deadline_is_the_period_where_it_is_left_out)
{
    const struct rules *rules =
        read_rules("[Thread t]\nCPUSchedulingPolicy=deadline\nDeadlineRuntime=1s\nDeadlinePeriod=2s\n");
    CHECK(rules && rules->rules[0].timing.deadline == 2000000000);
    rules_free(rules);
}

CASE(the_first_section_that_matches_counts)
{
    const struct rules *rules =
        read_rules("[Thread http-admin]\n" /* says nothing: so the policy does */
                   "[Thread http-*]\nNice=1\n[Group batch-?]\nNice=2\n[Kind gc-worker]\nNice=3\n"
                   "[Thread [ACTIVE] 'x' #*]\nNice=4\n[Kind java]\nNice=5\n");
    if (!rules) {
        CHECK(rules);
        return;
    }
    const struct rule *r = rules->rules;
    CHECK(rules_match(rules, LEDGER_KIND_JAVA, "http-admin", "main") == &r[0] && !rule_schedules(&r[0]));
    CHECK(rules_match(rules, LEDGER_KIND_JAVA, "http-", "main") == &r[1]);
    CHECK(rules_match(rules, LEDGER_KIND_JAVA, "http-8080-exec-1", "batch-1") == &r[1]);
    CHECK(rules_match(rules, LEDGER_KIND_JAVA, "x", "batch-1") == &r[2]);
    CHECK(rules_match(rules, LEDGER_KIND_JAVA, "x", "batch-\xE7\xB6\xBE") == &r[2]); /* one character */
    CHECK(rules_match(rules, LEDGER_KIND_JAVA, "x", "batch-10") == &r[5]);
    CHECK(rules_match(rules, LEDGER_KIND_GC_WORKER, NULL, NULL) == &r[3]);
    CHECK(rules_match(rules, LEDGER_KIND_JAVA, "[ACTIVE] 'x' #1", "main") == &r[4]);
    CHECK(rules_match(rules, LEDGER_KIND_JAVA, "xhttp-", "main") == &r[5]);
    CHECK(!rules_match(rules, LEDGER_KIND_CARRIER, "ForkJoinPool-1-worker-1", "CarrierThreads"));
    CHECK(!rules_match(rules, LEDGER_KIND_COMPILER, NULL, NULL));
    rules_free(rules);
}

CASE(stars_try_every_place)
{
    const struct rules *rules = read_rules("[Thread *-pool-*-x*y]\nNice=1\n");
    if (!rules) {
        CHECK(rules);
        return;
    }
    CHECK(rules_match(rules, LEDGER_KIND_JAVA, "a-pool-pool-1-x-xyzy", NULL));
    CHECK(rules_match(rules, LEDGER_KIND_JAVA, "-pool--xy", NULL));
    CHECK(!rules_match(rules, LEDGER_KIND_JAVA, "a-pool-1-xyz", NULL));
    CHECK(!rules_match(rules, LEDGER_KIND_JAVA, "", NULL));
    rules_free(rules);
}

CASE(what_is_left_out_stays_as_the_ladder_says)
{
    struct level nice2 = {SCHED_OTHER, 2};
    struct level rr16 = {SCHED_RR, 16};
    const struct rules *rules = read_rules("[Thread pinned]\nCPUAffinity=0\n[Thread batch]\nCPUSchedulingPolicy=batch\n"
                                           "[Thread rt]\nCPUSchedulingPolicy=fifo\nCPUSchedulingPriority=3\n"
                                           "[Thread nice]\nCPUSchedulingPolicy=batch\nNice=7\n");
    if (!rules) {
        CHECK(rules);
        return;
    }
    const struct rule *r = rules->rules;
    l.launch = (struct level){SCHED_OTHER, 1};
    CHECK(same_level(rr16, rule_level(NULL, &l, LEDGER_KIND_JAVA, rr16)));
    CHECK(same_level(rr16, rule_level(&r[0], &l, LEDGER_KIND_JAVA, rr16)));
    CHECK(same_level((struct level){SCHED_BATCH, 2}, rule_level(&r[1], &l, LEDGER_KIND_JAVA, nice2)));
    CHECK(same_level((struct level){SCHED_BATCH, 1}, rule_level(&r[1], &l, LEDGER_KIND_JAVA, rr16)));
    CHECK(same_level((struct level){SCHED_FIFO, 3}, rule_level(&r[2], &l, LEDGER_KIND_JAVA, nice2)));
    CHECK(same_level((struct level){SCHED_BATCH, 7}, rule_level(&r[3], &l, LEDGER_KIND_JAVA, nice2)));
    /* Once Java threads are folded, no rule raises one; the JVM's own stay. */
    l.folded = LEDGER_FOLDED_RUNAWAY;
    CHECK(same_level(nice2, rule_level(&r[2], &l, LEDGER_KIND_JAVA, nice2)));
    CHECK(same_level((struct level){SCHED_FIFO, 3}, rule_level(&r[2], &l, LEDGER_KIND_COMPILER, nice2)));
    l.folded = 0;
    /* Nor without the VM Thread above it. */
    l.policy = LEDGER_POLICY_NICE;
    CHECK(same_level(nice2, rule_level(&r[2], &l, LEDGER_KIND_JAVA, nice2)));
    CHECK(same_level((struct level){SCHED_BATCH, 7}, rule_level(&r[3], &l, LEDGER_KIND_JAVA, nice2)));
    l.policy = LEDGER_POLICY_MIXED;
    l.launch.value = 0;
    rules_free(rules);
}

CASE(lines_that_are_none)
{
    CHECK(refused("[Thread a]\nNice=1\n\n# x\nwhat\n", 5, "\"what\""));
    CHECK(refused("Nice=1\n", 1, "before the first section"));
    CHECK(refused("[Thread a\n", 1, "does not end with ]"));
    CHECK(refused("[Thread a]\n[Threads b]\n", 2, "[Threads b]"));
    CHECK(refused("[Thread]\n", 1, "[Thread NAME]"));
    CHECK(refused("[thread a]\n", 1, "[Thread NAME]"));
    CHECK(refused("[]\n", 1, "[Thread NAME]"));
    CHECK(refused("[Kind gc]\n", 1, "gc-worker"));
    CHECK(refused("[Thread a]\nColour=red\n", 2, "unknown key Colour"));
    CHECK(refused("[Thread a]\nnice=1\n", 2, "unknown key nice"));
    CHECK(refused_bytes("[Thread a]\nNice=1\0\n", 19, 2, "NUL"));
}

CASE(what_is_there_twice)
{
    CHECK(refused("[Thread a]\nNice=1\n[Thread b]\n[Thread a]\n", 4, "[Thread a] is there already"));
    CHECK(refused("[Kind compiler]\n[Kind  compiler]\n", 2, "there already"));
    CHECK(refused("[Thread a]\nNice=1\n\nNice=1\n", 4, "Nice= is in line 2"));
}

CASE(values_out_of_their_range)
{
    CHECK(refused("[Thread a]\nCPUSchedulingPolicy=RR\n", 2, "one of other, batch, idle, fifo, rr, deadline"));
    CHECK(refused("[Thread a]\nNice=20\n", 2, "-20 (first) to 19"));
    CHECK(refused("[Thread a]\nNice=\n", 2, "-20 (first) to 19"));
    CHECK(refused("[Thread a]\nNice=1.5\n", 2, "Nice=1.5"));
    CHECK(refused("[Thread a]\nNice=4294967296\n", 2, "-20 (first) to 19"));
    CHECK(refused("[Thread a]\nSliceTime=10\n", 2, "its unit"));
    CHECK(refused("[Thread a]\nSliceTime=ms\n", 2, "its unit"));
    CHECK(refused("[Thread a]\nSliceTime=99us\n", 2, "100us to 100ms"));
    CHECK(refused("[Thread a]\nSliceTime=101ms\n", 2, "100us to 100ms"));
    CHECK(refused("[Thread a]\nIOSchedulingClass=rt\n", 2, "realtime, best-effort, idle"));
    CHECK(refused("[Thread a]\nIOSchedulingClass=idle\nIOSchedulingPriority=8\n", 3, "0 (first) to 7"));
    CHECK(refused("[Thread a]\nCPUAffinity=\n", 2, "a list of CPUs"));
    CHECK(refused("[Thread a]\nCPUAffinity=1-0\n", 2, "a list of CPUs"));
    CHECK(refused("[Thread a]\nCPUAffinity=all\n", 2, "a list of CPUs"));
    CHECK(refused("[Thread a]\nCPUAffinity=0 1023\n", 2, "there is no CPU 1023"));
    CHECK(refused("[Thread a]\nCPUAffinity=0-5000\n", 2, "there is no CPU 5000"));
}

CASE(values_without_their_policy)
{
    CHECK(refused("[Thread a]\nCPUSchedulingPriority=5\n", 2, "belongs to CPUSchedulingPolicy=rr or fifo"));
    CHECK(refused("[Thread a]\nCPUSchedulingPriority=5\nCPUSchedulingPolicy=batch\n", 2, "rr or fifo"));
    CHECK(refused("[Thread a]\nCPUSchedulingPolicy=rr\n[Thread b]\n", 2, "needs a CPUSchedulingPriority="));
    CHECK(refused("[Thread a]\nCPUSchedulingPolicy=rr\nCPUSchedulingPriority=5\nNice=1\n", 4, "other and batch"));
    CHECK(refused("[Thread a]\nCPUSchedulingPolicy=idle\nNice=1\n", 3, "other and batch"));
    CHECK(refused("[Thread a]\nCPUSchedulingPolicy=fifo\nCPUSchedulingPriority=5\nSliceTime=1ms\n", 4, "batch"));
    CHECK(refused("[Thread a]\nDeadlinePeriod=5ms\n", 2, "DeadlinePeriod= belongs to"));
    CHECK(refused("[Thread a]\nNice=1\nDeadlineRuntime=5ms\n", 3, "DeadlineRuntime= belongs to"));
    CHECK(refused("[Thread a]\nIOSchedulingPriority=5\n", 2, "belongs to an IOSchedulingClass="));
}

CASE(deadlines_that_cannot_be)
{
#define DEADLINE "[Thread a]\nCPUSchedulingPolicy=deadline\n"
    CHECK(refused(DEADLINE "DeadlineRuntime=1ms\n", 2, "needs DeadlineRuntime= and DeadlinePeriod="));
    CHECK(refused(DEADLINE "DeadlinePeriod=1ms\n", 2, "needs DeadlineRuntime= and DeadlinePeriod="));
    CHECK(refused(DEADLINE "DeadlineRuntime=1023ns\nDeadlinePeriod=1ms\n", 3, "1024ns at least"));
    CHECK(refused(DEADLINE "DeadlineRuntime=2ms\nDeadlinePeriod=1ms\n", 3, "longer than DeadlinePeriod="));
    CHECK(refused(DEADLINE "DeadlineRuntime=2ms\nDeadlineDeadline=1ms\nDeadlinePeriod=3ms\n", 3,
                  "longer than DeadlineDeadline="));
    CHECK(refused(DEADLINE "DeadlineRuntime=2ms\nDeadlineDeadline=4ms\nDeadlinePeriod=3ms\n", 4,
                  "DeadlineDeadline= is longer than DeadlinePeriod="));
    CHECK(refused(DEADLINE "DeadlineRuntime=1ms\nDeadlinePeriod=999s\n", 4, "on this host"));
    CHECK(refused(DEADLINE "DeadlineRuntime=2us\nDeadlinePeriod=3us\n", 4, "on this host"));
    CHECK(refused(DEADLINE "CPUAffinity=0\nDeadlineRuntime=1ms\nDeadlinePeriod=10ms\n", 3,
                  "a DEADLINE thread cannot be pinned (the kernel would answer EBUSY or EPERM)"));
    CHECK(refused(DEADLINE "DeadlineRuntime=1ms\nDeadlinePeriod=10ms\nNice=1\n", 5, "other and batch"));
}

#define RR(value) "CPUSchedulingPolicy=rr\nCPUSchedulingPriority=" #value "\n"

CASE(no_java_thread_reaches_the_vm_thread)
{
    const struct rules *rules = read_rules("[Thread a]\n" RR(24) "[Kind compiler]\n" RR(25));
    CHECK(rules);
    rules_free(rules);
    CHECK(refused("[Thread a]\n" RR(25), 3, "it is 1 to 24 here; the VM Thread stands at 25"));
    CHECK(refused("[Group a]\n" RR(99), 3, "--band LOW-HIGH"));
    CHECK(refused("[Kind java-system]\n" RR(25), 3, "1 to 24"));
    CHECK(refused("[Kind gc-worker]\n" RR(26), 3, "1 to 25"));
    CHECK(refused("[Thread a]\n" RR(0), 3, "1 to 24"));
    CHECK(refused("[Thread a]\n" RR(x), 3, "1 to 24"));
    CHECK(refused("[Kind vm-thread]\nCPUAffinity=0\nNice=1\n", 3, "the VM Thread stands above all others"));
    CHECK(refused("[Kind vm-thread]\nSliceTime=1ms\n", 2, "policy mixed"));
    l.policy = LEDGER_POLICY_NICE;
    CHECK(refused("[Thread a]\n" RR(5), 2, "take policy mixed or static"));
    rules = read_rules("[Kind vm-thread]\nNice=-5\n");
    CHECK(rules);
    rules_free(rules);
    l.policy = LEDGER_POLICY_MIXED;
}

/* As the agent and the command ask: with a band, and a path that has everything in it. */
static bool option_refused(const char *options, const char *part)
{
    char text[200];
    snprintf(text, sizeof text, options, path);
    message[0] = '\0';
    bool good = ayatori_options_check(text, message, sizeof message) != 0 && strstr(message, part);
    if (!good)
        printf("%s: %s\n", text, message);
    return good;
}

CASE(rules_are_the_last_option)
{
    write_file("[Thread a]\n" RR(18), strlen("[Thread a]\n" RR(18)));
    CHECK(option_refused("band=30-45,rules=%s", "it is 30 to 44 here; the band begins at 30"));
    write_file("[Thread a]\n" RR(40), strlen("[Thread a]\n" RR(40)));
    CHECK(option_refused("policy=static,rules=%s", "1 to 24"));
    CHECK(option_refused("band=30-40,rules=%s", "30 to 39"));
    char text[100];
    snprintf(text, sizeof text, "band=30-49,rules=%s", path);
    CHECK_EQUAL(0, ayatori_options_check(text, message, sizeof message));
    write_file("[Thread a]\n" RR(29), strlen("[Thread a]\n" RR(29)));
    CHECK(option_refused("band=30-49,rules=%s", "30 to 48"));
    CHECK(option_refused("rules=%s,strict", ",strict: No such file"));
    CHECK(option_refused("rules=", "cannot read rules : No such file"));
    CHECK(option_refused("rules=/tmp", "cannot read rules /tmp: Is a directory"));
    CHECK_EQUAL(0, ayatori_options_check("policy=nice", message, sizeof message));
    CHECK(option_refused("policy=fast", "unknown policy"));
}

int main(void)
{
    int fd = mkstemp(path);
    if (fd < 0)
        abort();
    close(fd);
    ladder_defaults(&l, (struct level){SCHED_OTHER, 0});
    RUN(nothing_is_no_rule);
    RUN(each_key_says_what_it_means);
    RUN(a_deadline_is_the_period_where_it_is_left_out);
    RUN(the_first_section_that_matches_counts);
    RUN(stars_try_every_place);
    RUN(what_is_left_out_stays_as_the_ladder_says);
    RUN(lines_that_are_none);
    RUN(what_is_there_twice);
    RUN(values_out_of_their_range);
    RUN(values_without_their_policy);
    RUN(deadlines_that_cannot_be);
    RUN(no_java_thread_reaches_the_vm_thread);
    RUN(rules_are_the_last_option);
    unlink(path);
    return verdict();
}
