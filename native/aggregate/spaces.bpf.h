/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Threads, their address spaces, and where these stand in a line: what scheduler.bpf.c keeps of them. May be called by
 * operations of sched_ext only, each in a CPU's run queue lock.
 */
#ifndef AYATORI_SPACES_BPF_H
#define AYATORI_SPACES_BPF_H

#include "cgroups.bpf.h"
#include "scheduler.h"

#define MS 1000000ULL
#define SCALED_EVERY MS  /* who wakes and sleeps more often than that does not pay for it each time */
#define MOST_BEHIND 16   /* batches: no space is sent further back */
#define TURN (1000 * MS) /* with many spaces batches become shorter, so that each has its turn in this time of a CPU */
#define TURNS_BEHIND 4   /* nor is it sent back by more of these */

/* A place in a line: the space's place in steps of 2^20 ns, its number, the thread's place among its threads. */
enum { STEP = 20, NUMBER_BITS = 12, THREAD_BITS = 18, THREAD_STEP = 14, SPACE_SHIFT = NUMBER_BITS + THREAD_BITS };

const volatile struct scheduler_settings settings SEC(".rodata.settings");

/* The place of the space that was begun with last: those that come now stand about there. */
__u64 present_ns = 1ULL << 40; /* no place is 0 */
/* Spaces of which a thread waits. */
__u32 crowd;
__u32 last_number;

/* Of a thread. */
struct thread_state {
    __u64 space;     /* the address of its mm_struct; 0: the kernel's */
    __u64 since;     /* runs, and has been charged until then; 0: does not run */
    __u64 burst_ns;  /* ran since it woke */
    __u64 asleep_at; /* went to sleep */
    __u64 mean_burst_ns;
    __u64 mean_sleep_ns;
    __u64 vtime_ns;
    __u64 waits_since;
    __u32 in_line;
    __u32 active; /* waits or runs, and counts as that in its space */
    __u32 urgent;
    __u32 waits_for_waker; /* which has told select_cpu that it is about to sleep */
    __u32 yields;          /* has called sched_yield, and it is for other spaces */
    __u32 gave_way;        /* was urgent, and has been pushed aside by one that is more so */
    /* Where it wakes others that may run on its CPU only, and would be stopped by them. */
    __u64 woke_ns; /* into its burst: the last time, or when it was let go on */
    __u64 between_wakes_ns;
    __u32 let_go_on; /* since it woke */
    __u32 sends_on;  /* it uses that */
    /* Where it wakes another one and says that it is about to sleep. */
    __u64 promised_ns; /* into its burst; 0: it has not */
    __u32 promised_again;
    __u32 promises_kept; /* times in a row that it has slept soon after, and not woken a second one before */
};

struct {
    __uint(type, BPF_MAP_TYPE_TASK_STORAGE);
    __uint(map_flags, BPF_F_NO_PREALLOC);
    __type(key, int);
    __type(value, struct thread_state);
} threads SEC(".maps");

/* By the address of the mm_struct. */
struct {
    __uint(type, BPF_MAP_TYPE_HASH);
    __uint(max_entries, SCHEDULER_MOST_SPACES);
    __type(key, __u64);
    __type(value, struct scheduler_space);
} spaces SEC(".maps");

struct {
    __uint(type, BPF_MAP_TYPE_ARRAY);
    __uint(max_entries, SCHEDULER_MOST_CPUS);
    __type(key, __u32);
    __type(value, struct scheduler_cpu);
} cpus SEC(".maps");

static const struct scheduler_space new_space;

static __always_inline bool after(__u64 one, __u64 other)
{
    return (__s64)(one - other) > 0;
}

static __always_inline void advance_to(__u64 place_ns)
{
    if (after(place_ns, present_ns))
        present_ns = place_ns;
}

static __always_inline struct thread_state *state_of(struct task_struct *thread)
{
    return bpf_task_storage_get(&threads, thread, 0, 0);
}

static __always_inline struct scheduler_cpu *cpu_state(__s32 cpu)
{
    __u32 key = cpu;
    return bpf_map_lookup_elem(&cpus, &key);
}

static __always_inline struct scheduler_space *find_space(__u64 space)
{
    return bpf_map_lookup_elem(&spaces, &space);
}

/* If its process is what the space is called after: not one that has borrowed it by vfork. */
static __always_inline bool owns_space(struct task_struct *thread)
{
    return thread->mm && bpf_core_field_exists(struct mm_struct, owner) && thread->mm->owner == thread;
}

/* Of a thread that has an address space; null: there is no room for its space, which then stands at the present. */
static __always_inline struct scheduler_space *join_space(struct task_struct *thread, __u64 space)
{
    struct scheduler_space *found = find_space(space);
    if (!found) {
        bpf_map_update_elem(&spaces, &space, &new_space, BPF_NOEXIST);
        found = find_space(space);
        if (!found)
            return 0;
        found->vtime_ns = present_ns;
        found->place_ns = present_ns;
        found->number = __sync_fetch_and_add(&last_number, 1);
    }
    if (!found->threads || (owns_space(thread) && found->pid != (unsigned)thread->tgid)) {
        /* Of a predecessor at the same address, whose last thread the kernel has not put away yet, nothing is to be inherited. */
        found->pid = thread->tgid;
        found->vtime_ns = present_ns;
        found->place_ns = present_ns;
        found->ran_ns = 0;
        found->batches = 0;
        bpf_probe_read_kernel_str(found->name, sizeof found->name, thread->group_leader->comm);
    }
    __sync_fetch_and_add(&found->threads, 1);
    return found;
}

static __always_inline __u32 nice_weight(struct task_struct *thread)
{
    __u32 weight = thread->scx.weight;
    return weight ? weight : USUAL_WEIGHT;
}

/* The space counts in the thread's cgroup as long as one of its threads waits or runs, and its virtual time goes as there. */
static __always_inline void weigh(struct task_struct *thread, struct scheduler_space *space, __u64 now)
{
    struct task_group *group = group_of(thread);
    __u64 number = group ? group->css.serial_nr : 0;
    __u64 weight = nice_weight(thread);
    if (number != space->group || now - space->scaled_at > SCALED_EVERY) {
        __u64 scale = number ? scale_in((__u64)BPF_CORE_READ(thread, sched_task_group)) : UNSCALED;
        space->scale = scale * USUAL_WEIGHT / weight;
        space->scaled_at = now;
        space->group = number;
    }
    __u64 word = number ? number << WEIGHT_BITS | weight : 0;
    if (word != space->counted)
        count_as(&space->counted, word);
    if (*(volatile int *)&space->active <= 0)
        count_as(&space->counted, 0); /* the last one has gone to sleep meanwhile */
}

static __always_inline void become_active(struct task_struct *thread, struct thread_state *state,
                                          struct scheduler_space *space)
{
    if (!space || state->active)
        return;
    state->active = 1;
    if (__sync_fetch_and_add(&space->active, 1) == 0)
        weigh(thread, space, bpf_ktime_get_ns());
}

static __always_inline void become_inactive(struct thread_state *state, struct scheduler_space *space)
{
    if (!state->active)
        return;
    state->active = 0;
    if (space && __sync_fetch_and_add(&space->active, -1) == 1)
        count_as(&space->counted, 0);
}

static __always_inline void leave_space(__u64 space)
{
    struct scheduler_space *found = find_space(space);
    if (found && __sync_fetch_and_add(&found->threads, -1) <= 1)
        bpf_map_delete_elem(&spaces, &space);
}

/* The thread's space, into which it moves if it has another one than before: it has called exec. */
static __always_inline struct scheduler_space *space_of(struct task_struct *thread, struct thread_state *state)
{
    __u64 space = (__u64)thread->mm;
    if (space && space != state->space) {
        become_inactive(state, find_space(state->space));
        if (state->space)
            leave_space(state->space);
        state->space = space;
        return join_space(thread, space);
    }
    struct scheduler_space *known = state->space ? find_space(state->space) : 0;
    if (known || !space)
        return known;
    /* There was no room, or the last thread of who had this address before has taken it along. */
    state->active = 0;
    state->in_line = 0;
    return join_space(thread, space);
}

/* Charges a thread that runs with what it ran since the last time. Its space, if it has one. */
static __always_inline struct scheduler_space *charge(struct task_struct *thread, struct thread_state *state,
                                                      struct scheduler_cpu *cpu, __u64 now)
{
    if (!state->since)
        return find_space(state->space);
    __u64 ran = now - state->since;
    state->since = now;
    state->burst_ns += ran;
    state->vtime_ns += ran * USUAL_WEIGHT / nice_weight(thread);
    if (state->space == cpu->space)
        cpu->used_ns += ran;
    struct scheduler_space *space = find_space(state->space);
    if (space) {
        if (now - space->scaled_at > SCALED_EVERY)
            weigh(thread, space, now);
        __sync_fetch_and_add(&space->vtime_ns, ran * space->scale >> SCALE_BITS);
        __sync_fetch_and_add(&space->ran_ns, ran);
    }
    return space;
}

/* What each of so many spaces may run so that all of them have their turn in time. */
static __always_inline __u64 part_of_turn(__u32 ready)
{
    return TURN * settings.cpus / ready;
}

static __always_inline __u32 ready_spaces(void)
{
    return (__s32)crowd > 1 ? crowd : 1; /* one CPU may have taken off what another has yet to add */
}

/* So far may a space be behind the present: it waits until all others have run as much. */
static __always_inline __u64 most_behind(__u32 ready)
{
    __u64 most = TURNS_BEHIND * part_of_turn(ready);
    return most < MOST_BEHIND * settings.batch_ns ? most : MOST_BEHIND * settings.batch_ns;
}

/* So much may who did not want to run have saved up: one batch, of those that are granted where so many are ready. */
static __always_inline __u64 most_saved(void)
{
    __u64 part = part_of_turn(ready_spaces());
    return part < settings.batch_ns ? part : settings.batch_ns;
}

/* The space goes where its virtual time is by now. */
static __always_inline void replace(struct scheduler_space *space)
{
    __u64 furthest = present_ns + most_behind(ready_spaces());
    if (after(space->vtime_ns, furthest))
        space->vtime_ns = furthest;
    space->place_ns = space->vtime_ns;
    space->thread_base_ns = space->thread_vtime_ns;
}

/*
 * Who did not want to run has not saved up more than one batch; and a thread that ran while the others of its space did not want
 * to is not further behind them than two slices.
 */
static __always_inline void catch_up(struct task_struct *thread, struct thread_state *state,
                                     struct scheduler_space *space)
{
    __u64 earliest = present_ns - most_saved();
    if (after(earliest, space->vtime_ns)) {
        space->vtime_ns = earliest;
        replace(space);
    }
    earliest = space->thread_vtime_ns - settings.batch_ns;
    if (after(earliest, state->vtime_ns))
        state->vtime_ns = earliest;
    __u64 latest = space->thread_vtime_ns + 2 * settings.slice_ns * USUAL_WEIGHT / nice_weight(thread);
    if (after(state->vtime_ns, latest))
        state->vtime_ns = latest;
}

/* The part of a place that is the space's. */
static __always_inline __u64 space_part(__u64 place_ns)
{
    return place_ns >> STEP << SPACE_SHIFT;
}

static __always_inline __u64 place(struct scheduler_space *space, struct thread_state *state)
{
    if (!space)
        return space_part(present_ns);
    __s64 among = ((__s64)(state->vtime_ns - space->thread_base_ns) >> THREAD_STEP) + (1 << (THREAD_BITS - 1));
    if (among < 0)
        among = 0;
    if (among >= 1 << THREAD_BITS)
        among = (1 << THREAD_BITS) - 1;
    return space_part(space->place_ns) | (space->number & ((1 << NUMBER_BITS) - 1)) << THREAD_BITS | among;
}

static __always_inline void enter_line(struct thread_state *state, struct scheduler_space *space)
{
    state->waits_since = bpf_ktime_get_ns();
    if (!space || state->in_line)
        return;
    state->in_line = 1;
    if (__sync_fetch_and_add(&space->waiting, 1) == 0)
        __sync_fetch_and_add(&crowd, 1);
}

static __always_inline void leave_line(struct thread_state *state, struct scheduler_space *space)
{
    if (!state->in_line)
        return;
    state->in_line = 0;
    if (space && __sync_fetch_and_add(&space->waiting, -1) == 1)
        __sync_fetch_and_add(&crowd, -1);
}

#endif
