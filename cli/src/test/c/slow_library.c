/*
 * A library whose constructor, which runs with the dynamic linker's lock held, goes on until it has been kept from the CPU for
 * a while, and for some milliseconds of its CPU time more.
 */
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#define KEPT_FROM_CPU_NS 5000000L
#define WORK_NS 3000000L

static long time_ns(clockid_t clock)
{
    struct timespec time;
    clock_gettime(clock, &time);
    return time.tv_sec * 1000000000L + time.tv_nsec;
}

__attribute__((constructor)) static void work_with_lock(void)
{
    static const char inside[] = "#inside# the dynamic linker #inside.\n";
    if (write(STDOUT_FILENO, inside, sizeof inside - 1) < 0)
        abort();
    long last, now = time_ns(CLOCK_MONOTONIC);
    do {
        last = now;
        now = time_ns(CLOCK_MONOTONIC);
    } while (now - last < KEPT_FROM_CPU_NS);
    for (long start = time_ns(CLOCK_THREAD_CPUTIME_ID); time_ns(CLOCK_THREAD_CPUTIME_ID) - start < WORK_NS;)
        continue;
}
