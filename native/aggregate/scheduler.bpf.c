/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A scheduler for sched_ext by which a CPU that has begun with a thread of an address space goes on with the others of it.
 *
 * All threads that are ready wait in one line, ordered by their space's place: the virtual time that the space had when its
 * present batch began; so all of a space stand together, and a space that has had its batch goes behind the others. A CPU
 * takes from the line the first thread of the space that it is with, until that has used up its budget, else the first of
 * all. Threads that may run on one CPU only have a line of the same kind there. Threads that sleep more than they run
 * do not wait in the line, as long as their space has not had more than its share.
 */
#include "earlier_names.h"
#include "urgent.bpf.h"

#include <bpf/bpf_tracing.h>

enum {
    PATIENCE_EVERY = 8 /* times that a CPU takes from a line, to one look at who waits at an end of it */
};

#define SHORTEST_BATCH MS
#define PATIENCE (4000 * MS) /* who has waited for so long goes first now and then */

struct {
    __uint(type, BPF_MAP_TYPE_ARRAY);
    __uint(max_entries, 1);
    __type(key, __u32);
    __type(value, struct scheduler_exit);
} exits SEC(".maps");

/* How long a space may stay that a CPU begins with now; null: a kernel thread's. */
static __always_inline __u64 budget(struct scheduler_cpu *cpu, struct scheduler_space *space)
{
    __u32 ready = (__s32)crowd > 0 ? crowd : 0;
    if (!space || space->waiting <= 0)
        ready++; /* the one that runs, of which no other thread waits */
    cpu->crowd += ready - cpu->crowd / 16;
    __u32 mean = cpu->crowd / 16;
    if (settings.batch == BATCH_NEVER)
        return 0;
    if (settings.batch == BATCH_AUTO) {
        cpu->batching = cpu->batching ? mean >= settings.tagged - 1 : mean > settings.tagged;
        if (!cpu->batching)
            return 0;
    }
    if (!ready)
        ready = 1;
    __u64 fair = part_of_turn(ready);
    if (fair > settings.batch_ns)
        fair = settings.batch_ns;
    /* So that it pays for all of it, and is not sent further back. */
    __u64 most = most_behind(ready);
    if (space && fair * space->scale >> SCALE_BITS > most)
        fair = (most << SCALE_BITS) / space->scale;
    return fair < SHORTEST_BATCH ? SHORTEST_BATCH : fair;
}

SEC("struct_ops/select_cpu")
__s32 BPF_PROG(select_cpu, struct task_struct *thread, __s32 previous_cpu, __u64 wake_flags)
{
    __s32 here = bpf_get_smp_processor_id();
    if ((wake_flags & SCX_WAKE_SYNC) && follow_waker(thread))
        return here;
    bool idle = false;
    __s32 cpu = scx_bpf_select_cpu_dfl(thread, previous_cpu, wake_flags, &idle);
    struct scheduler_cpu *waker = idle && cpu == here ? cpu_state(cpu) : 0;
    if (waker && waker->runs && (scx_bpf_dsq_nr_queued(URGENT) || somebody_in_line(here)))
        idle = false; /* it is the waker's, after which others are to be asked too */
    if (!idle && (wake_flags & SCX_WAKE_SYNC) && lets_waker_go_on(thread)) {
        struct thread_state *state = state_of(thread);
        if (state)
            state->waits_for_waker = 1;
    }
    if (idle) {
        struct thread_state *state = state_of(thread);
        if (state)
            state->urgent = 0;
        /* Behind who wakes it, which may have said that it is about to sleep (SCX_WAKE_SYNC), and goes on. */
        if (waker)
            waker->urgent_waits = 1;
        scx_bpf_dsq_insert(thread, SCX_DSQ_LOCAL, settings.slice_ns, 0);
    }
    return cpu;
}

/* null: none can be had, since on this CPU somebody was interrupted who was getting one */
static __always_inline struct thread_state *new_state(struct task_struct *thread)
{
    struct thread_state *state = bpf_task_storage_get(&threads, thread, 0, BPF_LOCAL_STORAGE_GET_F_CREATE);
    if (!state)
        return 0;
    struct scheduler_space *space = space_of(thread, state);
    if (space)
        state->vtime_ns = space->thread_vtime_ns;
    state->mean_burst_ns = MS; /* who is new has not shown that it sleeps */
    return state;
}

SEC("struct_ops/enqueue")
void BPF_PROG(enqueue, struct task_struct *thread, __u64 flags)
{
    struct thread_state *state = state_of(thread);
    if (!state)
        state = new_state(thread);
    if (!state) {
        scx_bpf_dsq_insert(thread, SCX_DSQ_GLOBAL, settings.slice_ns, flags);
        return;
    }
    end_sleep(state);
    struct scheduler_space *space = space_of(thread, state);
    become_active(thread, state, space);
    if (space)
        catch_up(thread, state, space);
    bool woken = (flags & SCX_ENQ_WAKEUP) && !(flags & SCX_ENQ_REENQ);
    /* A higher class came before it could run, or a thread that runs for much shorter has pushed it aside. */
    bool pushed = state->gave_way && state->burst_ns < URGENT_SLICE && is_urgent(state, space);
    bool again = state->urgent && ((flags & SCX_ENQ_REENQ) || pushed);
    state->gave_way = 0;
    if (again || (woken && (!state->space || is_urgent(state, space)))) {
        enqueue_urgent(thread, state, space, flags);
        state->waits_for_waker = 0;
        return;
    }
    state->waits_for_waker = 0;
    state->urgent = 0;
    if (space && after(space->vtime_ns, space->place_ns + 2 * settings.batch_ns))
        replace(space);
    __u64 queue = LINE;
    if (thread->nr_cpus_allowed == 1)
        queue = OWN + scx_bpf_task_cpu(thread);
    enter_line(state, space);
    scx_bpf_dsq_insert_vtime(thread, queue, settings.slice_ns, place(space, state), flags);
    wake_idle(thread);
}

/* Takes the first thread of a space from a line. */
__noinline bool take(__u64 queue, __u64 space, __s32 cpu)
{
    struct scheduler_space *of = find_space(space);
    if (!of || of->waiting <= 0)
        return false;
    __u64 behind_all = space_part(of->place_ns) + (1ULL << SPACE_SHIFT);
    struct bpf_iter_scx_dsq line;
    struct task_struct *thread;
    bool taken = false;
    bpf_iter_scx_dsq_new(&line, queue, 0);
    while ((thread = bpf_iter_scx_dsq_next(&line)) && after(behind_all, thread->scx.dsq_vtime)) {
        if ((__u64)thread->mm != space || !may_run(thread, cpu))
            continue;
        taken = scx_bpf_dsq_move(&line, thread, SCX_DSQ_LOCAL, 0);
        if (taken)
            break;
    }
    bpf_iter_scx_dsq_destroy(&line);
    return taken;
}

/*
 * Who is first in a line by the places that the spaces have by now, which may be behind those at which their threads stand:
 * where it stands, and in the CPU's first_place the place that it has; 0: nobody there may run on this CPU.
 */
__noinline __u64 find_first(__u64 queue, __s32 number)
{
    struct scheduler_cpu *cpu = cpu_state(number);
    struct bpf_iter_scx_dsq line;
    struct task_struct *thread;
    __u64 found = 0;
    __u64 best = 0;
    if (!cpu)
        return 0;
    bpf_iter_scx_dsq_new(&line, queue, 0);
    while ((thread = bpf_iter_scx_dsq_next(&line))) {
        __u64 stands = thread->scx.dsq_vtime;
        if (found && !after(best, stands))
            break; /* nor is anybody further back before it */
        if (!may_run(thread, number))
            continue;
        struct thread_state *state = state_of(thread);
        struct scheduler_space *of = state ? find_space(state->space) : 0;
        __u64 now = of && after(space_part(of->place_ns), stands) ? place(of, state) : stands;
        if (!found || after(best, now)) {
            found = stands;
            best = now;
        }
    }
    bpf_iter_scx_dsq_destroy(&line);
    cpu->first_place = best;
    return found;
}

/* Takes who stands there in a line. */
__noinline bool take_at(__u64 queue, __u64 stands, __s32 cpu)
{
    struct bpf_iter_scx_dsq line;
    struct task_struct *thread;
    bool taken = false;
    bpf_iter_scx_dsq_new(&line, queue, 0);
    while ((thread = bpf_iter_scx_dsq_next(&line)) && !after(thread->scx.dsq_vtime, stands)) {
        if (thread->scx.dsq_vtime != stands || !may_run(thread, cpu))
            continue;
        taken = scx_bpf_dsq_move(&line, thread, SCX_DSQ_LOCAL, 0);
        if (taken)
            break;
    }
    bpf_iter_scx_dsq_destroy(&line);
    return taken;
}

/*
 * Who stands at an end of a line may have waited too long: before who stands last all others may go that come, and before who
 * stands first, where its space was long ago, those of the space that do not wait in the line.
 */
__noinline bool take_patient(__u64 queue, __s32 cpu, __u64 now, __u64 end)
{
    struct bpf_iter_scx_dsq line;
    bool taken = false;
    bpf_iter_scx_dsq_new(&line, queue, end);
    struct task_struct *thread = bpf_iter_scx_dsq_next(&line);
    struct thread_state *state = thread ? state_of(thread) : 0;
    if (state && now - state->waits_since > PATIENCE && may_run(thread, cpu))
        taken = scx_bpf_dsq_move(&line, thread, SCX_DSQ_LOCAL, 0);
    bpf_iter_scx_dsq_destroy(&line);
    return taken;
}

/* The CPU may go on with the thread that runs: for what is left of the batch, as one of its space's threads that want it. */
static __always_inline void go_on(struct task_struct *thread, struct scheduler_cpu *cpu, struct scheduler_space *space)
{
    __u64 slice = cpu->budget_ns > cpu->used_ns ? cpu->budget_ns - cpu->used_ns : 0;
    if (slice > settings.slice_ns && space && space->waiting > 0)
        slice /= (__u32)space->waiting + 1;
    if (slice < settings.slice_ns)
        slice = settings.slice_ns;
    thread->scx.slice = slice;
    cpu->running_urgent = 0; /* it was, if it goes on after its moment */
    cpu->gives_way = 0;
}

/*
 * Its only thread that is ready has given way: it pays for a slice, as if it had run for that long, so that others that have not
 * run more than it go before it looks again, also where several look: these would let each other go first only.
 */
static __always_inline void give_way(struct scheduler_space *space)
{
    __u64 behind = present_ns + settings.slice_ns;
    if (after(behind, space->vtime_ns))
        space->vtime_ns = behind;
    replace(space);
}

/* The CPU begins with a space, or once more with the same. */
static __always_inline void begin(struct scheduler_cpu *cpu, struct thread_state *state, struct scheduler_space *space)
{
    cpu->space = state->space;
    cpu->used_ns = 0;
    cpu->batches++;
    cpu->budget_ns = budget(cpu, space);
    if (cpu->given_way && cpu->budget_ns > settings.slice_ns)
        cpu->budget_ns = settings.slice_ns; /* who gave way is to look again soon */
    cpu->given_way = 0;
    if (!space)
        return;
    __sync_fetch_and_add(&space->batches, 1);
    advance_to(space->place_ns);
    replace(space);
}

/*
 * Takes whoever is to run next of all that wait in lines, or goes on with who runs; false: there is nobody. own: somebody
 * waits in the CPU's own line.
 */
static __always_inline bool take_next(__s32 number, struct scheduler_cpu *cpu, struct task_struct *previous,
                                      struct thread_state *state, bool yields, bool own)
{
    __u64 common = find_first(LINE, number);
    __u64 common_place = cpu->first_place;
    __u64 mine = own ? find_first(OWN + number, number) : 0;
    __u64 my_place = cpu->first_place;
    struct scheduler_space *space = state ? find_space(state->space) : 0;
    /* Who has none, a kernel thread, stands at the present, before all: it has had its slice. */
    if (space) {
        catch_up(previous, state, space);
        __u64 at = place(space, state);
        if (yields ? !common && !mine : (!common || !after(at, common_place)) && (!mine || !after(at, my_place))) {
            begin(cpu, state, space);
            go_on(previous, cpu, space);
            return true;
        }
        if (yields)
            give_way(space);
    }
    cpu->given_way = yields;
    if (mine && (!common || !after(my_place, common_place)) && take_at(OWN + number, mine, number))
        return true;
    if (common && take_at(LINE, common, number))
        return true;
    /* Another CPU has been faster. */
    return (mine && scx_bpf_dsq_move_to_local(OWN + number)) || scx_bpf_dsq_move_to_local(LINE);
}

/* Nobody waits in a line: who runs may go on, and does not have to pay for it when others come. */
static __always_inline void stay_alone(struct scheduler_cpu *cpu, struct task_struct *previous,
                                       struct thread_state *state)
{
    struct scheduler_space *space = find_space(state->space);
    if (!space) { /* a kernel thread has had the moment that it goes before others */
        previous->scx.slice = settings.slice_ns;
        cpu->running_urgent = 0;
        return;
    }
    advance_to(space->vtime_ns);
    if (state->space != cpu->space)
        begin(cpu, state, space);
    go_on(previous, cpu, space);
}

/* Goes on with the batch that the CPU is with, if it has time left and threads that are ready; false: it is over. own: as above. */
static __always_inline bool stay(__s32 number, struct scheduler_cpu *cpu, struct task_struct *previous,
                                 struct thread_state *state, bool yields, bool own)
{
    if (!cpu->space)
        return false;
    if (cpu->used_ns < cpu->budget_ns) {
        if (own && take(OWN + number, cpu->space, number))
            return true;
        if (take(LINE, cpu->space, number))
            return true;
        if (!state || state->space != cpu->space)
            return false;
        if (!yields) {
            go_on(previous, cpu, 0); /* none of the others waits */
            return true;
        }
    } else {
        cpu->used_up++;
    }
    struct scheduler_space *space = find_space(cpu->space);
    if (space)
        replace(space);
    cpu->space = 0;
    return false;
}

SEC("struct_ops/dispatch")
void BPF_PROG(dispatch, __s32 number, struct task_struct *previous)
{
    struct scheduler_cpu *cpu = cpu_state(number);
    if (!cpu)
        return;
    __u64 now = bpf_ktime_get_ns();
    struct thread_state *state = 0;
    bool yields = false;
    if (previous && (previous->scx.flags & SCX_TASK_QUEUED)) {
        state = state_of(previous);
        if (state) {
            charge(previous, state, cpu, now);
            yields = state->yields;
            state->yields = 0;
        }
    }
    bool line_first = is_lines_turn(cpu, now);
    if (line_first)
        cpu->urgent_waits = 1; /* for a tick; nobody else ends the slice of who comes now */
    else if (take_urgent(cpu, now))
        return;
    __s32 own = scx_bpf_dsq_nr_queued(OWN + number);
    __s32 in_lines = own + scx_bpf_dsq_nr_queued(LINE);
    if (in_lines <= 0) {
        if (!(line_first && take_urgent_again(cpu, now)) && state)
            stay_alone(cpu, previous, state);
        return;
    }
    if (in_lines == 1 && !state && scx_bpf_dsq_move_to_local(own ? OWN + number : LINE))
        return; /* nobody to compare it with */
    if (++cpu->taken % PATIENCE_EVERY == 0) {
        __u64 end = cpu->taken & PATIENCE_EVERY ? SCX_DSQ_ITER_REV : 0;
        if (take_patient(LINE, number, now, end) || (own > 0 && take_patient(OWN + number, number, now, end)))
            return;
    }
    if (stay(number, cpu, previous, state, yields, own > 0) || take_next(number, cpu, previous, state, yields, own > 0))
        return;
    if (line_first)
        take_urgent_again(cpu, now);
}

/* The CPU goes to a thread: kernel threads leave it the address space that it has. */
static __always_inline void count_switch(struct scheduler_cpu *cpu, struct thread_state *state)
{
    if (state->space && state->space != cpu->had) {
        cpu->had = state->space;
        cpu->spaces++;
    }
}

SEC("struct_ops/running")
void BPF_PROG(running, struct task_struct *thread)
{
    struct thread_state *state = state_of(thread);
    struct scheduler_cpu *cpu = cpu_state(scx_bpf_task_cpu(thread));
    if (!state || !cpu)
        return;
    cpu->runs = 1;
    state->since = bpf_ktime_get_ns();
    if (state->urgent && state->active) { /* it came by enqueue, which knew its space */
        cpu->running_urgent = 1;
        cpu->running_burst_ns = state->mean_burst_ns;
        cpu->urgent_waits = 0; /* another one goes on as soon as this one sleeps */
        count_switch(cpu, state);
        return;
    }
    /* where the kernel has not asked enqueue: select_cpu has found an idle CPU, or its own is going */
    end_sleep(state);
    struct scheduler_space *space = space_of(thread, state);
    count_switch(cpu, state);
    leave_line(state, space);
    become_active(thread, state, space);
    cpu->running_urgent = state->urgent || !state->space;
    cpu->running_burst_ns = state->space ? state->mean_burst_ns : 0; /* nobody pushes the kernel's aside */
    if (!state->urgent)
        cpu->urgent_since = 0;
    if (cpu->running_urgent)
        return;
    if (space && after(state->vtime_ns, space->thread_vtime_ns))
        space->thread_vtime_ns = state->vtime_ns;
    if (state->space != cpu->space || cpu->used_ns >= cpu->budget_ns) /* where nobody waited, no batch has been ended */
        begin(cpu, state, space);
    go_on(thread, cpu, space);
}

SEC("struct_ops/stopping")
void BPF_PROG(stopping, struct task_struct *thread, bool still_runnable)
{
    struct thread_state *state = state_of(thread);
    struct scheduler_cpu *cpu = cpu_state(scx_bpf_task_cpu(thread));
    if (!state || !cpu)
        return;
    cpu->runs = 0;
    __u64 now = bpf_ktime_get_ns();
    struct scheduler_space *space = charge(thread, state, cpu, now);
    state->since = 0;
    state->yields = 0;
    state->gave_way = still_runnable && cpu->gives_way;
    cpu->gives_way = 0;
    if (still_runnable)
        return;
    become_inactive(state, space);
    state->mean_burst_ns = (3 * state->mean_burst_ns + state->burst_ns) / 4;
    state->asleep_at = now;
    note_if_sends_on(state);
    note_if_keeps_promise(state);
}

/* Leaves our class, maybe out of a line. */
SEC("struct_ops/disable")
void BPF_PROG(disable, struct task_struct *thread)
{
    struct thread_state *state = state_of(thread);
    if (!state)
        return;
    struct scheduler_space *space = find_space(state->space);
    leave_line(state, space);
    become_inactive(state, space);
}

/*
 * Who gives way, and is the only one of its space that is ready, waits for what only another space can bring: the others come first.
 * If more of them are ready it is for these, which run or have their turn in the batch.
 */
SEC("struct_ops/yield")
bool BPF_PROG(yield, struct task_struct *from, struct task_struct *to)
{
    if (to)
        return false; /* we give no thread of the caller's choice the CPU, as yield_to() of the kernel's asks */
    struct thread_state *state = state_of(from);
    struct scheduler_space *space = state ? find_space(state->space) : 0;
    if (space)
        state->yields = space->active == 1;
    from->scx.slice = 0;
    return false;
}

SEC("struct_ops/tick")
void BPF_PROG(tick, struct task_struct *thread)
{
    struct scheduler_cpu *cpu = cpu_state(scx_bpf_task_cpu(thread));
    if (!cpu || !cpu->urgent_waits)
        return;
    cpu->urgent_waits = 0;
    if (!cpu->running_urgent)
        thread->scx.slice = 0;
}

/* A higher class has taken the CPU: what it was to run next looks for another. */
SEC("struct_ops/cpu_release")
void BPF_PROG(cpu_release, __s32 cpu, struct scx_cpu_release_args *arguments)
{
    if (scx_bpf_reenqueue_local)
        scx_bpf_reenqueue_local();
}

/* Without these two the kernel ends the scheduler when a CPU comes or goes. */
SEC("struct_ops/cpu_online")
void BPF_PROG(cpu_online, __s32 cpu)
{
}

/* Who is there waits in no queue any more, but runs there once more, from where the kernel sends it elsewhere. */
static __always_inline void send_home(__u64 queue, __s32 cpu)
{
    struct bpf_iter_scx_dsq line;
    bpf_iter_scx_dsq_new(&line, queue, 0);
    struct task_struct *thread;
    while ((thread = bpf_iter_scx_dsq_next(&line)))
        if (scx_bpf_task_cpu(thread) == cpu)
            scx_bpf_dsq_move(&line, thread, SCX_DSQ_LOCAL_ON | cpu, 0);
    bpf_iter_scx_dsq_destroy(&line);
}

/* The CPU takes from no queue any more, and others may not take who is allowed there only, or on CPUs that are offline too. */
SEC("struct_ops/cpu_offline")
void BPF_PROG(cpu_offline, __s32 cpu)
{
    send_home(URGENT, cpu);
    send_home(LINE, cpu);
    send_home(OWN + cpu, cpu);
}

/* Who gets no state now gets it when it is ready the next time: the kernel would have its parent's fork fail. */
SEC("struct_ops/init_task")
__s32 BPF_PROG(init_task, struct task_struct *thread, struct scx_init_task_args *arguments)
{
    new_state(thread);
    return 0;
}

SEC("struct_ops/exit_task")
void BPF_PROG(exit_task, struct task_struct *thread, struct scx_exit_task_args *arguments)
{
    struct thread_state *state = state_of(thread);
    if (!state)
        return;
    struct scheduler_space *space = find_space(state->space);
    leave_line(state, space);
    become_inactive(state, space);
    if (state->space)
        leave_space(state->space);
    state->space = 0;
}

SEC("struct_ops/init")
__s32 BPF_PROG(init)
{
    __s32 error = scx_bpf_create_dsq(URGENT, -1);
    if (!error)
        error = scx_bpf_create_dsq(LINE, -1);
    __u32 count = scx_bpf_nr_cpu_ids();
    for (__u32 i = 0; i < SCHEDULER_MOST_CPUS && i < count && !error; i++)
        error = scx_bpf_create_dsq(OWN + i, -1);
    return error;
}

SEC("struct_ops/exit")
void BPF_PROG(leave, struct scx_exit_info *information)
{
    __u32 only = 0;
    struct scheduler_exit *why = bpf_map_lookup_elem(&exits, &only);
    if (!why)
        return;
    bpf_probe_read_kernel_str(why->reason, sizeof why->reason, information->reason);
    bpf_probe_read_kernel_str(why->message, sizeof why->message, information->msg);
    why->kind = information->kind;
}

#define OPERATIONS(further)                                                                                            \
    {                                                                                                                  \
        .select_cpu = (void *)select_cpu, .enqueue = (void *)enqueue, .dispatch = (void *)dispatch,                    \
        .running = (void *)running, .stopping = (void *)stopping, .yield = (void *)yield, .tick = (void *)tick,        \
        .disable = (void *)disable, .cpu_release = (void *)cpu_release, .cpu_online = (void *)cpu_online,              \
        .cpu_offline = (void *)cpu_offline, .init_task = (void *)init_task, .exit_task = (void *)exit_task,            \
        .init = (void *)init, .exit = (void *)leave, .timeout_ms = 30000, .name = "ayatori", .flags = further,         \
    }

SEC(".struct_ops") struct sched_ext_ops all_threads = OPERATIONS(0);
SEC(".struct_ops") struct sched_ext_ops ext_threads = OPERATIONS(SCX_OPS_SWITCH_PARTIAL);

char _license[] SEC("license") = "GPL";
