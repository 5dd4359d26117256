/* SPDX-License-Identifier: GPL-2.0-only */
/* A scheduler with one queue for all CPUs, first in, first out: the kernel's own for schedulers without queues. */
#include "sched_ext_types.h"

#include <bpf/bpf_tracing.h>

enum { SLICE_NS = 20000000 }; /* the kernel's default */

SEC("struct_ops/enqueue")
void BPF_PROG(enqueue, struct task_struct *thread, __u64 flags)
{
    scx_bpf_dsq_insert(thread, SCX_DSQ_GLOBAL, SLICE_NS, flags);
}

SEC(".struct_ops") struct sched_ext_ops fifo = {.enqueue = (void *)enqueue, .name = "fifo"};

char _license[] SEC("license") = "GPL";
