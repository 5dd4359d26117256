/* The ledger against the real kernel: each case has a thread of its own that sleeps while its level is changed. */
#define _GNU_SOURCE
#include "ledger.h"

#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "ladder.h"
#include "ledger_page.h"
#include "pins.h"
#include "unit.h"

#define FIRST_CREDITOR 1001
#define SECOND_CREDITOR 1002

struct sleeper {
    pthread_t thread;
    sem_t listed, wake;
    pid_t tid;
    ledger_id id;
};

static void *sleep_until_woken(void *argument)
{
    struct sleeper *sleeper = argument;
    sleeper->tid = kernel_gettid();
    sem_post(&sleeper->listed);
    while (sem_wait(&sleeper->wake) != 0)
        ;
    return NULL;
}

static void start(struct sleeper *sleeper)
{
    sem_init(&sleeper->listed, 0, 0);
    sem_init(&sleeper->wake, 0, 0);
    if (pthread_create(&sleeper->thread, NULL, sleep_until_woken, sleeper) != 0)
        abort();
    while (sem_wait(&sleeper->listed) != 0)
        ;
}

static void enter(struct sleeper *sleeper, struct level own)
{
    start(sleeper);
    sleeper->id = ledger_enter(&(struct ledger_thread){
        .tid = sleeper->tid, .kind = LEDGER_KIND_JAVA, .java_priority = 5, .own = own, .name = "sleeper"});
}

static void leave(struct sleeper *sleeper)
{
    ledger_leave(sleeper->id);
    sem_post(&sleeper->wake);
    pthread_join(sleeper->thread, NULL);
    sem_destroy(&sleeper->listed);
    sem_destroy(&sleeper->wake);
}

/* What the kernel says, as a rank; 0 if it says nothing. */
static int kernel_rank(const struct sleeper *sleeper)
{
    struct level level = {SCHED_OTHER, 0};
    return kernel_get(sleeper->tid, &level) == 0 ? level_rank(level) : 0;
}

static bool may_be_real_time(void)
{
    struct sched_param param = {.sched_priority = 1};
    if (sched_setscheduler(0, SCHED_RR, &param) != 0)
        return false;
    param.sched_priority = 0;
    sched_setscheduler(0, SCHED_OTHER, &param);
    return true;
}

#define NEEDS_REAL_TIME()                                                                                              \
    do {                                                                                                               \
        if (!may_be_real_time())                                                                                       \
            SKIP("no right to SCHED_RR here: run as root, or raise RLIMIT_RTPRIO");                                    \
    } while (0)

static int rt(int value)
{
    return RANK_REAL_TIME + value;
}

static void become_by_rule(const struct sleeper *sleeper, int java_priority, struct level own, const struct rule *rule)
{
    ledger_identify(sleeper->id, &(struct ledger_thread){
                                     .kind = LEDGER_KIND_JAVA,
                                     .java_priority = java_priority,
                                     .own = own,
                                     .rule = rule,
                                 });
}

static void become(const struct sleeper *sleeper, int java_priority, struct level own)
{
    become_by_rule(sleeper, java_priority, own, NULL);
}

CASE(a_thread_gets_its_own_level)
{
    NEEDS_REAL_TIME();
    struct sleeper s;
    enter(&s, (struct level){SCHED_RR, 4});
    CHECK_EQUAL(rt(4), kernel_rank(&s));
    CHECK(ledger_find(s.tid) == s.id);
    leave(&s);
    CHECK_EQUAL(0, (long long)ledger_find(s.tid));
}

CASE(it_runs_at_the_highest_of_own_and_dues)
{
    NEEDS_REAL_TIME();
    struct sleeper s;
    enter(&s, (struct level){SCHED_RR, 4});
    CHECK_EQUAL(0, ledger_owe(s.id, rt(2), FIRST_CREDITOR));
    CHECK_EQUAL(rt(4), kernel_rank(&s));
    CHECK_EQUAL(0, ledger_owe(s.id, rt(7), SECOND_CREDITOR));
    CHECK_EQUAL(rt(7), kernel_rank(&s));
    CHECK_EQUAL(0, ledger_owe(s.id, rt(9), FIRST_CREDITOR));
    CHECK_EQUAL(rt(9), kernel_rank(&s));
    CHECK_EQUAL(0, ledger_settle(s.id, FIRST_CREDITOR));
    CHECK_EQUAL(rt(7), kernel_rank(&s));
    CHECK_EQUAL(0, ledger_settle(s.id, SECOND_CREDITOR));
    CHECK_EQUAL(rt(4), kernel_rank(&s));
    leave(&s);
}

CASE(an_ordinary_thread_that_is_owed_a_level_comes_back)
{
    NEEDS_REAL_TIME();
    struct sleeper s;
    enter(&s, (struct level){SCHED_OTHER, 3});
    CHECK_EQUAL(20 - 3, kernel_rank(&s));
    CHECK_EQUAL(0, ledger_owe(s.id, rt(7), FIRST_CREDITOR));
    CHECK_EQUAL(rt(7), kernel_rank(&s));
    CHECK_EQUAL(0, ledger_settle(s.id, FIRST_CREDITOR));
    CHECK_EQUAL(20 - 3, kernel_rank(&s));
    leave(&s);
}

CASE(a_new_own_level_keeps_the_dues)
{
    NEEDS_REAL_TIME();
    struct sleeper s;
    enter(&s, (struct level){SCHED_RR, 4});
    CHECK_EQUAL(0, ledger_owe(s.id, rt(7), FIRST_CREDITOR));
    become(&s, 1, (struct level){SCHED_RR, 2});
    CHECK_EQUAL(rt(7), kernel_rank(&s));
    become(&s, 10, (struct level){SCHED_RR, 10});
    CHECK_EQUAL(rt(10), kernel_rank(&s));
    become(&s, 1, (struct level){SCHED_RR, 2});
    CHECK_EQUAL(rt(7), kernel_rank(&s));
    CHECK_EQUAL(0, ledger_settle(s.id, FIRST_CREDITOR));
    CHECK_EQUAL(rt(2), kernel_rank(&s));
    leave(&s);
}

/* Java threads that the JVM starts by itself are taken for its own until they say so; the agent's thread looks meanwhile. */
CASE(a_java_thread_is_not_taken_for_the_jvms_own)
{
    NEEDS_REAL_TIME();
    const struct ledger_thread own_thread = {
        .kind = LEDGER_KIND_JVM_OTHER, .own = {SCHED_RR, LADDER_RT_LAGGARD}, .name = "Notification Th"};
    struct sleeper s;
    char name[LEDGER_NAME_SIZE];
    struct ledger_view view;
    start(&s);
    s.id = ledger_enter(
        &(struct ledger_thread){.tid = s.tid, .kind = LEDGER_KIND_JVM_OTHER, .own = {SCHED_OTHER, 0}, .name = "main"});
    ledger_identify(s.id, &own_thread);
    CHECK_EQUAL(rt(LADDER_RT_LAGGARD), kernel_rank(&s));
    become(&s, 9, (struct level){SCHED_OTHER, 0});
    ledger_rename(s.id, "Notification Thread");
    ledger_identify(s.id, &own_thread);
    CHECK_EQUAL(20, kernel_rank(&s));
    CHECK(ledger_look(s.id, &view) && view.kind == LEDGER_KIND_JAVA);
    ledger_name(s.id, name);
    CHECK(strcmp(name, "Notification Thread") == 0);
    leave(&s);
}

CASE(many_creditors_are_all_kept_in_mind)
{
    NEEDS_REAL_TIME();
    struct sleeper s;
    enter(&s, (struct level){SCHED_OTHER, 0});
    for (int value = 1; value <= 20; value++)
        CHECK_EQUAL(0, ledger_owe(s.id, rt(value), FIRST_CREDITOR + (uint64_t)value));
    for (int value = 20; value >= 1; value--) {
        CHECK_EQUAL(rt(value), kernel_rank(&s));
        CHECK_EQUAL(0, ledger_settle(s.id, FIRST_CREDITOR + (uint64_t)value));
    }
    CHECK_EQUAL(20, kernel_rank(&s));
    leave(&s);
}

CASE(mistakes_have_an_errno)
{
    struct sleeper s;
    enter(&s, (struct level){SCHED_OTHER, 0});
    CHECK_EQUAL(ENOENT, ledger_settle(s.id, FIRST_CREDITOR));
    CHECK_EQUAL(ESRCH, ledger_owe(0, rt(1), FIRST_CREDITOR));
    ledger_id gone = s.id;
    leave(&s);
    CHECK_EQUAL(ESRCH, ledger_owe(gone, rt(1), FIRST_CREDITOR));
    CHECK_EQUAL(ESRCH, ledger_settle(gone, FIRST_CREDITOR));
}

CASE(a_thread_that_is_owed_from_birth_settles)
{
    NEEDS_REAL_TIME();
    struct sleeper s;
    enter(&s, (struct level){SCHED_OTHER, 0});
    ledger_leave(s.id);
    s.id = ledger_enter(&(struct ledger_thread){.tid = s.tid,
                                                .kind = LEDGER_KIND_JAVA,
                                                .java_priority = 1,
                                                .own = {SCHED_RR, 2},
                                                .name = "born",
                                                .owed_rank = rt(9),
                                                .owed_by = FIRST_CREDITOR});
    CHECK_EQUAL(rt(9), kernel_rank(&s));
    CHECK_EQUAL(0, ledger_settle(s.id, FIRST_CREDITOR));
    CHECK_EQUAL(rt(2), kernel_rank(&s));
    leave(&s);
}

CASE(an_owner_follows_those_who_wait_for_it)
{
    struct sleeper waiter, owner, owners_owner;
    enter(&waiter, (struct level){SCHED_RR, 4});
    enter(&owner, (struct level){SCHED_OTHER, 0});
    enter(&owners_owner, (struct level){SCHED_RR, 2});
    /* An ordinary thread only shows what it waits for. */
    struct ledger_signs signs = {.awaited_owner = &owners_owner.tid};
    ledger_set_signs(owner.id, NULL, &signs);
    ledger_lend(waiter.id, owner.tid);
    CHECK_EQUAL(rt(3), kernel_rank(&owner));
    CHECK_EQUAL(rt(2), kernel_rank(&owners_owner));
    CHECK(signs.lends);
    /* Raised while it waits, and let go: both follow at once. */
    CHECK_EQUAL(0, ledger_owe(waiter.id, rt(20), FIRST_CREDITOR));
    CHECK_EQUAL(rt(19), kernel_rank(&owner));
    CHECK_EQUAL(rt(18), kernel_rank(&owners_owner));
    CHECK_EQUAL(0, ledger_settle(waiter.id, FIRST_CREDITOR));
    CHECK_EQUAL(rt(3), kernel_rank(&owner));
    CHECK_EQUAL(rt(2), kernel_rank(&owners_owner));
    /* The lock changed hands in the meantime: still it has to end what it lends, once it has it. */
    struct sleeper next_owner;
    enter(&next_owner, (struct level){SCHED_RR, 1});
    signs.awaited_owner = &next_owner.tid;
    ledger_lend(waiter.id, owner.tid);
    CHECK_EQUAL(rt(2), kernel_rank(&next_owner));
    CHECK(signs.lends);
    ledger_lend(waiter.id, 0);
    CHECK(!signs.lends);
    CHECK_EQUAL(20, kernel_rank(&owner));
    CHECK_EQUAL(rt(2), kernel_rank(&owners_owner));
    leave(&waiter);
    leave(&owner);
    leave(&next_owner);
    leave(&owners_owner);
}

CASE(a_waiter_lends_to_one_owner_at_a_time)
{
    struct sleeper waiter, first, second;
    enter(&waiter, (struct level){SCHED_RR, 10});
    enter(&first, (struct level){SCHED_RR, 2});
    enter(&second, (struct level){SCHED_RR, 2});
    ledger_lend(waiter.id, first.tid);
    ledger_lend(waiter.id, second.tid);
    CHECK_EQUAL(rt(2), kernel_rank(&first));
    CHECK_EQUAL(rt(9), kernel_rank(&second));
    /* Its owner may have gone by the time it looks. */
    leave(&second);
    CHECK_EQUAL(0, ledger_owe(waiter.id, rt(12), FIRST_CREDITOR));
    ledger_lend(waiter.id, 0);
    leave(&waiter);
    leave(&first);
}

CASE(a_circle_of_waiters_ends)
{
    struct sleeper one, other;
    enter(&one, (struct level){SCHED_RR, 10});
    enter(&other, (struct level){SCHED_RR, 4});
    ledger_lend(one.id, other.tid);
    ledger_lend(other.id, one.tid);
    CHECK_EQUAL(rt(10), kernel_rank(&one));
    CHECK_EQUAL(rt(9), kernel_rank(&other));
    ledger_lend(one.id, 0);
    CHECK_EQUAL(rt(4), kernel_rank(&other));
    ledger_lend(other.id, 0);
    leave(&one);
    leave(&other);
}

static const struct rule deadline_rule = {
    .policy = SCHED_DEADLINE, .timing = {1000000, 8000000, 10000000}, .io_priority = RULE_LEAVES_IO};

/* What sched_getattr(2) says of runtime, deadline and period; struct sched_attr of 48 bytes. */
static struct timing kernel_timing(pid_t tid)
{
    uint64_t attributes[6] = {0};
    syscall(SYS_sched_getattr, tid, attributes, sizeof attributes, 0);
    return (struct timing){attributes[3], attributes[4], attributes[5]};
}

CASE(a_deadline_thread_is_neither_raised_nor_lowered)
{
    NEEDS_REAL_TIME();
    struct sleeper s, owner;
    enter(&s, (struct level){SCHED_OTHER, 0});
    enter(&owner, (struct level){SCHED_OTHER, 0});
    become_by_rule(&s, 5, (struct level){SCHED_DEADLINE, 0}, &deadline_rule);
    struct level level;
    CHECK_EQUAL(0, kernel_get(s.tid, &level));
    if (level.policy != SCHED_DEADLINE) {
        leave(&s);
        leave(&owner);
        SKIP("no SCHED_DEADLINE for a thread of this process: it takes all CPUs of the host");
    }
    struct timing timing = kernel_timing(s.tid);
    CHECK_EQUAL(1000000, timing.runtime);
    CHECK_EQUAL(8000000, timing.deadline);
    CHECK_EQUAL(10000000, timing.period);
    CHECK_EQUAL(0, ledger_owe(s.id, rt(20), FIRST_CREDITOR));
    CHECK_EQUAL(RANK_DEADLINE, kernel_rank(&s));
    CHECK_EQUAL(0, ledger_settle(s.id, FIRST_CREDITOR));
    CHECK_EQUAL(RANK_DEADLINE, kernel_rank(&s));
    /* What it lends stays below the VM Thread. */
    ledger_lend(s.id, owner.tid);
    CHECK_EQUAL(rt(LADDER_RT_LAGGARD), kernel_rank(&owner));
    ledger_lend(s.id, 0);
    CHECK_EQUAL(20, kernel_rank(&owner));
    /* Another rule takes it back, with CPUs, which a DEADLINE thread could not be given. */
    struct rule pinned = {.policy = RULE_LEAVES_POLICY, .pins = true, .io_priority = RULE_LEAVES_IO};
    CPU_ZERO(&pinned.cpus);
    CPU_SET(0, &pinned.cpus);
    become_by_rule(&s, 5, (struct level){SCHED_OTHER, 0}, &pinned);
    CHECK_EQUAL(20, kernel_rank(&s));
    cpu_set_t cpus;
    CHECK_EQUAL(0, sched_getaffinity(s.tid, sizeof cpus, &cpus));
    CHECK(CPU_EQUAL(&cpus, &pinned.cpus));
    ledger_set_rule(s.id, NULL);
    leave(&s);
    leave(&owner);
}

CASE(a_slice_is_there_again_after_a_loan)
{
    NEEDS_REAL_TIME();
    struct sleeper s;
    const struct rule rule = {.policy = RULE_LEAVES_POLICY, .timing = {7000000, 0, 0}, .io_priority = RULE_LEAVES_IO};
    enter(&s, (struct level){SCHED_OTHER, 0});
    uint64_t default_slice = kernel_timing(s.tid).runtime;
    if (default_slice == 0) {
        leave(&s);
        SKIP("threads have no slice of their own before Linux 6.12");
    }
    become_by_rule(&s, 3, (struct level){SCHED_OTHER, 2}, &rule);
    CHECK_EQUAL(7000000, kernel_timing(s.tid).runtime);
    CHECK_EQUAL(18, kernel_rank(&s));
    CHECK_EQUAL(0, ledger_owe(s.id, rt(7), FIRST_CREDITOR));
    CHECK_EQUAL(rt(7), kernel_rank(&s));
    CHECK_EQUAL(0, ledger_settle(s.id, FIRST_CREDITOR));
    CHECK_EQUAL(7000000, kernel_timing(s.tid).runtime);
    become_by_rule(&s, 3, (struct level){SCHED_OTHER, 2}, NULL);
    CHECK_EQUAL(default_slice, kernel_timing(s.tid).runtime);
    leave(&s);
}

CASE(batch_and_idle_threads_come_back_from_a_loan)
{
    NEEDS_REAL_TIME();
    static const struct level levels[] = {{SCHED_BATCH, 5}, {SCHED_IDLE, 0}};
    for (int i = 0; i < 2; i++) {
        struct sleeper s;
        struct level level;
        enter(&s, levels[i]);
        CHECK_EQUAL(0, ledger_owe(s.id, rt(7), FIRST_CREDITOR));
        CHECK_EQUAL(rt(7), kernel_rank(&s));
        CHECK_EQUAL(0, ledger_settle(s.id, FIRST_CREDITOR));
        CHECK_EQUAL(0, kernel_get(s.tid, &level));
        CHECK_EQUAL(levels[i].policy, level.policy);
        CHECK_EQUAL(levels[i].value, level.value);
        leave(&s);
    }
}

int main(void)
{
    ladder_defaults(&ladder, (struct level){SCHED_OTHER, 0});
    ledger_open();
    pins_prepare();
    RUN(a_thread_gets_its_own_level);
    RUN(it_runs_at_the_highest_of_own_and_dues);
    RUN(an_ordinary_thread_that_is_owed_a_level_comes_back);
    RUN(a_new_own_level_keeps_the_dues);
    RUN(a_java_thread_is_not_taken_for_the_jvms_own);
    RUN(many_creditors_are_all_kept_in_mind);
    RUN(mistakes_have_an_errno);
    RUN(a_thread_that_is_owed_from_birth_settles);
    RUN(an_owner_follows_those_who_wait_for_it);
    RUN(a_waiter_lends_to_one_owner_at_a_time);
    RUN(a_circle_of_waiters_ends);
    RUN(a_deadline_thread_is_neither_raised_nor_lowered);
    RUN(a_slice_is_there_again_after_a_loan);
    RUN(batch_and_idle_threads_come_back_from_a_loan);
    return verdict();
}
