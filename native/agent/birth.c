#define _GNU_SOURCE
#include "birth.h"

#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <time.h>

#include "agent_thread.h"
#include "jvm_threads.h"
#include "ladder.h"
#include "redirect.h"
#include "self.h"

typedef int create_function(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *);
static create_function *create_original;

pid_t birth_tid_of(pthread_t thread)
{
    clockid_t clock;
    /* ~tid << 3 | 6, linux/posix-timers.h; the one public way of glibc's to the id. */
    return pthread_getcpuclockid(thread, &clock) == 0 ? (pid_t) ~(clock >> 3) : 0;
}

/* The calling thread's level as it is now. */
static struct level level_of_maker(struct ledger_view *view)
{
    struct level level = ladder.launch;
    if (ledger_look(self_entry(), view))
        return view->now;
    *view = (struct ledger_view){0};
    kernel_get(0, &level);
    return level;
}

/* What clone(2) gives to a child: see SCHED_RESET_ON_FORK in sched(7). */
static struct level level_at_birth(struct level maker, bool maker_is_java)
{
    bool reset = level_rank(maker) == RANK_DEADLINE || (level_is_real_time(maker) && maker_is_java);
    return reset ? (struct level){SCHED_OTHER, 0} : maker;
}

static void enter_java_thread(struct birth *birth, pid_t tid)
{
    if (tid == 0)
        return; /* ThreadStart enters it, once it runs */
    struct ledger_view maker_view;
    struct level maker = level_of_maker(&maker_view);
    struct ledger_thread *child = &birth->child;
    child->tid = tid;
    child->now = level_at_birth(maker, maker_view.kind < LEDGER_KIND_VM_THREAD);
    int rank = level_rank(maker) == RANK_DEADLINE ? ladder_lent_rank(&ladder, RANK_DEADLINE) : level_rank(maker);
    if (rank > RANK_REAL_TIME && rank > level_rank(child->own)) {
        child->owed_rank = rank;
        child->owed_by = BIRTH_CREDITOR;
    }
    child->makers_rule = maker_view.rule;
    birth->id = ledger_enter(child);
}

struct newborn {
    void *(*start)(void *);
    void *argument;
};

/* HotSpot's threads return from their start function; none calls pthread_exit. */
static void *newborn_main(void *block)
{
    struct newborn newborn = *(struct newborn *)block;
    free(block);
    self.is_newborn = true;
    void *result = newborn.start(newborn.argument);
    ledger_leave(self_entry());
    return result;
}

/*
 * A thread of the JVM's own, or a Java thread that the JVM starts by itself (its ThreadStart event follows). It stands
 * where its maker stands if that is one of the JVM's own, as HotSpot adds GC and JIT workers from one of their kind.
 */
static void enter_jvm_thread(pid_t tid, const char *maker_comm)
{
    if (tid == 0)
        return;
    struct ledger_view maker_view;
    struct level maker = level_of_maker(&maker_view);
    bool maker_is_jvm = maker_view.kind >= LEDGER_KIND_VM_THREAD;
    unsigned kind = maker_is_jvm ? maker_view.kind : LEDGER_KIND_JVM_OTHER;
    const struct rule *rule = rules_match(ladder.rules, kind, NULL, NULL);
    ledger_id id = ledger_enter(&(struct ledger_thread){
        .tid = tid,
        .kind = kind,
        .own = level_of_thread(&ladder, rule, kind, 0, false),
        .now = level_at_birth(maker, !maker_is_jvm && maker_view.tid != 0),
        .name = maker_comm,
        .rule = rule,
        .makers_rule = maker_view.rule,
    });
    agent_thread_announce(id, maker_comm);
}

static int create_hook(pthread_t *thread, const pthread_attr_t *attributes, void *(*start)(void *), void *argument)
{
    struct birth *birth = self.birth;
    self.birth = NULL;
    struct newborn *newborn = malloc(sizeof *newborn);
    if (!newborn)
        return EAGAIN; /* pthread_create's own answer to a lack of memory */
    *newborn = (struct newborn){start, argument};
    char maker_comm[COMM_SIZE] = "";
    if (!birth)
        prctl(PR_GET_NAME, maker_comm); /* which the child bears until it names itself */
    int error = create_original(thread, attributes, newborn_main, newborn);
    if (error)
        free(newborn);
    else if (birth)
        enter_java_thread(birth, birth_tid_of(*thread));
    else
        enter_jvm_thread(birth_tid_of(*thread), maker_comm);
    return error;
}

bool birth_hook(void)
{
    return redirect_calls("libjvm.so", "pthread_create", (void *)create_hook, (void **)&create_original);
}

void birth_expect(struct birth *birth)
{
    self.birth = birth;
}

void birth_done(struct birth *birth)
{
    self.birth = NULL;
    if (birth->id && birth->child.owed_rank)
        ledger_settle(birth->id, BIRTH_CREDITOR);
}
