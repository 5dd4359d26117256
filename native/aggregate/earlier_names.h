/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Linux 6.12 has sched_ext's functions for queues under other names. What a kernel does not have, libbpf leaves out with the
 * branch that calls it. For scheduler.bpf.c, instead of the names in sched_ext_types.h.
 */
#ifndef AYATORI_EARLIER_NAMES_H
#define AYATORI_EARLIER_NAMES_H

#include "sched_ext_types.h"

extern void scx_bpf_dispatch(struct task_struct *thread, __u64 queue, __u64 slice, __u64 flags) __ksym __weak;
extern void scx_bpf_dispatch_vtime(struct task_struct *thread, __u64 queue, __u64 slice, __u64 vtime,
                                   __u64 flags) __ksym __weak;
extern bool scx_bpf_consume(__u64 queue) __ksym __weak;
extern bool scx_bpf_dispatch_from_dsq(struct bpf_iter_scx_dsq *from, struct task_struct *thread, __u64 queue,
                                      __u64 flags) __ksym __weak;

/* Macros: so calls stay where the verifier wants them, with the iterator at hand. Untried: no kernel of Debian's has these. */
#define EITHER(now, earlier, ...) (now ? now(__VA_ARGS__) : earlier(__VA_ARGS__))

#define scx_bpf_dsq_insert(...) EITHER(scx_bpf_dsq_insert, scx_bpf_dispatch, __VA_ARGS__)
#define scx_bpf_dsq_insert_vtime(...) EITHER(scx_bpf_dsq_insert_vtime, scx_bpf_dispatch_vtime, __VA_ARGS__)
#define scx_bpf_dsq_move_to_local(...) EITHER(scx_bpf_dsq_move_to_local, scx_bpf_consume, __VA_ARGS__)
#define scx_bpf_dsq_move(...) EITHER(scx_bpf_dsq_move, scx_bpf_dispatch_from_dsq, __VA_ARGS__)

#endif
