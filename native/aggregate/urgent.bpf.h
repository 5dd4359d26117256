/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Threads that sleep more than they run, which do not wait for a batch to end. May be called by operations of sched_ext only, each
 * in a CPU's run queue lock.
 */
#ifndef AYATORI_URGENT_BPF_H
#define AYATORI_URGENT_BPF_H

#include "spaces.bpf.h"

/* Queues: the two that all CPUs take from, and one for each CPU. */
enum { URGENT, LINE, OWN };

enum {
    MUCH_SHORTER = 4, /* so many times as long as a thread's another one runs as a rule that gives way to it */
    TRIED_EVERY = 64  /* times that a thread wakes another one on its CPU, as a mean */
};

#define URGENT_SLICE MS /* of who goes before a batch */
#define LEAD (4 * MS)   /* so far may a space be ahead of the others and still go before a batch */

static __always_inline bool may_run(struct task_struct *thread, __s32 cpu)
{
    if (bpf_core_field_exists(thread->migration_disabled) && thread->migration_disabled &&
        scx_bpf_task_cpu(thread) != cpu)
        return false;
    /* Always true; or clang would only announce the type in what it says of the function, and libbpf find another there. */
    return bpf_core_type_exists(struct cpumask) && bpf_cpumask_test_cpu(cpu, thread->cpus_ptr);
}

/* If a thread that woke is to run at once. */
static __always_inline bool is_urgent(struct thread_state *state, struct scheduler_space *space)
{
    /* A quarter is left out of account: two that wait for each other sleep as much as they run. */
    if (state->mean_sleep_ns + state->mean_sleep_ns / 4 < state->mean_burst_ns)
        return false;
    return !space || !after(space->vtime_ns, present_ns + LEAD);
}

/* If an urgent thread may push aside another one: it runs for much shorter as a rule, and its space has had little of its share. */
static __always_inline bool is_brief(struct thread_state *state, struct scheduler_space *space,
                                     struct scheduler_cpu *cpu)
{
    return cpu->runs && state->mean_burst_ns < cpu->running_burst_ns / MUCH_SHORTER &&
           (!space || after(present_ns - most_saved() / 2, space->vtime_ns));
}

/* If the CPU is with the thread that it runs, and with no interrupt of it; false too where the kernel does not say. */
static __always_inline bool in_thread(void)
{
    return &__preempt_count && !(*(int *)bpf_this_cpu_ptr(&__preempt_count) & IN_INTERRUPT);
}

/*
 * If a thread that wakes another one goes on rather than to give way: to stop it for each costs two switches a message; but to let
 * go on who sends one only, and waits for the answer, costs a sleep. So that is done now and then, to see what it does: who sends on
 * runs for longer then than it takes to send one, and sleeps soon.
 */
static __always_inline bool sends_on(struct thread_state *sender, __u64 ran_ns)
{
    if (sender->let_go_on)
        return true;
    sender->between_wakes_ns = ran_ns - sender->woke_ns;
    sender->woke_ns = ran_ns;
    sender->let_go_on = sender->sends_on || bpf_get_prandom_u32() % TRIED_EVERY == 0;
    return sender->let_go_on;
}

/* The thread goes to sleep. */
static __always_inline void note_if_sends_on(struct thread_state *sender)
{
    __u64 went_on_ns = sender->burst_ns - sender->woke_ns;
    if (sender->let_go_on)
        sender->sends_on = went_on_ns > 2 * sender->between_wakes_ns && went_on_ns < settings.slice_ns / 2;
    sender->let_go_on = 0;
    sender->woke_ns = 0;
}

/*
 * If a thread that wakes lets who wakes it go on until that sleeps: it may run there, and its waker has said that it is about to sleep
 * (SCX_WAKE_SYNC: to be asked before), as who writes into a pipe or socket does, and has not been computing, nor merely been
 * interrupted by a device that says so. Of a thread that may run on one CPU only nobody says so: there what the waker did before counts.
 */
static __always_inline bool lets_waker_go_on(struct task_struct *thread)
{
    __s32 here = bpf_get_smp_processor_id();
    struct thread_state *waker = state_of(bpf_get_current_task_btf());
    if (!waker || !waker->since)
        return false;
    __u64 ran_ns = waker->burst_ns + bpf_ktime_get_ns() - waker->since;
    if (ran_ns >= settings.slice_ns)
        return false;
    if (thread->nr_cpus_allowed == 1)
        return scx_bpf_task_cpu(thread) == here && in_thread() && sends_on(waker, ran_ns);
    return may_run(thread, here);
}

static __always_inline void wake_idle(struct task_struct *thread)
{
    if (thread->nr_cpus_allowed == 1)
        return; /* the kernel does */
    __s32 idle = scx_bpf_pick_idle_cpu(thread->cpus_ptr, 0);
    if (idle >= 0)
        scx_bpf_kick_cpu(idle, SCX_KICK_IDLE);
}

/* Before what waits in lines. */
static __always_inline void enqueue_urgent(struct task_struct *thread, struct thread_state *state,
                                           struct scheduler_space *space, __u64 flags)
{
    __s32 at = scx_bpf_task_cpu(thread);
    struct scheduler_cpu *cpu = cpu_state(at);
    bool push = cpu && !state->waits_for_waker && (!cpu->running_urgent || is_brief(state, space, cpu));
    if (push && state->space && thread->nr_cpus_allowed == 1 && (flags & SCX_ENQ_WAKEUP))
        push = !lets_waker_go_on(thread); /* the kernel has not asked select_cpu */
    __u64 slice = state->burst_ns < URGENT_SLICE ? URGENT_SLICE - state->burst_ns : URGENT_SLICE;
    state->urgent = 1;
    if (cpu) {
        __sync_fetch_and_add(&cpu->urgent, 1);
        if (push)
            __sync_fetch_and_add(&cpu->pushed, 1);
        else
            cpu->urgent_waits = 1;
    }
    if (push && cpu->runs) {
        /* Right there, where the next one finds that it has come; nobody has to be asked who is to run. */
        cpu->gives_way = cpu->running_urgent;
        cpu->running_urgent = 1;
        cpu->running_burst_ns = state->mean_burst_ns;
        cpu->urgent_waits = 1; /* whoever runs may be given a new slice before it gives way: then for a tick */
        if (!cpu->urgent_since)
            cpu->urgent_since = bpf_ktime_get_ns();
        scx_bpf_dsq_insert(thread, SCX_DSQ_LOCAL, slice, flags | SCX_ENQ_PREEMPT);
        return;
    }
    if (!state->space && thread->nr_cpus_allowed == 1) {
        scx_bpf_dsq_insert(thread, SCX_DSQ_LOCAL, slice, push ? flags | SCX_ENQ_PREEMPT : flags);
        return;
    }
    /* Who runs for a moment only first, but nobody for long after those that come later. */
    __u64 burst = state->mean_burst_ns < settings.slice_ns ? state->mean_burst_ns : settings.slice_ns;
    scx_bpf_dsq_insert_vtime(thread, URGENT, slice, bpf_ktime_get_ns() + MUCH_SHORTER * burst, flags);
    if (push)
        scx_bpf_kick_cpu(at, SCX_KICK_PREEMPT); /* it is about to take another */
    else
        wake_idle(thread); /* one that found nothing the moment before */
}

static __always_inline bool take_urgent(struct scheduler_cpu *cpu, __u64 now)
{
    bool taken = scx_bpf_dsq_move_to_local(URGENT);
    if (taken && !cpu->urgent_since)
        cpu->urgent_since = now;
    return taken;
}

#endif
