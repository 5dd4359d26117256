/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The threads of a run, and which of them are not where they belong: real-time ones in their class, all others under the
 * scheduler of the run.
 *
 * A thread is a member if its parent is. Where one is born elsewhere or goes elsewhere the loader is woken, and reads the list
 * of those that it is to bring back. It may do so while they change once more: so what each asked for last is kept.
 */
#include "kernel_types.h"

#include "members.h"

#include <bpf/bpf_tracing.h>

/* linux/sched.h */
enum { FIFO = 1, RR = 2, DEADLINE = 6 };

struct {
    __uint(type, BPF_MAP_TYPE_TASK_STORAGE);
    __uint(map_flags, BPF_F_NO_PREALLOC);
    __type(key, int);
    __type(value, member_asked);
} members SEC(".maps");

/* Wakes the loader. It reads the list after all that it finds here: what has no room in it is not lost. */
struct {
    __uint(type, BPF_MAP_TYPE_RINGBUF);
    __uint(max_entries, 4096);
} calls SEC(".maps");

/* The loader: what it sets is not what a thread asked for. */
__u32 reader;

/* A member could not be counted as one, since on its parent's CPU somebody was interrupted who was doing that. */
__u32 missed;

/* null: no member */
static __always_inline volatile member_asked *asked_by(struct task_struct *thread)
{
    return bpf_task_storage_get(&members, thread, 0, 0);
}

static __always_inline bool is_misplaced(struct task_struct *thread, member_asked asked)
{
    __u32 policy = asked >> 32;
    if (policy == DEADLINE || thread->policy == DEADLINE)
        return false;
    return thread->policy != (policy == FIFO || policy == RR ? policy : EXT_POLICY);
}

static __always_inline void call(void)
{
    char nothing = 0;
    bpf_ringbuf_output(&calls, &nothing, sizeof nothing, 0);
}

static __always_inline void call_if_misplaced(struct task_struct *thread, member_asked asked)
{
    if (is_misplaced(thread, asked))
        call();
}

SEC("tp_btf/task_newtask")
int BPF_PROG(born, struct task_struct *thread, __u64 flags)
{
    if (!asked_by(bpf_get_current_task_btf()))
        return 0;
    member_asked asked = ASKED(thread->policy, thread->rt_priority);
    if (bpf_task_storage_get(&members, thread, &asked, BPF_LOCAL_STORAGE_GET_F_CREATE)) {
        call_if_misplaced(thread, asked);
    } else {
        missed = 1;
        call();
    }
    return 0;
}

/* A thread of a member's process, or its child, that has been missed. null: it is none. */
static __always_inline volatile member_asked *found_late(struct task_struct *thread)
{
    struct task_struct *leader = thread->group_leader;
    struct task_struct *from = leader == thread ? thread->real_parent : leader;
    if (!from || !asked_by(from))
        return 0;
    member_asked asked = ASKED(thread->policy, thread->rt_priority);
    return bpf_task_storage_get(&members, thread, &asked, BPF_LOCAL_STORAGE_GET_F_CREATE);
}

/* Called by nobody but who has just set a thread's policy, for whoever, by whichever system call. */
SEC("fentry/rt_mutex_adjust_pi")
int BPF_PROG(policy_set, struct task_struct *thread)
{
    volatile member_asked *asked = asked_by(thread);
    if (!asked)
        return 0;
    if (bpf_get_current_pid_tgid() >> 32 != reader)
        *asked = ASKED(thread->policy, thread->rt_priority);
    call_if_misplaced(thread, *asked);
    return 0;
}

/* Its number in a namespace that is so many below the initial one. */
static __always_inline __s32 number(struct task_struct *thread, __u32 level)
{
    struct pid *pid = BPF_CORE_READ(thread, thread_pid);
    __s32 found = 0;
    if (pid && BPF_CORE_READ(pid, level) >= level)
        bpf_probe_read_kernel(&found, sizeof found,
                              (void *)pid + bpf_core_field_offset(struct pid, numbers) +
                                  level * bpf_core_type_size(struct upid) + bpf_core_field_offset(struct upid, nr));
    return found;
}

SEC("iter/task")
int list(struct bpf_iter__task *at)
{
    struct task_struct *thread = at->task;
    volatile member_asked *place = thread ? asked_by(thread) : 0;
    reader = bpf_get_current_pid_tgid() >> 32;
    if (!place && thread && missed)
        place = found_late(thread);
    if (!place)
        return 0;
    member_asked asked = *place;
    if (!is_misplaced(thread, asked))
        return 0;
    __u32 policy = asked >> 32;
    struct misplaced found = {.policy = EXT_POLICY};
    found.thread = number(thread, BPF_CORE_READ(bpf_get_current_task_btf(), thread_pid, level));
    if (policy == FIFO || policy == RR) {
        found.policy = policy;
        found.priority = (__u32)asked;
    }
    if (found.thread)
        bpf_seq_write(at->meta->seq, &found, sizeof found);
    return 0;
}

char _license[] SEC("license") = "GPL";
