/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Threads that sleep more than they run, which do not wait for a batch to end. May be called by operations of sched_ext only, each
 * in a CPU's run queue lock, select_cpu in that of the thread that wakes.
 */
#ifndef AYATORI_URGENT_BPF_H
#define AYATORI_URGENT_BPF_H

#include "spaces.bpf.h"

/* Queues: the two that all CPUs take from, and one for each CPU. */
enum { URGENT, LINE, OWN };

enum {
    URGENT_PART = 4,  /* of a batch's time: so long urgent threads may have a CPU while others wait in a line */
    MUCH_SHORTER = 4, /* so many times as long as a thread's another one runs as a rule that gives way to it */
    KEPT_ENOUGH = 4,  /* promises to sleep, in a row, so that the next one is taken for kept too */
    TRIED_EVERY = 64  /* times that a thread wakes another one on its CPU, as a mean */
};

#define URGENT_SLICE MS  /* of who goes before a batch */
#define SOON (MS / 50)   /* sleeps who keeps its promise */
#define MOMENT (MS / 20) /* who runs for longer has something in its CPU's caches */
#define LEAD (4 * MS)    /* so far may a space be ahead of the others and still go before a batch */

static __always_inline bool may_run(struct task_struct *thread, __s32 cpu)
{
    if (bpf_core_field_exists(thread->migration_disabled) && thread->migration_disabled &&
        scx_bpf_task_cpu(thread) != cpu)
        return false;
    /* Always true; or clang would only announce the type in what it says of the function, and libbpf find another there. */
    return bpf_core_type_exists(struct cpumask) && bpf_cpumask_test_cpu(cpu, thread->cpus_ptr);
}

/* If a space has had so much more than others that its threads do not go before a batch. */
static __always_inline bool is_far_ahead(struct scheduler_space *space)
{
    return after(space->vtime_ns, present_ns + LEAD);
}

/* If a thread that woke is to run at once. */
static __always_inline bool is_urgent(struct thread_state *state, struct scheduler_space *space)
{
    /* A quarter is left out of account: two that wait for each other sleep as much as they run. */
    if (state->mean_sleep_ns + state->mean_sleep_ns / 4 < state->mean_burst_ns)
        return false;
    return !space || !is_far_ahead(space);
}

/* If an urgent thread may push aside another one: it runs for much shorter as a rule, and its space has had little of its share. */
static __always_inline bool is_brief(struct thread_state *state, struct scheduler_space *space,
                                     struct scheduler_cpu *cpu)
{
    return cpu->runs && state->mean_burst_ns < cpu->running_burst_ns / MUCH_SHORTER &&
           (!space || after(present_ns - most_saved() / 2, space->vtime_ns));
}

static __always_inline void end_sleep(struct thread_state *state)
{
    if (!state->asleep_at)
        return;
    __u64 slept = bpf_ktime_get_ns() - state->asleep_at;
    state->asleep_at = 0;
    state->mean_sleep_ns = (3 * state->mean_sleep_ns + slept) / 4;
    state->burst_ns = 0;
}

/* Many spaces that sleep much may have a CPU to do together: for so long, and then somebody of a line. */
static __always_inline bool is_lines_turn(struct scheduler_cpu *cpu, __u64 now)
{
    return cpu->urgent_since && now - cpu->urgent_since > settings.batch_ns / URGENT_PART;
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

/* Who runs here and wakes another one, and how long since it woke itself; null: it is not ours, or has been computing. */
static __always_inline struct thread_state *brief_waker(__u64 now, __u64 *ran_ns)
{
    struct thread_state *waker = state_of(bpf_get_current_task_btf());
    if (!waker || !waker->since)
        return 0;
    *ran_ns = waker->burst_ns + now - waker->since;
    return *ran_ns < settings.slice_ns ? waker : 0;
}

/*
 * If a thread that wakes lets who wakes it go on until that sleeps: it may run there, and its waker has said that it is about to sleep
 * (SCX_WAKE_SYNC: to be asked before), as who writes into a pipe or socket does, and has not been computing, nor merely been
 * interrupted by a device that says so. Of a thread that may run on one CPU only nobody says so: there what the waker did before counts.
 */
static __always_inline bool lets_waker_go_on(struct task_struct *thread)
{
    __s32 here = bpf_get_smp_processor_id();
    __u64 ran_ns;
    struct thread_state *waker = brief_waker(bpf_ktime_get_ns(), &ran_ns);
    if (!waker)
        return false;
    if (thread->nr_cpus_allowed == 1)
        return scx_bpf_task_cpu(thread) == here && in_thread() && sends_on(waker, ran_ns);
    return may_run(thread, here);
}

/* Once for each that a thread wakes while it says that it is about to sleep. True: so it will, and this is the only one. */
static __always_inline bool promises_to_sleep(struct thread_state *waker, __u64 ran_ns)
{
    if (waker->promised_ns) {
        waker->promised_again = 1;
        return false;
    }
    waker->promised_ns = ran_ns ? ran_ns : 1;
    return waker->promises_kept >= KEPT_ENOUGH;
}

/* The thread goes to sleep. */
static __always_inline void note_if_keeps_promise(struct thread_state *waker)
{
    if (!waker->promised_ns)
        return;
    if (waker->promised_again || waker->burst_ns - waker->promised_ns > SOON)
        waker->promises_kept = 0;
    else if (waker->promises_kept < KEPT_ENOUGH)
        waker->promises_kept++;
    waker->promised_ns = 0;
    waker->promised_again = 0;
}

/* If a CPU has to be asked who is next: as long as one thread follows the other in its own queue it is not. */
static __always_inline bool somebody_in_line(__s32 cpu)
{
    return scx_bpf_dsq_nr_queued(LINE) || scx_bpf_dsq_nr_queued(OWN + cpu);
}

/*
 * If a thread that wakes has been put right behind its waker, on whose CPU it may go on as soon as that sleeps: so two that send to each
 * other in turn are on one CPU, and neither another one nor a queue has anything to do with it. Only who runs for moments: others have more
 * to lose in the caches of the CPU where they were. And one only at a time: from there no idle CPU can take it.
 */
static __always_inline bool follow_waker(struct task_struct *thread)
{
    __s32 here = bpf_get_smp_processor_id();
    __u64 now = bpf_ktime_get_ns();
    __u64 ran_ns;
    struct thread_state *waker = brief_waker(now, &ran_ns);
    if (!waker || !promises_to_sleep(waker, ran_ns))
        return false;
    struct thread_state *state = state_of(thread);
    struct scheduler_cpu *cpu = cpu_state(here);
    if (!state || !cpu || state->mean_burst_ns > MOMENT || state->space != (__u64)thread->mm ||
        !may_run(thread, here) || scx_bpf_dsq_nr_queued(SCX_DSQ_LOCAL) || scx_bpf_dsq_nr_queued(URGENT))
        return false;
    struct scheduler_space *space = find_space(state->space);
    if (!space)
        return false;
    bool ahead = is_far_ahead(space);
    if ((ahead || is_lines_turn(cpu, now)) && somebody_in_line(here))
        return false;
    if (ahead)
        advance_to(space->vtime_ns); /* it does not have to pay for it when others come */
    end_sleep(state);
    become_active(thread, state, space);
    catch_up(thread, state, space);
    state->urgent = 1;
    __sync_fetch_and_add(&cpu->urgent, 1);
    cpu->urgent_waits = 1;
    if (!cpu->urgent_since)
        cpu->urgent_since = now;
    scx_bpf_dsq_insert(thread, SCX_DSQ_LOCAL, URGENT_SLICE, 0);
    return true;
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

/* After the lines have had their turn in vain: who waits there may not run here. */
static __always_inline bool take_urgent_again(struct scheduler_cpu *cpu, __u64 now)
{
    cpu->urgent_since = 0;
    return take_urgent(cpu, now);
}

#endif
