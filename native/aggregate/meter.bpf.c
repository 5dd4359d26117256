/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Counts, at each switch of each CPU, from which address space to which it goes, under whatever scheduler: how often, for
 * how long at a time, and how long threads were ready before they ran. Needs BTF and kernel 5.14 or later.
 */
#include "kernel_types.h"
#include "meter.h"

/* Of the scheduler's tracepoint sched_switch: its arguments. */
enum { PREEMPTED, PREVIOUS, NEXT };

struct {
    __uint(type, BPF_MAP_TYPE_PERCPU_ARRAY);
    __uint(max_entries, 1);
    __type(key, __u32);
    __type(value, struct meter_cpu);
} cpus SEC(".maps");

/* By process id, as the initial PID namespace has it. */
struct {
    __uint(type, BPF_MAP_TYPE_HASH);
    __uint(max_entries, METER_MOST_PROCESSES);
    __type(key, __u32);
    __type(value, struct meter_process);
} processes SEC(".maps");

/* Since when a thread is ready, by thread id: only of those that are. */
struct {
    __uint(type, BPF_MAP_TYPE_HASH);
    __uint(max_entries, METER_MOST_READY);
    __type(key, __u32);
    __type(value, __u64);
} ready SEC(".maps");

volatile struct meter_control control;

/* What a new entry of `processes` is made from: too large for the stack. Zeroes for ever. */
static const struct meter_process nothing;

static __always_inline __u32 bucket(__u64 ns)
{
    __u32 log = 0;
    __u64 rest = ns;
    if (rest >> 32) {
        log += 32;
        rest >>= 32;
    }
    if (rest >> 16) {
        log += 16;
        rest >>= 16;
    }
    if (rest >> 8) {
        log += 8;
        rest >>= 8;
    }
    if (rest >> 4) {
        log += 4;
        rest >>= 4;
    }
    if (rest >> 2) {
        log += 2;
        rest >>= 2;
    }
    if (rest >> 1)
        log += 1;
    if (log < METER_SHORTEST)
        return 0;
    __u32 part = (ns >> (log - 2)) & (METER_PARTS - 1);
    __u32 found = (log - METER_SHORTEST) * METER_PARTS + part;
    return found < METER_BUCKETS ? found : METER_BUCKETS - 1;
}

/* Who owns the address space of a thread that has one. */
static __always_inline struct task_struct *owner(struct task_struct *thread)
{
    struct task_struct *found = 0;
    if (bpf_core_field_exists(struct mm_struct, owner))
        found = thread->mm->owner;
    return found ? found : thread->group_leader;
}

static __always_inline void name(struct meter_process *entry, struct task_struct *of)
{
    bpf_probe_read_kernel_str(entry->name, sizeof entry->name, of->comm);
}

static __always_inline struct meter_process *process(struct task_struct *of, __u32 *pid)
{
    *pid = of->tgid;
    struct meter_process *found = bpf_map_lookup_elem(&processes, pid);
    if (found)
        return found;
    bpf_map_update_elem(&processes, pid, &nothing, BPF_NOEXIST);
    found = bpf_map_lookup_elem(&processes, pid);
    if (found)
        name(found, of);
    return found;
}

static __always_inline void begin_ready(__u32 tid, __u64 now)
{
    if (bpf_map_update_elem(&ready, &tid, &now, BPF_ANY))
        __sync_fetch_and_add(&control.lost.delays, 1);
}

static __always_inline void forget(struct task_struct *thread)
{
    __u32 tid = thread->pid;
    bpf_map_delete_elem(&ready, &tid);
}

/* The thread that has run has called exec: it has another address space and name, and after vfork is another process. */
static __always_inline void rename(struct meter_cpu *cpu, struct task_struct *thread, __u64 space)
{
    __u32 pid;
    struct task_struct *of = owner(thread);
    struct meter_process *entry = process(of, &pid);
    if (entry)
        name(entry, of);
    cpu->process = pid;
    cpu->space = space;
}

/* The thread that has run stops. */
static __always_inline void leave(struct meter_cpu *cpu, struct task_struct *previous, __u64 now)
{
    if (!cpu->since)
        return;
    __u64 ran = now - cpu->since;
    cpu->since = 0;
    cpu->batch_ns += ran;
    __u64 space = (__u64)previous->mm; /* 0: it ends */
    if (space && space != cpu->space)
        rename(cpu, previous, space);
    struct meter_process *of = bpf_map_lookup_elem(&processes, &cpu->process);
    if (of)
        __sync_fetch_and_add(&of->ran_ns, ran);
}

static __always_inline void end_batch(struct meter_cpu *cpu)
{
    struct meter_process *of = bpf_map_lookup_elem(&processes, &cpu->process);
    if (of && cpu->complete)
        __sync_fetch_and_add(&of->batches[bucket(cpu->batch_ns)], 1);
}

/* A thread of a process goes on. */
static __always_inline void enter(struct meter_cpu *cpu, struct task_struct *next, __u64 space, __u64 now)
{
    __u32 pid;
    __u32 tid = next->pid;
    struct meter_process *of = process(owner(next), &pid);
    cpu->user_switches++;
    cpu->since = now;
    if (of)
        __sync_fetch_and_add(&of->switches, 1);
    else
        __sync_fetch_and_add(&control.lost.switches, 1);
    __u64 *since = bpf_map_lookup_elem(&ready, &tid);
    if (since) {
        __u64 delay = now - *since;
        if (of) {
            __sync_fetch_and_add(&of->delay_ns, delay);
            __sync_fetch_and_add(&of->delays[bucket(delay)], 1);
        }
        bpf_map_delete_elem(&ready, &tid);
    }
    if (space == cpu->space) {
        cpu->process = pid;
        return;
    }
    if (cpu->space) {
        end_batch(cpu);
        cpu->complete = 1;
        cpu->entries++;
        if (of)
            __sync_fetch_and_add(&of->entries, 1);
    }
    cpu->space = space;
    cpu->process = pid;
    cpu->batch_ns = 0;
}

/* In the scheduler, with the run queue's lock held: nothing here waits. */
SEC("tp_btf/sched_switch")
int on_switch(__u64 *arguments)
{
    if (!control.counting)
        return 0;
    struct task_struct *previous = (void *)arguments[PREVIOUS];
    struct task_struct *next = (void *)arguments[NEXT];
    __u64 now = bpf_ktime_get_ns();
    __u32 only = 0;
    struct meter_cpu *cpu = bpf_map_lookup_elem(&cpus, &only);
    if (!cpu)
        return 0;
    cpu->switches++;
    leave(cpu, previous, now);
    if (!previous->mm)
        forget(previous); /* woken while it ran, it may be there; and then it ended */
    else if (arguments[PREEMPTED] || previous->__state == 0)
        begin_ready(previous->pid, now);
    __u64 space = (__u64)next->mm;
    if (space)
        enter(cpu, next, space, now);
    return 0;
}

static __always_inline int woken(struct task_struct *thread)
{
    if (control.counting && thread->mm)
        begin_ready(thread->pid, bpf_ktime_get_ns());
    return 0;
}

SEC("tp_btf/sched_wakeup")
int on_wakeup(__u64 *arguments)
{
    return woken((void *)arguments[0]);
}

SEC("tp_btf/sched_wakeup_new")
int on_birth(__u64 *arguments)
{
    return woken((void *)arguments[0]);
}

char _license[] SEC("license") = "GPL";
