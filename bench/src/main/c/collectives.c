/*
 * The peer of `bench/run collectives` in C: what ayatori.bench.load.CollectiveTimes does, step by step, by MPI.
 *   mpiexec -n RANKS PROGRAM BUDGET_MILLISECONDS LARGEST_BYTES
 * prints "result,library,NAME" and for hot and varied buffers, each operation and size
 * "result,hot|varied,OPERATION,BYTES,MEDIAN_US,P10_US,CHECKSUM,LINE_NS", the last NaN if more ranks than two have more CPUs
 * than two. As the OSU micro-benchmarks do, it counts what the operation takes on each rank, not the barrier after it, and
 * takes the mean over the ranks. Ends by itself after ten minutes.
 */
#define _GNU_SOURCE
#include <inttypes.h>
#include <mpi.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "line.h"
#include "require.h"

#define LIMIT_SECONDS 600

#define BURST_SECONDS 500e-6
#define LEAST_BURSTS 5
#define MOST_BURSTS 2000
#define PERIOD 1000 /* of what the ranks give */

#define AREA_BYTES (128L << 20) /* of all ranks together, given and got each: more than caches hold */
#define MOST_PLACES 4096
#define ALIGNMENT 64

static const int sizes[] = {8, 256, 4 << 10, 32 << 10, 256 << 10, 1 << 20};
#define SIZES (sizeof sizes / sizeof sizes[0])

static int me;
static int ranks;
static int count; /* elements of a block */
static int part;  /* of what is reduced and scattered, each rank's */
static double *give_area;
static double *get_area;
static long area_elements;
static bool varied; /* other buffers each time */
static long step;   /* elements from the buffers of one time to those of the next */
static long places;
static long place;
static double *give;
static double *get;
static int *parts;

static void barrier(void)
{
    MPI_Barrier(MPI_COMM_WORLD);
}

static void bcast(void)
{
    MPI_Bcast(get, count, MPI_DOUBLE, 0, MPI_COMM_WORLD);
}

static void gather(void)
{
    MPI_Gather(give, count, MPI_DOUBLE, get, count, MPI_DOUBLE, 0, MPI_COMM_WORLD);
}

static void scatter(void)
{
    MPI_Scatter(give, count, MPI_DOUBLE, get, count, MPI_DOUBLE, 0, MPI_COMM_WORLD);
}

static void allgather(void)
{
    MPI_Allgather(give, count, MPI_DOUBLE, get, count, MPI_DOUBLE, MPI_COMM_WORLD);
}

static void alltoall(void)
{
    MPI_Alltoall(give, count, MPI_DOUBLE, get, count, MPI_DOUBLE, MPI_COMM_WORLD);
}

static void reduce(void)
{
    MPI_Reduce(give, get, count, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
}

static void allreduce(void)
{
    MPI_Allreduce(give, get, count, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
}

static void reduce_scatter(void)
{
    MPI_Reduce_scatter(give, get, parts, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
}

static void scan(void)
{
    MPI_Scan(give, get, count, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
}

static void exscan(void)
{
    MPI_Exscan(give, get, count, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
}

static const struct {
    const char *name;
    void (*run)(void);
} operations[] = {
    {"barrier", barrier}, {"bcast", bcast},         {"gather", gather},
    {"scatter", scatter}, {"allgather", allgather}, {"alltoall", alltoall},
    {"reduce", reduce},   {"allreduce", allreduce}, {"reduceScatter", reduce_scatter},
    {"scan", scan},       {"exscan", exscan},
};

#define OPERATIONS (sizeof operations / sizeof operations[0])

static void take(void)
{
    give = give_area + place * step;
    get = get_area + place * step;
}

/* The buffers of the next time. */
static void advance(void)
{
    if (varied) {
        place = place + 1 == places ? 0 : place + 1;
        take();
    }
}

/* Depends on each element, its place and its rank. */
static uint64_t checksum(void (*run)(void))
{
    memset(get, 0, (size_t)ranks * (size_t)count * sizeof *get);
    for (int i = 0; me == 0 && i < count; i++)
        get[i] = give[i]; /* what is broadcast */
    run();
    uint64_t sum = 0;
    for (int i = 0; i < ranks * count; i++)
        sum += (uint64_t)get[i] * (uint64_t)(i + 1) * (uint64_t)(me + 1);
    MPI_Allreduce(MPI_IN_PLACE, &sum, 1, MPI_UINT64_T, MPI_SUM, MPI_COMM_WORLD);
    return sum;
}

/* Seconds that it takes in all, by rank 0; *mean: what one operation takes, in microseconds. All ranks get both. */
static double burst(void (*run)(void), int times, double *mean)
{
    double inside = 0;
    MPI_Barrier(MPI_COMM_WORLD);
    double begin = MPI_Wtime();
    for (int i = 0; i < times; i++) {
        advance();
        double start = MPI_Wtime();
        run();
        inside += MPI_Wtime() - start;
        MPI_Barrier(MPI_COMM_WORLD);
    }
    double took = MPI_Wtime() - begin;
    MPI_Allreduce(MPI_IN_PLACE, &inside, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    MPI_Bcast(&took, 1, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    *mean = inside * 1e6 / times / ranks;
    return took;
}

static int ascending(const void *a, const void *b)
{
    double difference = *(const double *)a - *(const double *)b;
    return (difference > 0) - (difference < 0);
}

/* Linear between neighbours. */
static double quantile(double q, const double *sorted, int values)
{
    double place = q * (values - 1);
    int below = (int)place;
    int above = below + 1 < values ? below + 1 : below;
    return sorted[below] + (place - below) * (sorted[above] - sorted[below]);
}

struct timing {
    double median, tenth; /* microseconds */
};

static struct timing time_bursts(void (*run)(void), double budget)
{
    static double micros[MOST_BURSTS];
    double enough = BURST_SECONDS < budget / 4 ? BURST_SECONDS : budget / 4;
    int times = 1;
    double mean;
    double took = burst(run, times, &mean);
    while (took < enough) {
        times *= 2;
        took = burst(run, times, &mean);
    }
    double fit = budget / took;
    int bursts = fit < LEAST_BURSTS ? LEAST_BURSTS : fit > MOST_BURSTS ? MOST_BURSTS : (int)fit;
    for (int i = 0; i < bursts; i++)
        (void)burst(run, times, &micros[i]);
    qsort(micros, (size_t)bursts, sizeof *micros, ascending);
    return (struct timing){quantile(0.5, micros, bursts), quantile(0.1, micros, bursts)};
}

static void measure(const char *name, void (*run)(void), int bytes, double budget, bool print)
{
    uint64_t sum = checksum(run);
    double before = line_shared();
    struct timing timing = time_bursts(run, budget);
    double after = line_shared();
    for (int i = 1; print && i < LINE_MOST_TRIES && !line_same_distance(before, after); i++) {
        before = after;
        timing = time_bursts(run, budget);
        after = line_shared();
    }
    if (!print || me != 0)
        return;
    printf("result,%s,%s,%d,%.4f,%.4f,%" PRIx64, varied ? "varied" : "hot", name, bytes, timing.median, timing.tenth,
           sum);
    line_print_longer(before, after);
}

static void set_size(int bytes)
{
    count = bytes / (int)sizeof(double);
    part = count / ranks > 1 ? count / ranks : 1;
    for (int i = 0; i < ranks; i++)
        parts[i] = part;
    long line = ALIGNMENT / (long)sizeof(double);
    step = ((long)ranks * count + line - 1) / line * line;
    places = area_elements / step < MOST_PLACES ? area_elements / step : MOST_PLACES;
    place = 0;
    take();
}

static void measure_all(int largest, double budget, bool print)
{
    for (size_t i = varied ? 1 : 0; i < OPERATIONS; i++) /* barriers have no buffers */
        for (size_t k = 0; k < SIZES && sizes[k] <= largest; k++) {
            if (i == 0 && k > 0)
                break; /* and no size */
            set_size(sizes[k]);
            measure(operations[i].name, operations[i].run, sizes[k], budget, print);
        }
}

static void name_library(void)
{
    char name[MPI_MAX_LIBRARY_VERSION_STRING];
    int length;
    MPI_Get_library_version(name, &length);
    name[strcspn(name, ",\n")] = '\0';
    for (char *tab = strchr(name, '\t'); tab != NULL; tab = strchr(tab, '\t'))
        *tab = ' ';
    printf("result,library,%s\n", name);
}

static void measure_hot_and_varied(int largest, double budget, bool print)
{
    varied = false;
    measure_all(largest, budget, print);
    varied = true;
    measure_all(largest, budget, print);
}

static double *area(void)
{
    double *memory = aligned_alloc(ALIGNMENT, (size_t)area_elements * sizeof *memory);
    require(memory != NULL, "no memory");
    memset(memory, 0, (size_t)area_elements * sizeof *memory);
    return memory;
}

int main(int argc, char **argv)
{
    alarm(LIMIT_SECONDS);
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &me);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    double budget = argc == 3 ? strtod(argv[1], NULL) * 1e-3 : 0;
    long largest = argc == 3 ? strtol(argv[2], NULL, 10) : 0;
    require(budget > 0 && largest >= sizes[0] && largest <= sizes[SIZES - 1],
            "usage: mpiexec -n RANKS collectives BUDGET_MILLISECONDS LARGEST_BYTES");
    area_elements = AREA_BYTES / ranks / ALIGNMENT * (ALIGNMENT / (long)sizeof(double));
    require((long)ranks * largest / (long)sizeof(double) <= area_elements, "too many ranks for such large buffers");
    give_area = area();
    get_area = area();
    parts = calloc((size_t)ranks, sizeof *parts);
    require(parts != NULL, "no memory");
    for (long i = 0; i < area_elements; i++)
        give_area[i] = (double)((i % PERIOD + 1) * (me + 1));
    line_open();
    if (me == 0)
        name_library();
    measure_hot_and_varied((int)largest, budget / LEAST_BURSTS, false);
    measure_hot_and_varied((int)largest, budget, true);
    line_close();
    free(give_area);
    free(get_area);
    free(parts);
    MPI_Finalize();
    return 0;
}
