/*
 * An allocator, for LD_PRELOAD, whose lock is held for long: malloc(SLOW_SIZE) takes it, and its first caller keeps it
 * until a second one waits for it, and for some milliseconds of its CPU time more. All other calls are glibc's.
 */
#define _GNU_SOURCE
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#define SLOW_SIZE 7777776
#define WORK_NS 3000000L

extern void *__libc_malloc(size_t size);

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static atomic_int callers;

static long cpu_time_ns(void)
{
    struct timespec time;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return time.tv_sec * 1000000000L + time.tv_nsec;
}

void *malloc(size_t size)
{
    static const char inside[] = "#inside# the allocator #inside.\n";
    if (size != SLOW_SIZE)
        return __libc_malloc(size);
    int before = atomic_fetch_add(&callers, 1);
    pthread_mutex_lock(&lock);
    if (before == 0) {
        if (write(STDOUT_FILENO, inside, sizeof inside - 1) < 0)
            abort();
        while (atomic_load(&callers) < 2)
            continue;
        for (long start = cpu_time_ns(); cpu_time_ns() - start < WORK_NS;)
            continue;
    }
    pthread_mutex_unlock(&lock);
    return __libc_malloc(size);
}
