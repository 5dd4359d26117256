/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A machine of some CPUs on which scheduler.bpf.c decides, within one program: what kernel/sched/ext.c asks of a scheduler,
 * when it does, and what comes of the answers, as far as order and time go. What threads do costs the time that it takes, what
 * the scheduler does costs none; nothing happens at the same time. Threads compute and sleep; there are no other classes.
 * For scheduler_test.c only.
 */
#ifndef AYATORI_MODEL_MACHINE_H
#define AYATORI_MODEL_MACHINE_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "libbpf.h"

#include "../scheduler.bpf.c"

enum { MOST_THREADS = 2048, MOST_SPACES = 512, MOST_CPUS = 4, MOST_ENTRIES = 2048, MOST_WAKES = 20000, KERNEL = -1 };

#define TICK (4 * MS)
#define DEFAULT_SLICE (20 * MS)
#define NEVER (~0ULL)
#define ALWAYS (1ULL << 60)

struct thread;

int __preempt_count;

/* What stands in a queue. */
struct queue {
    __u64 id;
    __u32 seq;
    int count;
    struct thread *first;
};

struct thread {
    struct task_struct task;
    struct cpumask cpus;
    struct thread_state state;
    bool knows_state;
    int cpu;
    bool queued; /* ready or running */
    struct queue *in;
    struct thread *next;
    __u32 seq;
    bool by_vtime;
    __u64 inserted_slice; /* by select_cpu, into its CPU's own queue; 0: none */

    /* What it does: computes for so long, sleeps for so long, again and again. */
    __u64 burst;
    __u64 sleep;
    bool periodic;        /* sleeps until the next multiple of `sleep` */
    bool gives_way;       /* at the end of each burst, rather than to sleep */
    struct thread *wakes; /* at the end of each burst, as who is about to sleep does */
    int messages;         /* before it sleeps; 0: it never does */
    __u64 computes;       /* after them, before it sleeps */
    int sent;
    bool has_sent; /* all, and computes */
    bool has_mail; /* has been sent to while it was ready: one burst more */
    __u64 left;    /* of the burst */
    __u64 wakes_at;

    __u64 ran;
    __u64 ready_since;
    __u64 longest_wait;
    bool woken;
    int enqueued;           /* when it woke: select_cpu has not seen to it */
    __u64 late[MOST_WAKES]; /* from waking to running */
    int wakes_count;
};

struct cpu {
    struct thread *runs;
    struct queue local;
    bool resched;
    bool idle; /* as those see it that look for one */
    __u64 charged;
};

struct entry {
    const void *map;
    __u64 key;
    void *value;
};

static struct machine {
    __u64 now;
    int count;
    struct cpu cpus[MOST_CPUS];
    struct queue queues[OWN + MOST_CPUS];
    struct thread *threads[MOST_THREADS];
    int thread_count;
    struct mm_struct spaces[MOST_SPACES];
    struct entry entries[MOST_ENTRIES];
    int at; /* the CPU whose scheduler is asked */
    bool selects;
} machine;

static struct cpumask all_cpus;
static struct task_group root_group = {.css = {.serial_nr = 1}, .shares = 1 << 20};

unsigned long long model_now(void)
{
    return machine.now;
}

unsigned model_cpu(void)
{
    return machine.at;
}

struct task_struct *model_current(void)
{
    static struct thread idle;
    struct thread *thread = machine.cpus[machine.at].runs;
    return thread ? &thread->task : &idle.task;
}

static struct entry *entry_of(struct model_shape shape, const void *key)
{
    __u64 number = 0;
    memcpy(&number, key, shape.key);
    struct entry *free_one = NULL;
    for (struct entry *entry = machine.entries; entry < machine.entries + MOST_ENTRIES; entry++) {
        if (entry->value && entry->map == shape.map && entry->key == number)
            return entry;
        if (!entry->value && !free_one)
            free_one = entry;
    }
    free_one->map = shape.map;
    free_one->key = number;
    return free_one;
}

void *model_lookup(struct model_shape shape, const void *key)
{
    struct entry *entry = entry_of(shape, key);
    if (!entry->value && shape.type == BPF_MAP_TYPE_ARRAY)
        entry->value = calloc(1, shape.value);
    return entry->value;
}

void model_add(struct model_shape shape, const void *key, const void *value)
{
    struct entry *entry = entry_of(shape, key);
    entry->value = malloc(shape.value);
    memcpy(entry->value, value, shape.value);
}

void model_delete(struct model_shape shape, const void *key)
{
    struct entry *entry = entry_of(shape, key);
    free(entry->value);
    entry->value = NULL;
}

void *model_storage(void *thread)
{
    return &((struct thread *)thread)->state;
}

/* --- Queues */

static struct queue *queue_of(__u64 id, int cpu)
{
    if (id == SCX_DSQ_LOCAL)
        return &machine.cpus[cpu].local;
    if ((id & SCX_DSQ_LOCAL_ON) == SCX_DSQ_LOCAL_ON)
        return &machine.cpus[id & 0xffffffff].local;
    return &machine.queues[id];
}

static void put_in(struct queue *queue, struct thread *thread, bool by_vtime, bool first)
{
    struct thread **at = &queue->first;
    if (!first)
        while (*at && !(by_vtime && after((*at)->task.scx.dsq_vtime, thread->task.scx.dsq_vtime)))
            at = &(*at)->next;
    thread->next = *at;
    *at = thread;
    thread->in = queue;
    thread->by_vtime = by_vtime;
    thread->seq = ++queue->seq;
    queue->count++;
}

static void take_out(struct thread *thread)
{
    struct thread **at = &thread->in->first;
    while (*at != thread)
        at = &(*at)->next;
    *at = thread->next;
    thread->in->count--;
    thread->in = NULL;
}

static void put_local(struct thread *thread, int number, __u64 flags)
{
    struct cpu *cpu = &machine.cpus[number];
    bool preempts = flags & SCX_ENQ_PREEMPT;
    thread->cpu = number;
    put_in(&cpu->local, thread, false, preempts);
    if (preempts && cpu->runs && cpu->runs != thread)
        cpu->runs->task.scx.slice = 0;
    if (preempts || !cpu->runs)
        cpu->resched = true;
}

/* --- What the kernel offers */

__s32 scx_bpf_create_dsq(__u64 queue, __s32 node)
{
    machine.queues[queue].id = queue;
    return node > 0;
}

__s32 scx_bpf_dsq_nr_queued(__u64 queue)
{
    return queue_of(queue, machine.at)->count;
}

void(scx_bpf_dsq_insert)(struct task_struct *task, __u64 queue, __u64 slice, __u64 flags)
{
    struct thread *thread = (struct thread *)task;
    if (machine.selects) {
        thread->inserted_slice = slice;
        return;
    }
    task->scx.slice = slice;
    if (queue == SCX_DSQ_LOCAL)
        put_local(thread, thread->cpu, flags);
    else
        put_in(queue_of(queue, thread->cpu), thread, false, false);
}

void(scx_bpf_dsq_insert_vtime)(struct task_struct *task, __u64 queue, __u64 slice, __u64 vtime, __u64 flags)
{
    (void)flags;
    task->scx.slice = slice;
    task->scx.dsq_vtime = vtime;
    put_in(queue_of(queue, machine.at), (struct thread *)task, true, false);
}

bool(scx_bpf_dsq_move_to_local)(__u64 queue)
{
    for (struct thread *thread = queue_of(queue, machine.at)->first; thread; thread = thread->next) {
        if (thread->cpus.bits[0] >> machine.at & 1) {
            take_out(thread);
            put_local(thread, machine.at, 0);
            return true;
        }
    }
    return false;
}

/* An iterator sees those that were there when it began. */
struct iteration {
    struct queue *queue;
    struct thread *next;
    __u32 seq;
    bool backwards;
};

int bpf_iter_scx_dsq_new(struct bpf_iter_scx_dsq *iterator, __u64 queue, __u64 flags)
{
    struct iteration *at = (void *)iterator;
    struct queue *of = queue_of(queue, machine.at);
    *at = (struct iteration){.queue = of, .next = of->first, .seq = of->seq, .backwards = flags & SCX_DSQ_ITER_REV};
    while (at->backwards && at->next && at->next->next)
        at->next = at->next->next;
    return 0;
}

struct task_struct *bpf_iter_scx_dsq_next(struct bpf_iter_scx_dsq *iterator)
{
    struct iteration *at = (void *)iterator;
    struct thread *found = at->next;
    while (found && (__s32)(found->seq - at->seq) > 0)
        found = found->next;
    at->next = found && !at->backwards ? found->next : NULL;
    return (struct task_struct *)found;
}

void bpf_iter_scx_dsq_destroy(struct bpf_iter_scx_dsq *iterator)
{
    (void)iterator;
}

bool(scx_bpf_dsq_move)(struct bpf_iter_scx_dsq *from, struct task_struct *task, __u64 queue, __u64 flags)
{
    (void)from;
    take_out((struct thread *)task);
    put_local((struct thread *)task, queue == SCX_DSQ_LOCAL ? machine.at : (int)(queue & 0xffffffff), flags);
    return true;
}

__s32 scx_bpf_pick_idle_cpu(const struct cpumask *among, __u64 flags)
{
    (void)flags;
    for (int i = 0; i < machine.count; i++) {
        if (machine.cpus[i].idle && among->bits[0] >> i & 1) {
            machine.cpus[i].idle = false;
            return i;
        }
    }
    return -1;
}

__s32 scx_bpf_select_cpu_dfl(struct task_struct *thread, __s32 previous, __u64 flags, bool *idle)
{
    bool any = false;
    for (int i = 0; i < machine.count; i++)
        any |= machine.cpus[i].idle;
    *idle = true;
    if (machine.cpus[previous].idle) {
        machine.cpus[previous].idle = false;
        return previous;
    }
    if (flags & SCX_WAKE_SYNC && any && machine.cpus[machine.at].local.count == 0)
        return machine.at;
    __s32 cpu = scx_bpf_pick_idle_cpu(thread->cpus_ptr, 0);
    *idle = cpu >= 0;
    return *idle ? cpu : previous;
}

void scx_bpf_kick_cpu(__s32 number, __u64 flags)
{
    struct cpu *cpu = &machine.cpus[number];
    if (flags & SCX_KICK_PREEMPT && cpu->runs)
        cpu->runs->task.scx.slice = 0;
    cpu->resched |= !(flags & SCX_KICK_IDLE) || !cpu->runs;
}

__s32 scx_bpf_task_cpu(const struct task_struct *task)
{
    return ((const struct thread *)task)->cpu;
}

__u32 scx_bpf_nr_cpu_ids(void)
{
    return machine.count;
}

__u32(scx_bpf_reenqueue_local)(void)
{
    return 0;
}

bool bpf_cpumask_test_cpu(__u32 cpu, const struct cpumask *mask)
{
    return mask->bits[0] >> cpu & 1;
}

/* --- What the kernel does */

static void charge_until_now(struct cpu *cpu)
{
    struct thread *thread = cpu->runs;
    __u64 ran = machine.now - cpu->charged;
    cpu->charged = machine.now;
    if (!thread)
        return;
    thread->ran += ran;
    thread->left -= ran < thread->left ? ran : thread->left;
    thread->task.scx.slice -= ran < thread->task.scx.slice ? ran : thread->task.scx.slice;
}

static void wake(struct thread *thread, int waker, __u64 flags)
{
    machine.at = waker;
    thread->wakes_at = NEVER;
    thread->queued = true;
    thread->woken = true;
    thread->left = thread->burst;
    thread->ready_since = machine.now;
    thread->inserted_slice = 0;
    if (thread->task.nr_cpus_allowed > 1) {
        machine.selects = true;
        thread->cpu = select_cpu(&thread->task, thread->cpu, flags);
        machine.selects = false;
    }
    thread->task.scx.flags |= SCX_TASK_QUEUED;
    if (thread->inserted_slice) {
        thread->task.scx.slice = thread->inserted_slice;
        put_local(thread, thread->cpu, 0);
    } else {
        thread->enqueued++;
        enqueue(&thread->task, SCX_ENQ_WAKEUP);
    }
    machine.cpus[thread->cpu].resched |= !machine.cpus[thread->cpu].runs;
}

static void put_to_sleep(struct thread *thread)
{
    thread->queued = false;
    stopping(&thread->task, false);
    thread->task.scx.flags &= ~SCX_TASK_QUEUED;
    __u64 length = thread->periodic ? thread->sleep - machine.now % thread->sleep : thread->sleep;
    thread->wakes_at = thread->sleep ? machine.now + length : NEVER;
}

static void begin_to_run(struct cpu *cpu, struct thread *thread)
{
    cpu->runs = thread;
    cpu->charged = machine.now;
    __u64 waited = machine.now - thread->ready_since;
    if (waited > thread->longest_wait)
        thread->longest_wait = waited;
    if (thread->woken && thread->wakes_count < MOST_WAKES)
        thread->late[thread->wakes_count++] = waited;
    thread->woken = false;
    running(&thread->task);
}

static void schedule(int number)
{
    struct cpu *cpu = &machine.cpus[number];
    struct thread *previous = cpu->runs;
    machine.at = number;
    cpu->resched = false;
    bool goes_on = previous && previous->queued;
    if (!(goes_on && previous->task.scx.slice)) {
        if (!cpu->local.count)
            dispatch(number, previous ? &previous->task : NULL);
        if (cpu->local.count && !(goes_on && previous->task.scx.slice)) {
            struct thread *next = cpu->local.first;
            if (goes_on) {
                stopping(&previous->task, true);
                previous->ready_since = machine.now;
                enqueue(&previous->task, 0);
            }
            take_out(next);
            cpu->idle = false;
            begin_to_run(cpu, next);
            return;
        }
    }
    if (goes_on && !previous->task.scx.slice)
        previous->task.scx.slice = DEFAULT_SLICE;
    if (goes_on)
        return;
    cpu->runs = NULL;
    cpu->idle = true;
}

/* A burst is over. */
static void end_burst(int number)
{
    struct thread *thread = machine.cpus[number].runs;
    machine.at = number;
    if (thread->wakes && !thread->has_sent) {
        thread->left = thread->burst;
        if (thread->wakes->queued)
            thread->wakes->has_mail = true;
        else
            wake(thread->wakes, number, SCX_WAKE_SYNC);
        thread->sent++;
        if (!thread->messages || thread->sent % thread->messages)
            return;
        thread->has_sent = thread->computes > 0;
        thread->left = thread->computes;
        if (thread->has_sent)
            return;
    }
    thread->has_sent = false;
    if (thread->gives_way) {
        thread->left = thread->burst;
        yield(&thread->task, NULL);
        machine.cpus[number].resched = true;
        return;
    }
    if (thread->has_mail) {
        thread->has_mail = false;
        thread->left = thread->burst;
        return;
    }
    put_to_sleep(thread);
    machine.cpus[number].resched = true;
}

static void tick_all(void)
{
    for (int i = 0; i < machine.count; i++) {
        machine.at = i;
        if (!machine.cpus[i].runs)
            continue;
        tick(&machine.cpus[i].runs->task);
        machine.cpus[i].resched |= !machine.cpus[i].runs->task.scx.slice;
    }
}

static __u64 next_event(__u64 end)
{
    __u64 next = machine.now - machine.now % TICK + TICK;
    for (int i = 0; i < machine.count; i++)
        if (machine.cpus[i].runs && machine.now + machine.cpus[i].runs->left < next)
            next = machine.now + machine.cpus[i].runs->left;
    for (int i = 0; i < machine.thread_count; i++)
        if (machine.threads[i]->wakes_at < next)
            next = machine.threads[i]->wakes_at;
    return next < end ? next : end;
}

static void go_on_for(__u64 time)
{
    __u64 end = machine.now + time;
    while (machine.now < end) {
        machine.now = next_event(end);
        for (int i = 0; i < machine.count; i++)
            charge_until_now(&machine.cpus[i]);
        if (machine.now % TICK == 0)
            tick_all();
        for (int i = 0; i < machine.count; i++)
            if (machine.cpus[i].runs && !machine.cpus[i].runs->left)
                end_burst(i);
        for (int i = 0; i < machine.thread_count; i++)
            if (machine.threads[i]->wakes_at <= machine.now) {
                __preempt_count = IN_INTERRUPT;
                wake(machine.threads[i], machine.threads[i]->cpu, 0);
                __preempt_count = 0;
            }
        for (int i = 0; i < machine.count; i++)
            while (machine.cpus[i].resched)
                schedule(i);
    }
}

/* --- For the cases */

/* Gets another class: it is out of the queue then. */
static void leave_class(struct thread *thread)
{
    if (thread->in)
        take_out(thread);
    thread->queued = false;
    thread->wakes_at = NEVER;
    disable(&thread->task);
}

/* A machine that has just been switched on. */
static void begin_machine_with(int cpus, enum scheduler_batch batch, int tagged)
{
    for (int i = 0; i < machine.thread_count; i++)
        free(machine.threads[i]);
    for (int i = 0; i < MOST_ENTRIES; i++)
        free(machine.entries[i].value);
    memset(&machine, 0, sizeof machine);
    machine.now = TICK;
    machine.count = cpus;
    all_cpus.bits[0] = (1UL << cpus) - 1;
    *(struct scheduler_settings *)&settings = (struct scheduler_settings){
        .batch = batch, .cpus = cpus, .tagged = tagged, .slice_ns = 4 * MS, .batch_ns = 64 * MS};
    present_ns = 1ULL << 40;
    crowd = 0;
    last_number = 0;
    all_load = 0;
    for (int i = 0; i < cpus; i++)
        machine.cpus[i].idle = true;
    (init)();
}

/* As most are. */
static void begin_machine(int cpus, enum scheduler_batch batch)
{
    begin_machine_with(cpus, batch, 6);
}

/* A thread of the process with this number, KERNEL: of none: computes for `burst` and sleeps for `sleep`; ALWAYS: computes only. */
static struct thread *new_thread(int process, __u64 burst, __u64 sleep)
{
    struct thread *thread = calloc(1, sizeof *thread);
    struct thread *leader = thread;
    for (int i = 0; i < machine.thread_count && leader == thread; i++)
        if (machine.threads[i]->task.tgid == process + 1)
            leader = machine.threads[i];
    machine.threads[machine.thread_count++] = thread;
    thread->cpus = all_cpus;
    thread->task.pid = machine.thread_count;
    thread->task.tgid = process + 1;
    thread->task.scx.weight = USUAL_WEIGHT;
    thread->task.nr_cpus_allowed = machine.count;
    thread->task.cpus_ptr = &thread->cpus;
    thread->task.group_leader = &leader->task;
    thread->task.sched_task_group = &root_group;
    thread->task.mm = process == KERNEL ? NULL : &machine.spaces[process];
    if (leader == thread && thread->task.mm)
        thread->task.mm->owner = &thread->task;
    thread->burst = burst;
    thread->sleep = sleep;
    thread->wakes_at = machine.now;
    init_task(&thread->task, NULL);
    return thread;
}

#endif
