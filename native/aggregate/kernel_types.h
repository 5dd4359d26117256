/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The kernel's types as far as our BPF programs look at them: by name, so that libbpf finds where each field lies in the
 * kernel that runs (CO-RE). For *.bpf.c, compiled by clang -target bpf.
 */
#ifndef AYATORI_KERNEL_TYPES_H
#define AYATORI_KERNEL_TYPES_H

#include <stdbool.h>

typedef unsigned char __u8;
typedef short __s16;
typedef unsigned short __u16;
typedef int __s32;
typedef unsigned int __u32;
typedef long long __s64;
typedef unsigned long long __u64;
typedef __u16 __be16;
typedef __u32 __be32;
typedef __u32 __wsum;

/* enum bpf_map_type and the flags of bpf_map_update_elem, which no header for BPF programs has. */
enum {
    BPF_MAP_TYPE_HASH = 1,
    BPF_MAP_TYPE_ARRAY = 2,
    BPF_MAP_TYPE_PERCPU_ARRAY = 6,
    BPF_MAP_TYPE_LRU_HASH = 9,
    BPF_MAP_TYPE_RINGBUF = 27,
    BPF_MAP_TYPE_TASK_STORAGE = 29
};
enum { BPF_ANY = 0, BPF_NOEXIST = 1 };
enum { BPF_F_NO_PREALLOC = 1, BPF_LOCAL_STORAGE_GET_F_CREATE = 1 };

#include <bpf/bpf_helpers.h>
#include <bpf/bpf_core_read.h>

#define IN_KERNEL __attribute__((preserve_access_index))

struct mm_struct;

/* Not only announced: libbpf compares what functions take. */
struct cpumask {
    unsigned long bits[1];
} IN_KERNEL;

/* A thread's number in a PID namespace. */
struct upid {
    int nr;
} IN_KERNEL;

struct pid {
    unsigned int level; /* of the namespace that it is in itself: 0 is the initial one */
    struct upid numbers[1];
} IN_KERNEL;

struct seq_file;

struct bpf_iter_meta {
    struct seq_file *seq;
} IN_KERNEL;

/* What programs get that list tasks. */
struct bpf_iter__task {
    struct bpf_iter_meta *meta;
    struct task_struct *task; /* null: the end */
} IN_KERNEL;

struct sched_ext_entity {
    __u64 slice;
    __u64 dsq_vtime;
    __u32 weight; /* by the nice value: 100 at 0, 1 to 10000 */
    __u32 flags;
} IN_KERNEL;

struct task_struct {
    unsigned int __state; /* 0: ready to run */
    int pid;
    int tgid;
    unsigned int policy;
    unsigned int rt_priority;
    struct pid *thread_pid;
    int nr_cpus_allowed;
    const struct cpumask *cpus_ptr;
    unsigned short migration_disabled;
    struct sched_ext_entity scx; /* with CONFIG_SCHED_CLASS_EXT */
    struct task_struct *real_parent;
    struct task_struct *group_leader;
    struct task_group *sched_task_group; /* with CONFIG_CGROUP_SCHED */
    struct mm_struct *mm;                /* null: a kernel thread, or one that ends */
    char comm[16];
} IN_KERNEL;

struct cgroup_subsys_state {
    __u64 serial_nr;
} IN_KERNEL;

/* A cgroup, as the kernel's own scheduler sees it. */
struct task_group {
    struct cgroup_subsys_state css;
    unsigned long shares; /* with CONFIG_FAIR_GROUP_SCHED: cpu.weight */
    struct task_group *parent;
} IN_KERNEL;

struct mm_struct {
    struct task_struct *owner; /* with CONFIG_MEMCG */
} IN_KERNEL;

#endif
