/* SPDX-License-Identifier: GPL-2.0-only */
/* What scheduler.bpf.c decides, on a machine of this program's own: what takes minutes in a guest, and what needs luck there. */
#include "machine.h"

#include "../../test/unit.h"

#define SECOND (1000 * MS)

static void add_hogs(int process, int threads)
{
    for (int i = 0; i < threads; i++)
        new_thread(process, ALWAYS, 0);
}

/* It may run there only. */
static void pin(struct thread *thread, int cpu)
{
    thread->cpu = cpu;
    thread->cpus.bits[0] = 1UL << cpu;
    thread->task.nr_cpus_allowed = 1;
}

static __u64 ran_of(int process)
{
    __u64 ran = 0;
    for (int i = 0; i < machine.thread_count; i++)
        if (machine.threads[i]->task.tgid == process + 1)
            ran += machine.threads[i]->ran;
    return ran;
}

static __u64 longest_wait(void)
{
    __u64 longest = 0;
    for (int i = 0; i < machine.thread_count; i++) {
        struct thread *thread = machine.threads[i];
        bool waits = thread->queued && machine.cpus[thread->cpu].runs != thread;
        __u64 now = waits ? machine.now - thread->ready_since : 0;
        longest = thread->longest_wait > longest ? thread->longest_wait : longest;
        longest = now > longest ? now : longest;
    }
    return longest;
}

/* What one of two processes ran of what both ran, in hundredths. */
static int share(int process, int other)
{
    return (int)(100 * ran_of(process) / (ran_of(process) + ran_of(other)));
}

CASE(batches_are_as_long_as_they_may_be)
{
    begin_machine(1, BATCH_ALWAYS);
    for (int process = 0; process < 4; process++)
        add_hogs(process, 2);
    go_on_for(10 * SECOND);
    CHECK(cpu_state(0)->batches >= 10 * SECOND / (68 * MS));
    CHECK(cpu_state(0)->batches <= 10 * SECOND / (60 * MS));
}

/* Batches in ten seconds of so many processes that compute. */
static int auto_batches(int tagged, int processes)
{
    begin_machine_with(1, BATCH_AUTO, tagged);
    for (int process = 0; process < processes; process++)
        add_hogs(process, 2);
    go_on_for(10 * SECOND);
    return (int)cpu_state(0)->batches;
}

CASE(batches_are_granted_where_more_wait_than_a_cpu_keeps_translations_of)
{
    CHECK(auto_batches(6, 7) <= 200);
    CHECK(auto_batches(6, 6) >= 2000);
    CHECK(auto_batches(1, 2) <= 200);
    CHECK(auto_batches(64, 40) >= 2000);
}

CASE(a_share_is_an_address_spaces_however_many_threads_it_has)
{
    begin_machine(2, BATCH_ALWAYS);
    add_hogs(0, 8);
    add_hogs(1, 2);
    add_hogs(2, 2);
    go_on_for(10 * SECOND);
    for (int process = 1; process < 3; process++) {
        CHECK(share(0, process) >= 48);
        CHECK(share(0, process) <= 51);
    }
    CHECK_EQUAL(20 * SECOND, ran_of(0) + ran_of(1) + ran_of(2));
}

CASE(a_share_is_as_nice_values_weigh_it)
{
    /* Of kernel/sched/core.c, in hundredths of nice 0's: of nice 0, 5, -5. */
    static const int weights[] = {100, 33, 305};
    begin_machine(2, BATCH_ALWAYS);
    for (int process = 0; process < 3; process++)
        for (int i = 0; i < 2; i++)
            new_thread(process, ALWAYS, 0)->task.scx.weight = weights[process];
    go_on_for(120 * SECOND);
    __u64 all = ran_of(0) + ran_of(1) + ran_of(2);
    for (int process = 0; process < 3; process++) {
        __u64 due = all * weights[process] / (100 + 33 + 305);
        CHECK(ran_of(process) >= due - due / 20);
        CHECK(ran_of(process) <= due + due / 20);
    }
}

CASE(nobody_starves_of_many_threads_of_an_address_space)
{
    for (int cpus = 1; cpus <= 2; cpus++) {
        begin_machine(cpus, BATCH_AUTO);
        add_hogs(0, 140);
        go_on_for(10 * SECOND);
        CHECK(longest_wait() <= 2 * SECOND);
    }
    begin_machine(2, BATCH_ALWAYS);
    add_hogs(0, 300);
    for (int process = 1; process < 4; process++)
        add_hogs(process, 2);
    go_on_for(20 * SECOND);
    CHECK(share(0, 1) <= 51);
}

/* Who comes last waits for all that have run less before, and may have what they have saved up. */
CASE(nobody_starves_of_many_address_spaces)
{
    begin_machine(2, BATCH_ALWAYS);
    add_hogs(0, 2);
    for (int process = 1; process < 400; process++)
        new_thread(process, MS / 10, 200 * MS);
    go_on_for(2 * SECOND);
    for (int process = 1; process < 500; process++)
        add_hogs(process, 1);
    go_on_for(20 * SECOND);
    CHECK(longest_wait() <= 6 * SECOND);
}

CASE(threads_of_an_address_space_take_turns_within_its_batch)
{
    begin_machine(1, BATCH_ALWAYS);
    add_hogs(0, 8);
    add_hogs(1, 1);
    go_on_for(10 * SECOND);
    CHECK(longest_wait() <= 250 * MS);
    CHECK(cpu_state(0)->batches <= 10 * SECOND / (60 * MS));
    /* Longer than 30 s the kernel would not have it. */
    begin_machine(1, BATCH_ALWAYS);
    add_hogs(0, 600);
    go_on_for(40 * SECOND);
    CHECK(longest_wait() <= 10 * SECOND);
}

CASE(who_was_alone_does_not_pay_for_it_when_siblings_come)
{
    static const unsigned batches[] = {BATCH_NEVER, BATCH_AUTO, BATCH_ALWAYS};
    for (int i = 0; i < 3; i++) {
        for (int cpus = 1; cpus <= 2; cpus++) {
            begin_machine(cpus, batches[i]);
            add_hogs(0, cpus);
            go_on_for(SECOND);
            add_hogs(0, 138);
            go_on_for(10 * SECOND);
            CHECK(longest_wait() <= 2 * SECOND);
        }
    }
}

/* How late a thread ran at most that had woken: one of a hundred was later. */
static __u64 late(struct thread *thread)
{
    int count = thread->wakes_count;
    for (int i = 0; i < count; i++) {
        int longer = 0;
        for (int j = 0; j < count; j++)
            longer += thread->late[j] > thread->late[i] || (thread->late[j] == thread->late[i] && j < i);
        if (longer == count / 100)
            return thread->late[i];
    }
    return 0;
}

CASE(who_wakes_while_the_line_has_its_turn_does_not_wait_for_a_batch)
{
    for (int phase = 0; phase < 10; phase++) {
        begin_machine(1, BATCH_ALWAYS);
        add_hogs(0, 1);
        add_hogs(1, 1);
        struct thread *sleepers[6];
        for (int i = 0; i < 6; i++)
            sleepers[i] = new_thread(2 + i, 5 * MS, (35 + 3 * i) * MS + i * (12345 + 100 * phase));
        go_on_for(20 * SECOND);
        for (int i = 0; i < 6; i++)
            CHECK(late(sleepers[i]) <= 4 * TICK);
    }
}

CASE(who_sleeps_wakes_soon_in_whatever_part_of_a_batch)
{
    for (int phase = 0; phase < 5; phase++) {
        begin_machine(1, BATCH_ALWAYS);
        for (int process = 0; process < 4; process++)
            add_hogs(process, 2);
        struct thread *probe = new_thread(4, MS / 50, 5 * MS);
        probe->wakes_at += phase * MS / 5;
        go_on_for(20 * SECOND);
        CHECK(late(probe) < MS);
    }
}

CASE(who_computes_for_moments_only_does_not_wait_for_others_that_are_urgent)
{
    for (int batch = BATCH_AUTO; batch <= BATCH_ALWAYS; batch++) {
        begin_machine(1, batch);
        add_hogs(0, 2);
        for (int process = 1; process < 6; process++)
            new_thread(process, 9 * MS / 10, (15 + process) * MS / 10);
        struct thread *probe = new_thread(6, MS / 50, 5 * MS);
        go_on_for(20 * SECOND);
        CHECK(late(probe) < MS / 5);
        CHECK(longest_wait() <= SECOND);
        CHECK(ran_of(0) > SECOND);
    }
}

CASE(who_is_woken_by_one_that_goes_on_does_not_wait_for_its_batch)
{
    begin_machine(2, BATCH_ALWAYS);
    struct thread *reader = new_thread(1, MS / 10, 0);
    reader->wakes_at = NEVER; /* but by the writer, which runs where the reader has been last */
    struct thread *writer = new_thread(0, 7 * MS, 0);
    writer->wakes = reader;
    go_on_for(SECOND);
    CHECK(reader->wakes_count > 100);
    CHECK(longest_wait() <= TICK);
}

/* One that sends so many messages to a reader, computes for so long and sleeps, again and again. */
static struct thread *add_writer(int messages, __u64 computes)
{
    struct thread *reader = new_thread(1, MS / 100, 0);
    reader->wakes_at = NEVER;
    struct thread *writer = new_thread(0, MS / 50, 3 * MS);
    writer->wakes = reader;
    writer->messages = messages;
    writer->computes = computes;
    return writer;
}

/* How often the reader of one that sends so many messages and then computes for so long had to be woken, of all messages: by 100. */
static int stops(int messages, __u64 computes)
{
    begin_machine(1, BATCH_ALWAYS);
    struct thread *writer = add_writer(messages, computes);
    go_on_for(10 * SECOND);
    return 100 * writer->wakes->wakes_count / writer->sent;
}

CASE(who_sends_on_the_only_cpu_is_not_stopped_for_each_message)
{
    for (int messages = 5; messages <= 33; messages++)
        CHECK(stops(messages, 0) <= 100 / messages + 5);
    /* But who computes after that, rather than to sleep, is. */
    CHECK(stops(5, 10 * MS) >= 90);
}

static struct thread *add_hog_on(int cpu, int process)
{
    struct thread *hog = new_thread(process, ALWAYS, 0);
    pin(hog, cpu);
    return hog;
}

/* Two that send to each other in turn, of a process each, and compute for so long before each message. */
static struct thread *add_pair(int process, __u64 burst)
{
    struct thread *one = new_thread(process, burst, 0);
    struct thread *other = new_thread(process + 1, burst, 0);
    one->wakes = other;
    other->wakes = one;
    one->messages = other->messages = 1;
    other->wakes_at = NEVER;
    other->cpu = machine.count - 1;
    return one;
}

/* In how many of a hundred moments two that send to each other were on one CPU. */
static int together(__u64 burst)
{
    begin_machine(2, BATCH_ALWAYS);
    struct thread *one = add_pair(0, burst);
    go_on_for(SECOND);
    int found = 0;
    for (int i = 0; i < 100; i++) {
        go_on_for(10 * MS);
        found += one->cpu == one->wakes->cpu;
    }
    return found;
}

CASE(two_that_send_to_each_other_stay_on_one_cpu)
{
    CHECK_EQUAL(100, together(MS / 100));
    CHECK_EQUAL(0, together(MS)); /* but not who has much in the caches of its CPU */
}

/* How late the reader is of one that sends so many messages, computes for so long and sleeps, where another CPU is idle. */
static __u64 lateness(int messages, __u64 computes)
{
    begin_machine(2, BATCH_ALWAYS);
    struct thread *reader = add_writer(messages, computes)->wakes;
    reader->cpu = 1;
    go_on_for(SECOND);
    CHECK(reader->wakes_count > 100);
    return late(reader);
}

CASE(nobody_waits_for_one_that_has_said_that_it_is_about_to_sleep_and_goes_on)
{
    CHECK_EQUAL(MS / 50, lateness(1, MS / 50));
    CHECK_EQUAL(0, lateness(1, MS / 10));
    CHECK_EQUAL(0, lateness(2, 0));
    /* Not long for one that does so for the first time either. */
    CHECK_EQUAL(MS / 50, lateness(1, MS / 50));
    machine.threads[1]->burst = 10 * MS;
    go_on_for(SECOND);
    machine.threads[1]->computes = 100 * MS;
    go_on_for(SECOND);
    CHECK(longest_wait() <= TICK);
}

CASE(nobody_waits_for_those_who_send_to_each_other)
{
    for (int batch = BATCH_NEVER; batch <= BATCH_ALWAYS; batch++) {
        begin_machine(2, batch);
        for (int i = 0; i < 4; i++)
            add_pair(2 * i, (10 + i) * MS / 1000);
        add_hogs(8, 2);
        struct thread *kernel = new_thread(KERNEL, ALWAYS, 0);
        struct thread *probe = new_thread(9, MS / 50, 5 * MS);
        go_on_for(20 * SECOND);
        CHECK(late(probe) <= TICK);
        CHECK(longest_wait() <= SECOND);
        CHECK(ran_of(8) > SECOND);
        CHECK(kernel->ran > SECOND);
    }
}

CASE(those_who_send_to_each_other_have_their_share_and_no_more)
{
    begin_machine(2, BATCH_ALWAYS);
    for (int process = 0; process < 30; process++)
        add_hogs(process, 1);
    add_pair(30, MS / 100);
    go_on_for(32 * SECOND);
    CHECK(ran_of(30) + ran_of(31) >= 3 * SECOND);
    CHECK(ran_of(30) + ran_of(31) <= 5 * SECOND);
}

CASE(those_who_send_to_each_other_do_not_use_up_at_once_what_they_have_saved)
{
    begin_machine(2, BATCH_ALWAYS);
    struct thread *one = add_pair(2, MS / 100);
    go_on_for(SECOND);
    struct thread *hogs[2];
    for (int cpu = 0; cpu < 2; cpu++)
        hogs[cpu] = add_hog_on(cpu, cpu);
    go_on_for(SECOND);
    one->wakes->wakes = NULL;
    go_on_for(SECOND);
    one->wakes->wakes = one;
    one->wakes_at = machine.now;
    int before = one->sent;
    go_on_for(SECOND);
    for (int cpu = 0; cpu < 2; cpu++)
        CHECK(hogs[cpu]->longest_wait <= 64 * MS / URGENT_PART + 2 * TICK);
    CHECK(one->sent - before > 1000);
}

CASE(those_who_send_to_each_other_go_away_from_one_that_may_run_on_their_cpu_only)
{
    for (int microseconds = 10; microseconds <= 11; microseconds++) {
        begin_machine(2, BATCH_ALWAYS);
        struct thread *one = add_pair(2, microseconds * MS / 1000);
        go_on_for(SECOND);
        struct thread *hog = add_hog_on(one->cpu, 0);
        go_on_for(10 * SECOND);
        CHECK(hog->longest_wait <= 64 * MS / URGENT_PART + 2 * TICK);
        CHECK(hog->ran > 9 * SECOND);
        CHECK(one->sent > 400000);
    }
}

CASE(two_pairs_that_send_to_each_other_do_not_stay_on_one_cpu)
{
    begin_machine(2, BATCH_ALWAYS);
    struct thread *one = add_pair(0, MS / 100);
    struct thread *two = add_pair(2, 11 * MS / 1000);
    for (int i = 0; i < 4; i++) {
        machine.threads[i]->cpu = 1;
        machine.threads[i]->cpus.bits[0] = 1UL << 1;
    }
    go_on_for(SECOND);
    CHECK(one->sent > 20000);
    CHECK(two->sent > 20000);
    for (int i = 0; i < 4; i++)
        machine.threads[i]->cpus = all_cpus;
    int before = one->sent + two->sent;
    go_on_for(SECOND);
    CHECK(one->sent + two->sent - before > 90000);
}

CASE(those_who_sent_to_each_other_alone_do_not_pay_for_it_when_others_come)
{
    begin_machine(2, BATCH_ALWAYS);
    struct thread *one = add_pair(0, MS / 100);
    go_on_for(60 * SECOND);
    add_hogs(2, 1);
    add_hogs(3, 1);
    go_on_for(10 * SECOND);
    CHECK(one->longest_wait <= 200 * MS);
    CHECK(one->wakes->longest_wait <= 200 * MS);
}

CASE(a_kernel_thread_that_computes_gives_way_to_who_wakes)
{
    begin_machine(1, BATCH_AUTO);
    new_thread(KERNEL, ALWAYS, 0);
    struct thread *probe = new_thread(0, MS / 50, 101 * MS);
    go_on_for(60 * SECOND);
    CHECK(late(probe) <= TICK);
}

CASE(two_kernel_threads_that_compute_give_way_to_who_wakes)
{
    begin_machine(1, BATCH_AUTO);
    new_thread(KERNEL, ALWAYS, 0);
    new_thread(KERNEL, ALWAYS, 0);
    struct thread *probe = new_thread(0, MS / 50, 7 * MS);
    new_thread(1, MS / 10, 11 * MS);
    go_on_for(60 * SECOND);
    CHECK(late(probe) <= 2 * TICK);
    CHECK(longest_wait() <= 8 * SECOND);
}

CASE(nobody_gains_by_a_nice_one_that_computes_elsewhere)
{
    begin_machine(2, BATCH_ALWAYS);
    struct thread *nice = add_hog_on(1, 0);
    nice->task.scx.weight = 1;
    struct thread *hogs[] = {add_hog_on(0, 1), add_hog_on(0, 2)};
    go_on_for(20 * SECOND);
    for (int i = 0; i < 2; i++) {
        CHECK(hogs[i]->ran > 9 * SECOND);
        CHECK(hogs[i]->longest_wait <= 200 * MS);
    }
}

CASE(two_that_send_to_each_other_stay_on_one_cpu_beside_those_who_may_not_run_there)
{
    begin_machine(4, BATCH_ALWAYS);
    for (int i = 0; i < 3; i++) {
        struct thread *hog = new_thread(i, ALWAYS, 0);
        hog->cpus.bits[0] = 3; /* the first two CPUs */
        hog->task.nr_cpus_allowed = 2;
    }
    struct thread *one = add_pair(4, MS / 100);
    one->cpu = 2;
    one->cpus.bits[0] = one->wakes->cpus.bits[0] = 12;
    one->task.nr_cpus_allowed = one->wakes->task.nr_cpus_allowed = 2;
    go_on_for(10 * SECOND);
    CHECK(one->enqueued <= one->sent / 10);
}

CASE(who_gives_way_and_is_alone_in_its_address_space_waits_for_others)
{
    for (int batch = BATCH_NEVER; batch <= BATCH_ALWAYS; batch++) {
        begin_machine(1, batch);
        struct thread *looks = new_thread(0, MS / 10, 0);
        looks->gives_way = true;
        add_hogs(1, 2);
        add_hogs(2, 2);
        go_on_for(10 * SECOND);
        CHECK(ran_of(0) <= SECOND / 2);
        /* Of the two one has a slice, the other may have a batch, before it looks again. */
        CHECK(looks->longest_wait <= 64 * MS + 2 * TICK);
        CHECK(share(1, 2) >= 48 && share(1, 2) <= 52);
    }
}

CASE(several_who_give_way_do_not_go_before_one_that_computes)
{
    for (int cpus = 1; cpus <= 2; cpus++) {
        begin_machine(cpus, BATCH_ALWAYS);
        for (int process = 0; process < 6; process++)
            new_thread(process, MS / 20, 0)->gives_way = true;
        add_hogs(6, cpus);
        go_on_for(10 * SECOND);
        CHECK(ran_of(6) >= 9 * cpus * SECOND);
        CHECK(longest_wait() <= 3 * TICK);
    }
}

CASE(who_gives_way_to_one_of_its_address_space_does_not_end_the_batch)
{
    begin_machine(2, BATCH_ALWAYS);
    for (int process = 0; process < 4; process++) {
        new_thread(process, MS / 10, 0)->gives_way = true;
        add_hogs(process, 1);
    }
    go_on_for(10 * SECOND);
    CHECK(cpu_state(0)->batches <= 10 * SECOND / (60 * MS));
    CHECK(cpu_state(1)->batches <= 10 * SECOND / (60 * MS));
}

/* Processes of few or many threads, some of which sleep, some may run on one CPU only: 1 to 4 CPUs, 1 to 12 processes. */
static void begin_at_random(unsigned seed)
{
    srand(seed);
    int cpus = 1 + rand() % 4;
    begin_machine(cpus, rand() % 3);
    int processes = 1 + rand() % 12;
    (void)rand();
    for (int process = 0; process < processes; process++) {
        int threads = rand() % 6 == 0 ? 1 + rand() % 60 : 1 + rand() % 4;
        int kind = rand() % 3;
        for (int i = 0; i < threads; i++) {
            bool sleeps = kind == 2 ? rand() % 2 : kind;
            __u64 burst = sleeps ? 1000 + rand() % (10 * MS) : ALWAYS;
            struct thread *thread = new_thread(process, burst, sleeps ? 1 + rand() % (30 * MS) : 0);
            if (sleeps && rand() % 8 == 0)
                thread->gives_way = true;
            if (rand() % 5 == 0)
                pin(thread, rand() % cpus);
        }
    }
    for (int pairs = rand() % 4; pairs > 0; pairs--, processes += 2)
        add_pair(processes, 1000 + rand() % (MS / 10));
}

CASE(who_leaves_the_class_out_of_a_line_counts_no_more)
{
    begin_machine(1, BATCH_ALWAYS);
    add_hogs(0, 3);
    add_hogs(1, 2);
    go_on_for(SECOND);
    for (int i = 0; i < machine.thread_count; i++)
        if (machine.threads[i] != machine.cpus[0].runs)
            leave_class(machine.threads[i]);
    CHECK_EQUAL(0, crowd);
    CHECK_EQUAL(1, find_space((__u64)machine.cpus[0].runs->task.mm)->active);
    CHECK_EQUAL(USUAL_WEIGHT, all_load);
}

CASE(nobody_starves_at_random)
{
    for (unsigned seed = 0; seed < 30; seed++) {
        begin_at_random(seed);
        go_on_for(20 * SECOND);
        if (longest_wait() > 8 * SECOND)
            printf("seed %u: %llu ms\n", seed, longest_wait() / MS);
        CHECK(longest_wait() <= 8 * SECOND);
    }
}

int main(void)
{
    RUN(batches_are_as_long_as_they_may_be);
    RUN(batches_are_granted_where_more_wait_than_a_cpu_keeps_translations_of);
    RUN(a_share_is_an_address_spaces_however_many_threads_it_has);
    RUN(a_share_is_as_nice_values_weigh_it);
    RUN(nobody_starves_of_many_threads_of_an_address_space);
    RUN(nobody_starves_of_many_address_spaces);
    RUN(threads_of_an_address_space_take_turns_within_its_batch);
    RUN(who_was_alone_does_not_pay_for_it_when_siblings_come);
    RUN(who_wakes_while_the_line_has_its_turn_does_not_wait_for_a_batch);
    RUN(who_sleeps_wakes_soon_in_whatever_part_of_a_batch);
    RUN(who_computes_for_moments_only_does_not_wait_for_others_that_are_urgent);
    RUN(who_is_woken_by_one_that_goes_on_does_not_wait_for_its_batch);
    RUN(who_sends_on_the_only_cpu_is_not_stopped_for_each_message);
    RUN(two_that_send_to_each_other_stay_on_one_cpu);
    RUN(nobody_waits_for_one_that_has_said_that_it_is_about_to_sleep_and_goes_on);
    RUN(nobody_waits_for_those_who_send_to_each_other);
    RUN(those_who_send_to_each_other_have_their_share_and_no_more);
    RUN(those_who_send_to_each_other_do_not_use_up_at_once_what_they_have_saved);
    RUN(those_who_send_to_each_other_go_away_from_one_that_may_run_on_their_cpu_only);
    RUN(two_pairs_that_send_to_each_other_do_not_stay_on_one_cpu);
    RUN(those_who_sent_to_each_other_alone_do_not_pay_for_it_when_others_come);
    RUN(a_kernel_thread_that_computes_gives_way_to_who_wakes);
    RUN(two_kernel_threads_that_compute_give_way_to_who_wakes);
    RUN(nobody_gains_by_a_nice_one_that_computes_elsewhere);
    RUN(two_that_send_to_each_other_stay_on_one_cpu_beside_those_who_may_not_run_there);
    RUN(who_gives_way_and_is_alone_in_its_address_space_waits_for_others);
    RUN(several_who_give_way_do_not_go_before_one_that_computes);
    RUN(who_gives_way_to_one_of_its_address_space_does_not_end_the_batch);
    RUN(who_leaves_the_class_out_of_a_line_counts_no_more);
    RUN(nobody_starves_at_random);
    return verdict();
}
