/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What cgroups weigh: shares as the kernel's own scheduler gives them. In each cgroup the spaces and the cgroups right in it
 * that have something to run share what it has, by their weights. May be called by operations of sched_ext only.
 *
 * Nothing here is locked: what a cgroup or a space counts for one level further up is a word that is exchanged, so that
 * whatever has been added is taken off again once.
 */
#ifndef AYATORI_CGROUPS_BPF_H
#define AYATORI_CGROUPS_BPF_H

#include "sched_ext_types.h"

/* MOST_TRIES: CPUs that get in each other's way leave it to the next that comes. */
enum { MOST_GROUPS = 16384, DEEPEST = 16, MOST_TRIES = 4, WEIGHT_BITS = 14, SCALE_BITS = 20 };

#define USUAL_WEIGHT 100
#define UNSCALED (1ULL << SCALE_BITS)
#define STEEPEST (UNSCALED << 16) /* of one level: what it is multiplied with next fits too */

struct group {
    __u64 parent; /* its number; 0: none */
    __s64 load;   /* the weights of what has something to run right in it */
    __u32 weight;
    __u32 counted; /* of the weight, in the parent's load: all or nothing */
};

/* By a number that is never given again. Those that are gone are thrown out when there is no more room. */
struct {
    __uint(type, BPF_MAP_TYPE_LRU_HASH);
    __uint(max_entries, MOST_GROUPS);
    __type(key, __u64);
    __type(value, struct group);
} groups SEC(".maps");

/* The weights of all spaces that have something to run. */
__s64 all_load;

/* The cgroup that the kernel counts the thread in; null: this kernel has none. */
static __always_inline struct task_group *group_of(struct task_struct *thread)
{
    if (!bpf_core_field_exists(thread->sched_task_group) || !bpf_core_field_exists(struct task_group, shares))
        return 0;
    struct task_group *group = thread->sched_task_group;
    /* Without a number it is a session's (autogroup), which is no cgroup: its parent is the first. */
    return group->css.serial_nr ? group : group->parent;
}

static __always_inline __u32 weight_of(struct task_group *group)
{
    /* 2^20 is what 100 is for cpu.weight. */
    __u32 weight = (BPF_CORE_READ(group, shares) * USUAL_WEIGHT + (1 << 19)) >> 20;
    return weight ? weight : 1;
}

/* Counts the group for its parent, or not any more: what that adds to the parent's load. */
static __always_inline __s64 recount(struct group *group)
{
    __s64 change = 0;
    for (int i = 0; i < MOST_TRIES; i++) {
        __u32 weight = *(volatile __s64 *)&group->load > 0 ? group->weight : 0;
        change += (__s64)weight - __sync_lock_test_and_set(&group->counted, weight);
        if ((*(volatile __s64 *)&group->load > 0) == (weight > 0))
            break;
    }
    return change;
}

__noinline int add_load(__u64 number, __s64 change)
{
    for (int i = 0; i < DEEPEST && number && change; i++) {
        struct group *group = bpf_map_lookup_elem(&groups, &number);
        if (!group)
            break;
        __sync_fetch_and_add(&group->load, change);
        change = recount(group);
        number = group->parent;
    }
    return 0;
}

/* As it is by now; null: there is no room. */
static __always_inline struct group *know_group(struct task_group *of, __u64 number)
{
    struct group *group = bpf_map_lookup_elem(&groups, &number);
    __u32 weight = weight_of(of);
    if (!group) {
        struct group new_group = {.parent = BPF_CORE_READ(of, parent, css.serial_nr), .weight = weight};
        bpf_map_update_elem(&groups, &number, &new_group, BPF_NOEXIST);
        return bpf_map_lookup_elem(&groups, &number);
    }
    if (group->weight != weight) {
        group->weight = weight;
        add_load(group->parent, recount(group));
    }
    return group;
}

/*
 * How fast the virtual time of a space in this cgroup goes: by how much its part is smaller than if all that have something to
 * run shared alike, in steps of 1 / UNSCALED. Where all are in one cgroup it goes as it would without. By an address, so
 * that the kernel's verifier looks at it once, and not again for each call.
 */
__noinline __u64 scale_in(__u64 address)
{
    struct task_group *of = (struct task_group *)address;
    __u64 scale = UNSCALED;
    for (int i = 0; i < DEEPEST && of; i++) {
        __u64 number = BPF_CORE_READ(of, css.serial_nr);
        struct task_group *parent = BPF_CORE_READ(of, parent);
        if (!number) { /* as above */
            of = parent;
            continue;
        }
        struct group *group = know_group(of, number);
        if (!group)
            break;
        __s64 load = group->load;
        __s64 whole = parent ? group->weight : all_load;
        if (load > 0 && whole > 0)
            scale = scale * load / whole;
        if (scale > STEEPEST)
            scale = STEEPEST;
        of = parent;
    }
    return scale;
}

/* A space's word: the cgroup in whose load it is, and with what weight; 0: in none. */
static __always_inline void count_as(__u64 *word, __u64 new_word)
{
    __u64 old_word = __sync_lock_test_and_set(word, new_word);
    __s64 old_weight = old_word & ((1 << WEIGHT_BITS) - 1);
    __s64 new_weight = new_word & ((1 << WEIGHT_BITS) - 1);
    add_load(old_word >> WEIGHT_BITS, -old_weight);
    add_load(new_word >> WEIGHT_BITS, new_weight);
    __sync_fetch_and_add(&all_load, new_weight - old_weight);
}

#endif
