#define _GNU_SOURCE
#include "line.h"
#include "require.h"

#include <math.h>
#include <mpi.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>

/* The bounds of ayatori.bench.load.Distance. */
#define ONE_CORE_NANOS 50
#define NEAR_NANOS 120

/* The quickest burst counts: the others may have been disturbed. */
#define BURSTS 8
#define TIMES 500

#define PAGE_BYTES 4096

static MPI_Win window;
static atomic_long *line;
static long number;
static int me;
static int ranks;
/* That more ranks than two share. */
static cpu_set_t cpus;

void line_open(void)
{
    void *part;
    MPI_Aint size;
    int unit;
    MPI_Comm_rank(MPI_COMM_WORLD, &me);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    if (ranks != 2) {
        require(sched_getaffinity(0, sizeof cpus, &cpus) == 0, "sched_getaffinity");
        if (CPU_COUNT(&cpus) != 2)
            return;
    }
    MPI_Win_allocate_shared(me == 0 ? PAGE_BYTES : 0, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &part, &window);
    MPI_Win_shared_query(window, 0, &size, &unit, &part);
    require(size >= PAGE_BYTES, "no shared memory for a line");
    line = (atomic_long *)((char *)part + PAGE_BYTES / 2); /* with nothing beside it */
    if (me == 0)
        atomic_store(line, 0);
    MPI_Barrier(MPI_COMM_WORLD);
}

void line_close(void)
{
    if (line == NULL)
        return;
    MPI_Win_free(&window);
    line = NULL;
}

static void await(atomic_long *there, long wanted)
{
    while (atomic_load_explicit(there, memory_order_acquire) != wanted) {
        /* The sooner it is seen, the better. */
    }
}

static void move_to(const cpu_set_t *where)
{
    require(sched_setaffinity(0, sizeof *where, where) == 0, "sched_setaffinity");
}

/* One of the two that the ranks share for each of two ranks. */
static cpu_set_t own_cpu(void)
{
    int step = me == 0 ? 1 : -1;
    int cpu = me == 0 ? 0 : CPU_SETSIZE - 1;
    while (!CPU_ISSET(cpu, &cpus))
        cpu += step;
    cpu_set_t own;
    CPU_ZERO(&own);
    CPU_SET(cpu, &own);
    return own;
}

static double quickest_burst(void)
{
    atomic_long *there = line; /* not looked up again each time that it is looked at */
    double quickest = 1;
    for (int i = 0; i < BURSTS; i++) {
        double begin = MPI_Wtime();
        for (int k = 0; k < TIMES; k++, number += 2) {
            if (me != 0)
                await(there, number + 1);
            atomic_store_explicit(there, number + 1 + me, memory_order_release);
            if (me == 0)
                await(there, number + 2);
        }
        double took = MPI_Wtime() - begin;
        quickest = took < quickest ? took : quickest;
    }
    return quickest * 1e9 / (2.0 * TIMES);
}

double line_nanos(void)
{
    if (ranks == 2)
        return quickest_burst();
    if (me > 1)
        return NAN;
    cpu_set_t own = own_cpu();
    move_to(&own);
    double nanos = quickest_burst();
    move_to(&cpus);
    return nanos;
}

double line_shared(void)
{
    if (line == NULL)
        return NAN;
    double nanos = line_nanos();
    MPI_Bcast(&nanos, 1, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    return nanos;
}

void line_print_longer(double nanos, double others)
{
    if (isnan(nanos))
        puts(",NaN");
    else
        printf(",%.1f\n", nanos > others ? nanos : others);
}

static int distance(double nanos)
{
    return nanos <= ONE_CORE_NANOS ? 0 : nanos <= NEAR_NANOS ? 1 : 2;
}

bool line_same_distance(double nanos, double others)
{
    return distance(nanos) == distance(others);
}
