/*
 * The peer of `bench/run osu` in C: what ayatori.bench.load.PointToPoint does, step by step, by MPI. The first half of the ranks
 * send to the second half, a pair each.
 *   mpiexec -n RANKS PROGRAM BUDGET_MILLISECONDS LARGEST_BYTES MODE...
 * prints "result,library,NAME" and for each mode and size "result,MODE,BYTES,VALUE,LINE_NS": the median over bursts of what a
 * message takes in one direction (latency, microseconds), or of what all pairs pass (bandwidth, bidirectional: MB/s; rate:
 * messages/s); and what a cache line takes one way, NaN if more ranks than two have more CPUs than two.
 * Ends by itself after five minutes.
 */
#define _GNU_SOURCE
#include "line.h"
#include "require.h"

#include <mpi.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define LIMIT_SECONDS 300

#define BURST_SECONDS 500e-6
#define LEAST_BURSTS 5
#define MOST_BURSTS 2000
#define WINDOW 64

enum { MESSAGES = 1, REPLIES = 2, BACK = 3 }; /* tags */

static const int sizes[] = {1, 8, 64, 512, 4 << 10, 32 << 10, 256 << 10, 1 << 20};
#define SIZES (sizeof sizes / sizeof sizes[0])

static int me;
static int ranks;
static int other;
static bool sender;
static int bytes;
static char *out;
static char *in;
static MPI_Request requests[2 * WINDOW];
static MPI_Status statuses[2 * WINDOW]; /* nobody looks at them; gcc takes MPICH's word for none for an array */

static void play_latency(void)
{
    if (sender) {
        MPI_Send(out, bytes, MPI_CHAR, other, MESSAGES, MPI_COMM_WORLD);
        MPI_Recv(in, bytes, MPI_CHAR, other, MESSAGES, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    } else {
        MPI_Recv(in, bytes, MPI_CHAR, other, MESSAGES, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Send(out, bytes, MPI_CHAR, other, MESSAGES, MPI_COMM_WORLD);
    }
}

/* After a window of messages the receiver says that it has all of them. */
static void reply(void)
{
    char none = 0;
    if (sender)
        MPI_Recv(&none, 1, MPI_CHAR, other, REPLIES, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    else
        MPI_Send(&none, 1, MPI_CHAR, other, REPLIES, MPI_COMM_WORLD);
}

static void play_bandwidth(void)
{
    for (int i = 0; i < WINDOW; i++)
        if (sender)
            MPI_Isend(out, bytes, MPI_CHAR, other, MESSAGES, MPI_COMM_WORLD, &requests[i]);
        else
            MPI_Irecv(in, bytes, MPI_CHAR, other, MESSAGES, MPI_COMM_WORLD, &requests[i]);
    MPI_Waitall(WINDOW, requests, statuses);
    reply();
}

static void play_both_ways(void)
{
    for (int i = 0; i < WINDOW; i++)
        MPI_Irecv(in, bytes, MPI_CHAR, other, sender ? BACK : MESSAGES, MPI_COMM_WORLD, &requests[i]);
    for (int i = 0; i < WINDOW; i++)
        MPI_Isend(out, bytes, MPI_CHAR, other, sender ? MESSAGES : BACK, MPI_COMM_WORLD, &requests[WINDOW + i]);
    MPI_Waitall(2 * WINDOW, requests, statuses);
    reply();
}

static const struct {
    const char *name;
    void (*play)(void);
    double messages; /* in one play, of a pair */
    bool latency;
    bool rate;
} modes[] = {
    {"latency", play_latency, 2, true, false},
    {"bandwidth", play_bandwidth, WINDOW, false, false},
    {"bidirectional", play_both_ways, 2 * WINDOW, false, false},
    {"rate", play_bandwidth, WINDOW, false, true},
};

#define MODES (sizeof modes / sizeof modes[0])

/* Seconds that so many plays take, by rank 0, when all pairs have done them. All ranks get it. */
static double burst(void (*play)(void), int times)
{
    MPI_Barrier(MPI_COMM_WORLD);
    double begin = MPI_Wtime();
    for (int i = 0; i < times; i++)
        play();
    if (ranks > 2)
        MPI_Barrier(MPI_COMM_WORLD);
    double took = MPI_Wtime() - begin;
    MPI_Bcast(&took, 1, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    return took;
}

static int ascending(const void *a, const void *b)
{
    double difference = *(const double *)a - *(const double *)b;
    return (difference > 0) - (difference < 0);
}

/* Of one play, seconds. */
static double median(void (*play)(void), double budget)
{
    static double seconds[MOST_BURSTS];
    double enough = BURST_SECONDS < budget / 4 ? BURST_SECONDS : budget / 4;
    int times = 1;
    double took = burst(play, times);
    while (took < enough) {
        times *= 2;
        took = burst(play, times);
    }
    double fit = budget / took;
    int bursts = fit < LEAST_BURSTS ? LEAST_BURSTS : fit > MOST_BURSTS ? MOST_BURSTS : (int)fit;
    for (int i = 0; i < bursts; i++)
        seconds[i] = burst(play, times) / times;
    qsort(seconds, (size_t)bursts, sizeof *seconds, ascending);
    return (seconds[(bursts - 1) / 2] + seconds[bursts / 2]) / 2;
}

static void measure(size_t mode, int largest, double budget, bool print)
{
    for (size_t i = 0; i < SIZES && sizes[i] <= largest; i++) {
        bytes = sizes[i];
        double before = line_shared();
        double took = median(modes[mode].play, budget);
        double after = line_shared();
        for (int k = 1; print && k < LINE_MOST_TRIES && !line_same_distance(before, after); k++) {
            before = after;
            took = median(modes[mode].play, budget);
            after = line_shared();
        }
        double passed = modes[mode].messages * ranks / 2 / took;
        double value = modes[mode].latency ? took * 1e6 / modes[mode].messages
                       : modes[mode].rate  ? passed
                                           : passed * bytes / 1e6;
        if (!print || me != 0)
            continue;
        printf("result,%s,%d,%.4f", modes[mode].name, bytes, value);
        line_print_longer(before, after);
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

static char *area(size_t size)
{
    char *memory = malloc(size);
    require(memory != NULL, "no memory for the messages");
    memset(memory, 1, size);
    return memory;
}

int main(int argc, char **argv)
{
    alarm(LIMIT_SECONDS);
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &me);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    double budget = argc > 3 ? strtod(argv[1], NULL) * 1e-3 : 0;
    long largest = argc > 3 ? strtol(argv[2], NULL, 10) : 0;
    require(ranks % 2 == 0 && budget > 0 && largest > 0 && largest <= sizes[SIZES - 1],
            "usage: mpiexec -n RANKS point_to_point BUDGET_MILLISECONDS LARGEST_BYTES MODE...");
    sender = me < ranks / 2;
    other = (me + ranks / 2) % ranks;
    out = area((size_t)largest);
    in = area((size_t)largest);
    line_open();
    if (me == 0)
        name_library();
    for (int i = 3; i < argc; i++)
        for (size_t mode = 0; mode < MODES; mode++)
            if (strcmp(argv[i], modes[mode].name) == 0) {
                measure(mode, (int)largest, budget / LEAST_BURSTS, false);
                measure(mode, (int)largest, budget, true);
            }
    line_close();
    free(out);
    free(in);
    MPI_Finalize();
    return 0;
}
