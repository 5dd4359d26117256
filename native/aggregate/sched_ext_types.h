/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What sched_ext asks of a scheduler and offers to it, as far as ours goes: kernel 6.13 and later (earlier_names.h: 6.12), see
 * Documentation/scheduler/sched-ext.rst. For *.bpf.c; libbpf finds members by their names.
 */
#ifndef AYATORI_SCHED_EXT_TYPES_H
#define AYATORI_SCHED_EXT_TYPES_H

#include "kernel_types.h"

struct scx_init_task_args;
struct scx_exit_task_args;
struct scx_cpu_release_args;

enum scx_exit_kind { SCX_EXIT_NONE };

struct scx_exit_info {
    enum scx_exit_kind kind;
    const char *reason;
    char *msg;
} IN_KERNEL;

/* Of the kernel's structure of operations: those that we implement. The kernel's may have more. */
struct sched_ext_ops {
    __s32 (*select_cpu)(struct task_struct *thread, __s32 previous_cpu, __u64 wake_flags);
    void (*enqueue)(struct task_struct *thread, __u64 flags);
    void (*dispatch)(__s32 cpu, struct task_struct *previous);
    void (*running)(struct task_struct *thread);
    void (*stopping)(struct task_struct *thread, bool runnable);
    bool (*yield)(struct task_struct *from, struct task_struct *to);
    void (*tick)(struct task_struct *thread);
    void (*disable)(struct task_struct *thread);
    void (*cpu_release)(__s32 cpu, struct scx_cpu_release_args *arguments);
    void (*cpu_online)(__s32 cpu);
    void (*cpu_offline)(__s32 cpu);
    __s32 (*init_task)(struct task_struct *thread, struct scx_init_task_args *arguments);
    void (*exit_task)(struct task_struct *thread, struct scx_exit_task_args *arguments);
    __s32 (*init)(void);
    void (*exit)(struct scx_exit_info *information);
    __u64 flags;
    __u32 timeout_ms;
    char name[128];
};

/* include/linux/sched/ext.h and kernel/sched/ext.c: what the kernel has fixed by value. */
#define SCX_DSQ_FLAG_BUILTIN (1ULL << 63)
#define SCX_DSQ_GLOBAL (SCX_DSQ_FLAG_BUILTIN | 1)
#define SCX_DSQ_LOCAL (SCX_DSQ_FLAG_BUILTIN | 2)
#define SCX_DSQ_LOCAL_ON (SCX_DSQ_FLAG_BUILTIN | 1ULL << 62)
#define SCX_DSQ_ITER_REV (1ULL << 16)
#define SCX_WAKE_SYNC 0x10ULL
#define SCX_ENQ_WAKEUP 1ULL
#define SCX_ENQ_PREEMPT (1ULL << 32)
#define SCX_ENQ_REENQ (1ULL << 40)
#define SCX_KICK_IDLE 1ULL
#define SCX_KICK_PREEMPT 2ULL
#define SCX_TASK_QUEUED 1U
#define SCX_OPS_SWITCH_PARTIAL (1ULL << 3)

/* include/linux/preempt.h, up to 7.2 at least: of a CPU's count, those that say that it is with an interrupt. */
#define IN_INTERRUPT 0xff0100

struct bpf_iter_scx_dsq {
    __u64 opaque[6];
} __attribute__((aligned(8)));

/* Documented in kernel/sched/ext.c. */
extern __s32 scx_bpf_create_dsq(__u64 queue, __s32 node) __ksym;
extern __s32 scx_bpf_dsq_nr_queued(__u64 queue) __ksym;
extern void scx_bpf_dsq_insert(struct task_struct *thread, __u64 queue, __u64 slice, __u64 flags) __ksym __weak;
extern void scx_bpf_dsq_insert_vtime(struct task_struct *thread, __u64 queue, __u64 slice, __u64 vtime,
                                     __u64 flags) __ksym __weak;
extern bool scx_bpf_dsq_move_to_local(__u64 queue) __ksym __weak;
extern int bpf_iter_scx_dsq_new(struct bpf_iter_scx_dsq *iterator, __u64 queue, __u64 flags) __ksym;
extern struct task_struct *bpf_iter_scx_dsq_next(struct bpf_iter_scx_dsq *iterator) __ksym;
extern void bpf_iter_scx_dsq_destroy(struct bpf_iter_scx_dsq *iterator) __ksym;
extern bool scx_bpf_dsq_move(struct bpf_iter_scx_dsq *from, struct task_struct *thread, __u64 queue,
                             __u64 flags) __ksym __weak;
extern __s32 scx_bpf_select_cpu_dfl(struct task_struct *thread, __s32 previous_cpu, __u64 wake_flags,
                                    bool *idle) __ksym;
extern __s32 scx_bpf_pick_idle_cpu(const struct cpumask *among, __u64 flags) __ksym;
extern void scx_bpf_kick_cpu(__s32 cpu, __u64 flags) __ksym;
extern __s32 scx_bpf_task_cpu(const struct task_struct *thread) __ksym;
extern __u32 scx_bpf_nr_cpu_ids(void) __ksym;
extern __u32 scx_bpf_reenqueue_local(void) __ksym __weak;
extern int __preempt_count __ksym __weak; /* x86, 6.15 and later */
extern bool bpf_cpumask_test_cpu(__u32 cpu, const struct cpumask *mask) __ksym;

#endif
