#define _GNU_SOURCE
#include "ledger.h"

#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "ladder.h"
#include "ledger_page.h"
#include "ledger_publish.h"
#include "pins.h"
#include "report.h"

#define BUCKETS 4096

/* Apart from what the same thread owes others in another role. */
#define LENDER(id) ((id) ^ UINT64_C(1) << 62)

struct due {
    uint64_t creditor;
    int rank;
};

struct entry {
    struct entry *next_in_bucket;
    struct entry *next_in_java_bucket;
    struct entry *previous, *next; /* all entries, the newest first */
    struct ledger_view view;
    bool lent;                   /* under policy `none`: it was given a level that it is owed … */
    struct level before;         /* … and had this one before */
    int error;                   /* of the last attempt to set the level, 0 if the kernel has it */
    const struct timing *timing; /* that the kernel was given with it, NULL if none */
    struct due *dues;
    unsigned due_count, due_capacity;
    ledger_id lends_to; /* the owner of the lock that it waits for, 0 if it waits for none */
    struct published_record *record;
};

static pthread_mutex_t lock;
static struct entry *buckets[BUCKETS];
static struct entry *java_buckets[BUCKETS]; /* of those that have a java_thread */
static struct entry *newest;
static uint32_t last_serial;

/* Of waiters and owners, each of whom waits for the next, while it is followed. On a circle, a deadlock, it would not end. */
#define LONGEST_CHAIN 16
static int chain_length;

static pid_t tid_of(ledger_id id)
{
    return (pid_t)(uint32_t)id;
}

static struct entry **bucket_of(pid_t tid)
{
    return &buckets[(uint32_t)tid % BUCKETS];
}

static struct entry **java_bucket_of(const void *java_thread)
{
    return &java_buckets[(uintptr_t)java_thread / 64 % BUCKETS];
}

static struct entry *find_tid(pid_t tid)
{
    struct entry *entry = *bucket_of(tid);
    while (entry && entry->view.tid != tid)
        entry = entry->next_in_bucket;
    return entry;
}

static struct entry *find(ledger_id id)
{
    struct entry *entry = find_tid(tid_of(id));
    return entry && entry->view.id == id ? entry : NULL;
}

/* Locks, and finds the entry; NULL if its thread has gone. To be paired with unlock() either way. */
static struct entry *lock_entry(ledger_id id)
{
    pthread_mutex_lock(&lock);
    return find(id);
}

static void unlock(void)
{
    pthread_mutex_unlock(&lock);
}

static struct level wanted_level(const struct entry *entry)
{
    int own_rank = level_rank(entry->view.own);
    int rank = own_rank;
    for (unsigned i = 0; i < entry->due_count; i++)
        if (entry->dues[i].rank > rank)
            rank = entry->dues[i].rank;
    return rank == own_rank ? entry->view.own : level_of_rank(rank, ladder.rt_policy);
}

static void publish(const struct entry *entry)
{
    const struct ledger_view *view = &entry->view;
    publish_levels(entry->record, view->kind, view->java_priority, view->own, wanted_level(entry), entry->error,
                   entry->due_count, rule_timing(view->rule));
}

static void give_level(struct entry *entry, struct level level, bool reset_on_fork)
{
    static const struct timing none;
    const struct timing *timing = rule_timing(entry->view.rule);
    bool had = entry->timing != NULL;
    entry->error = kernel_set_timed(entry->view.tid, level, timing || !had ? timing : &none, reset_on_fork);
    if (entry->error == 0) {
        entry->view.now = level;
        if (timing || !level_is_real_time(level)) /* a real-time thread keeps its slice for afterwards */
            entry->timing = timing;
    } else {
        report_refusal(entry->view.tid, published_name(entry->record), level, entry->error);
    }
}

static void set_level(struct entry *entry, struct level level)
{
    give_level(entry, level, entry->view.kind < LEDGER_KIND_VM_THREAD); /* only Java threads fork */
}

/* Policy `none`: without a rule a thread is touched only while it is owed something, and then gets back what it had. */
static void apply_none(struct entry *entry)
{
    if (entry->due_count > 0) {
        if (!entry->lent && kernel_get(entry->view.tid, &entry->before) == 0)
            entry->lent = true;
        set_level(entry, wanted_level(entry));
    } else if (entry->lent) {
        set_level(entry, entry->before);
        entry->lent = false;
    }
}

static void follow(struct entry *waiter);

/* Makes the kernel's level the wanted one, if it is not. */
static int apply(struct entry *entry)
{
    struct level wanted = wanted_level(entry);
    bool same = level_equals(wanted, entry->view.now) && entry->timing == rule_timing(entry->view.rule);
    if (ladder.policy == LEDGER_POLICY_NONE && !rule_schedules(entry->view.rule))
        apply_none(entry);
    else if (entry->error != 0 || ladder.hotspot_sets_nice || !same)
        set_level(entry, wanted);
    publish(entry);
    follow(entry);
    return entry->error;
}

void ledger_open(void)
{
    pthread_mutexattr_t attributes;
    pthread_mutexattr_init(&attributes);
    pthread_mutexattr_setprotocol(&attributes, PTHREAD_PRIO_INHERIT);
    pthread_mutex_init(&lock, &attributes);
    pthread_mutexattr_destroy(&attributes);
    publish_open();
    ledger_publish_ladder();
}

static void unlink_java_thread(struct entry *entry)
{
    if (!entry->view.java_thread)
        return;
    struct entry **link = java_bucket_of(entry->view.java_thread);
    while (*link != entry)
        link = &(*link)->next_in_java_bucket;
    *link = entry->next_in_java_bucket;
    entry->view.java_thread = NULL;
}

static void link_java_thread(struct entry *entry, void *java_thread)
{
    struct entry **bucket = java_bucket_of(java_thread);
    entry->view.java_thread = java_thread;
    entry->next_in_java_bucket = *bucket;
    *bucket = entry;
}

static void unlink_entry(struct entry *entry)
{
    unlink_java_thread(entry);
    struct entry **link = bucket_of(entry->view.tid);
    while (*link != entry)
        link = &(*link)->next_in_bucket;
    *link = entry->next_in_bucket;
    if (entry->previous)
        entry->previous->next = entry->next;
    else
        newest = entry->next;
    if (entry->next)
        entry->next->previous = entry->previous;
    publish_release(entry->record);
    free(entry->dues);
    free(entry);
}

static void link_entry(struct entry *entry)
{
    struct entry **bucket = bucket_of(entry->view.tid);
    entry->next_in_bucket = *bucket;
    *bucket = entry;
    entry->next = newest;
    if (newest)
        newest->previous = entry;
    newest = entry;
}

static struct due *find_due(struct entry *entry, uint64_t creditor)
{
    for (unsigned i = 0; i < entry->due_count; i++)
        if (entry->dues[i].creditor == creditor)
            return &entry->dues[i];
    return NULL;
}

static int add_due(struct entry *entry, int rank, uint64_t creditor)
{
    struct due *due = find_due(entry, creditor);
    if (!due) {
        if (entry->due_count == entry->due_capacity) {
            unsigned capacity = entry->due_capacity ? 2 * entry->due_capacity : 4;
            struct due *dues = realloc(entry->dues, capacity * sizeof *dues);
            if (!dues)
                return ENOMEM;
            entry->dues = dues;
            entry->due_capacity = capacity;
        }
        due = &entry->dues[entry->due_count++];
    }
    *due = (struct due){creditor, rank};
    return 0;
}

static int settle(struct entry *entry, uint64_t creditor)
{
    struct due *due = find_due(entry, creditor);
    if (!due)
        return ENOENT;
    *due = entry->dues[--entry->due_count];
    return apply(entry);
}

/* All or nothing: what the kernel refuses is not owed. */
static int owe(struct entry *entry, int rank, uint64_t creditor)
{
    int error = add_due(entry, rank, creditor);
    if (error)
        return error;
    error = apply(entry);
    if (error)
        settle(entry, creditor);
    return error;
}

static void end_lending(struct entry *waiter)
{
    struct entry *owner = find(waiter->lends_to);
    waiter->lends_to = 0;
    if (waiter->view.signs)
        waiter->view.signs->lends = false;
    if (owner)
        settle(owner, LENDER(waiter->view.id));
}

/* Owes the owner what its waiter has now. */
static void lend(struct entry *waiter, pid_t owner_tid)
{
    int rank = ladder_lent_rank(&ladder, level_rank(wanted_level(waiter)));
    struct entry *owner = owner_tid && rank > RANK_REAL_TIME ? find_tid(owner_tid) : NULL;
    if (waiter->lends_to && (!owner || owner->view.id != waiter->lends_to))
        end_lending(waiter);
    if (!owner || owner == waiter)
        return;
    waiter->lends_to = owner->view.id;
    if (waiter->view.signs)
        atomic_store(&waiter->view.signs->lends, true);
    struct due *due = find_due(owner, LENDER(waiter->view.id));
    if (!due || due->rank != rank)
        owe(owner, rank, LENDER(waiter->view.id));
    else
        follow(owner);
}

/*
 * As a thread's level changes: hands it on to the owner of the lock that it waits for, if it says so. It may have got the
 * lock this moment; then it did not see `lends`, and what was lent is taken back. The mutex is there as long as somebody
 * waits for it, and its memory is the JVM's for much longer than it takes to look.
 */
static void follow(struct entry *waiter)
{
    if (chain_length >= LONGEST_CHAIN)
        return;
    chain_length++;
    struct ledger_signs *signs = waiter->view.signs;
    const volatile int *owner = signs ? atomic_load(&signs->awaited_owner) : NULL;
    if (owner) {
        lend(waiter, *owner);
        if (!atomic_load(&signs->awaited_owner))
            end_lending(waiter);
    } else if (waiter->lends_to) {
        lend(waiter, tid_of(waiter->lends_to));
    }
    chain_length--;
}

void ledger_lend(ledger_id waiter, pid_t owner)
{
    struct entry *entry = lock_entry(waiter);
    if (entry && owner)
        lend(entry, owner);
    else if (entry)
        end_lending(entry);
    unlock();
}

ledger_id ledger_enter(const struct ledger_thread *thread)
{
    struct entry *entry = calloc(1, sizeof *entry);
    if (!entry) {
        report_refusal(thread->tid, thread->name, thread->own, ENOMEM);
        return 0;
    }
    entry->view = (struct ledger_view){
        .tid = thread->tid,
        .kind = thread->kind,
        .java_priority = thread->java_priority,
        .own = thread->own,
        .now = thread->now,
        .original = thread->existed ? thread->now : ladder.launch,
        .keeps_own = thread->keeps_own,
        .ends_vm = thread->ends_vm,
        .generation = thread->generation,
        .rule = thread->rule,
        .maker_rank = thread->owed_rank,
    };
    pins_follow(thread->tid, thread->name, thread->makers_rule, thread->rule);
    pthread_mutex_lock(&lock);
    struct entry *dead = find_tid(thread->tid);
    if (dead && thread->existed) /* not dead, but entered twice: the first time as what its name looks like */
        entry->view.original = dead->view.original;
    if (dead)
        unlink_entry(dead);
    ledger_id id = (uint64_t)++last_serial << 32 | (uint32_t)thread->tid;
    entry->view.id = id;
    entry->record = publish_claim(thread->tid, thread->name);
    link_entry(entry);
    if (thread->owed_rank)
        add_due(entry, thread->owed_rank, thread->owed_by);
    apply(entry);
    unlock();
    return id;
}

ledger_id ledger_find(pid_t tid)
{
    pthread_mutex_lock(&lock);
    struct entry *entry = find_tid(tid);
    ledger_id id = entry ? entry->view.id : 0;
    unlock();
    return id;
}

ledger_id ledger_find_java_thread(const void *java_thread)
{
    pthread_mutex_lock(&lock);
    struct entry *entry = *java_bucket_of(java_thread);
    while (entry && entry->view.java_thread != java_thread)
        entry = entry->next_in_java_bucket;
    ledger_id id = entry ? entry->view.id : 0;
    unlock();
    return id;
}

void ledger_leave(ledger_id id)
{
    struct entry *entry = lock_entry(id);
    if (entry)
        unlink_entry(entry);
    unlock();
}

static void tell_own_rank(const struct entry *entry)
{
    if (entry->view.signs)
        atomic_store(&entry->view.signs->own_rank, level_rank(entry->view.own));
}

static int set_own(struct entry *entry, struct level own)
{
    entry->view.own = own;
    tell_own_rank(entry);
    return apply(entry);
}

/* Before the level that goes with the rule, since a DEADLINE thread cannot be pinned, nor a pinned one become DEADLINE. */
static void take_rule(struct entry *entry, const struct rule *rule)
{
    const struct rule *before = entry->view.rule;
    if (before == rule)
        return;
    entry->view.rule = rule;
    if (entry->view.now.policy == SCHED_DEADLINE)
        set_level(entry, ladder.launch);
    if (rule_schedules(before) && !entry->lent) { /* for policy `none` */
        entry->lent = true;
        entry->before = ladder.launch;
    }
    pins_follow(entry->view.tid, published_name(entry->record), before, rule);
}

void ledger_set_rule(ledger_id id, const struct rule *rule)
{
    struct entry *entry = lock_entry(id);
    if (entry)
        take_rule(entry, rule);
    unlock();
}

void ledger_identify(ledger_id id, const struct ledger_thread *as)
{
    struct entry *entry = lock_entry(id);
    if (entry && (entry->view.kind >= LEDGER_KIND_VM_THREAD || as->kind < LEDGER_KIND_VM_THREAD)) {
        if (as->name)
            publish_name(entry->record, as->name);
        take_rule(entry, as->rule);
        entry->view.kind = as->kind;
        entry->view.java_priority = as->java_priority;
        entry->view.keeps_own = false;
        entry->view.generation = as->generation;
        set_own(entry, as->own);
    }
    unlock();
}

void ledger_rename(ledger_id id, const char *name)
{
    struct entry *entry = lock_entry(id);
    if (entry)
        publish_name(entry->record, name);
    unlock();
}

void ledger_set_signs(ledger_id id, void *java_thread, struct ledger_signs *signs)
{
    struct entry *entry = lock_entry(id);
    if (entry) {
        unlink_java_thread(entry);
        entry->view.signs = signs;
        tell_own_rank(entry);
        if (java_thread)
            link_java_thread(entry, java_thread);
    }
    unlock();
}

ledger_id ledger_show_signs(pid_t tid, struct ledger_signs *signs, struct ledger_view *view)
{
    pthread_mutex_lock(&lock);
    struct entry *entry = find_tid(tid);
    ledger_id id = entry ? entry->view.id : 0;
    if (entry) {
        entry->view.signs = signs;
        tell_own_rank(entry);
        *view = entry->view;
    }
    unlock();
    return id;
}

int ledger_owe(ledger_id id, int rank, uint64_t creditor)
{
    struct entry *entry = lock_entry(id);
    int error = entry ? owe(entry, rank, creditor) : ESRCH;
    unlock();
    return error;
}

int ledger_settle(ledger_id id, uint64_t creditor)
{
    struct entry *entry = lock_entry(id);
    int error = entry ? settle(entry, creditor) : ESRCH;
    unlock();
    return error;
}

int ledger_raise_where(int (*visit)(const struct ledger_view *view, void *context), void *context, uint64_t creditor,
                       ledger_id *raised, int capacity)
{
    int count = 0;
    pthread_mutex_lock(&lock);
    for (struct entry *entry = newest; entry && count < capacity; entry = entry->next) {
        int rank = visit(&entry->view, context);
        if (rank > 0 && owe(entry, rank, creditor) == 0)
            raised[count++] = entry->view.id;
    }
    unlock();
    return count;
}

void ledger_revise(bool (*visit)(const struct ledger_view *view, struct level *own, void *context), void *context)
{
    pthread_mutex_lock(&lock);
    for (struct entry *entry = newest; entry; entry = entry->next) {
        struct level own = entry->view.own;
        if (visit(&entry->view, &own, context)) {
            entry->view.generation = atomic_load(&ladder.generation);
            set_own(entry, own);
        }
    }
    unlock();
}

/* What the library lends to a thread goes on: under policy `none` that is given on top of what the thread has. */
static void restore(struct entry *entry)
{
    const struct ledger_view *view = &entry->view;
    const struct rule *rule = view->rule;
    struct level level = view->kind < LEDGER_KIND_VM_THREAD
                             ? ladder_hotspot_level(&ladder, view->original, view->java_priority)
                             : view->original;
    entry->view.own = level;
    entry->view.rule = NULL;
    entry->before = level;
    entry->lent = entry->due_count > 0;
    tell_own_rank(entry);
    give_level(entry, wanted_level(entry), false); /* its own, if it is owed nothing */
    pins_follow(view->tid, published_name(entry->record), rule, NULL);
    entry->timing = NULL;
    publish(entry);
}

void ledger_restore(bool jvms_own)
{
    pthread_mutex_lock(&lock);
    for (struct entry *entry = newest; entry; entry = entry->next)
        if ((entry->view.kind >= LEDGER_KIND_VM_THREAD) == jvms_own)
            restore(entry);
    unlock();
}

void ledger_name(ledger_id id, char name[LEDGER_NAME_SIZE])
{
    struct entry *entry = lock_entry(id);
    strncpy(name, entry ? published_name(entry->record) : "", LEDGER_NAME_SIZE - 1);
    name[LEDGER_NAME_SIZE - 1] = '\0';
    unlock();
}

bool ledger_look(ledger_id id, struct ledger_view *view)
{
    struct entry *entry = lock_entry(id);
    if (entry)
        *view = entry->view;
    unlock();
    return entry != NULL;
}

int ledger_set_own_level(ledger_id id, struct level own)
{
    struct entry *entry = lock_entry(id);
    int error = entry ? set_own(entry, own) : ESRCH;
    unlock();
    return error;
}

int ledger_rank(ledger_id id)
{
    struct entry *entry = lock_entry(id);
    int rank = entry ? level_rank(wanted_level(entry)) : -1;
    unlock();
    return rank;
}

void ledger_publish_ladder(void)
{
    bool banded = ladder_is_real_time(&ladder); /* else the fall back to `nice` has left the band */
    publish_header(ladder.policy, ladder.rt_policy, ladder.launch);
    publish_band(banded ? ladder.band_low : 0, banded ? ladder.band_high : 0);
    publish_folded(ladder.folded);
}
