/*
 * The peer of `bench/run messages` in C: two ranks of MPI send each other messages in turn.
 *   mpiexec -n 2 PROGRAM BUDGET_MILLISECONDS LARGEST_BYTES
 * prints "result,library,NAME" and for each mode and size "result,MODE,BYTES,MEDIAN_US,P10_US,LINE_NS": half round trips, means
 * of bursts, and what a cache line takes one way. Rank 0 orders what comes next, so that rank 1 knows how many messages to
 * expect. Does what ayatori.bench.load.Rally and Line do, step by step. Ends by itself after five minutes.
 */
#define _GNU_SOURCE
#include <mpi.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "line.h"
#include "require.h"

#define LIMIT_SECONDS 300

/* Long beside what the clock takes, short beside a time slice. */
#define BURST_SECONDS 500e-6
#define LEAST_BURSTS 5
#define BURSTS_BETWEEN_CHECKS 16
#define WARM_UP_PART 10

/* Of varied buffers, for each direction: no cache holds both of both ranks. */
#define AREA_BYTES (64L << 20)
#define MOST_BUFFERS 4096L
#define ALIGNMENT 64L

enum { ORDERS = 1, MESSAGES = 2 }; /* tags */
enum {
    ORDER_END,
    ORDER_SIZE,
    ORDER_BURST,
    ORDER_CHECK,
    ORDER_LINE
}; /* what comes next; the second word says how many, or a seed */

static int me;
static bool varied;
static unsigned char *out;
static unsigned char *in;
static int bytes;
static long step;
static long buffers;
static long next;

static void set_size(int size)
{
    bytes = size;
    step = (size + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
    buffers = !varied ? 1 : AREA_BYTES / step < MOST_BUFFERS ? AREA_BYTES / step : MOST_BUFFERS;
    next = 0;
}

static void play(int times)
{
    for (int i = 0; i < times; i++) {
        long place = next * step;
        if (me == 0) {
            MPI_Send(out + place, bytes, MPI_BYTE, 1, MESSAGES, MPI_COMM_WORLD);
            MPI_Recv(in + place, bytes, MPI_BYTE, 1, MESSAGES, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        } else {
            MPI_Recv(in + place, bytes, MPI_BYTE, 0, MESSAGES, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
            MPI_Send(out + place, bytes, MPI_BYTE, 0, MESSAGES, MPI_COMM_WORLD);
        }
        next = next + 1 == buffers ? 0 : next + 1;
    }
}

/* A message of contents that nobody can guess from the one before. */
static void check(int seed)
{
    long place = next * step;
    for (int i = 0; i < bytes; i++)
        out[place + i] = (unsigned char)(seed + me + i);
    play(1);
    bool good = true;
    for (int i = 0; i < bytes; i++)
        good &= in[place + i] == (unsigned char)(seed + 1 - me + i);
    require(good, "received something else than was sent");
}

static void order(int what, int detail)
{
    int words[] = {what, detail};
    MPI_Send(words, 2, MPI_INT, 1, ORDERS, MPI_COMM_WORLD);
}

static void follow(void)
{
    for (;;) {
        int words[2];
        MPI_Recv(words, 2, MPI_INT, 0, ORDERS, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        switch (words[0]) {
        case ORDER_SIZE: set_size(words[1]); break;
        case ORDER_BURST: play(words[1]); break;
        case ORDER_CHECK: check(words[1]); break;
        case ORDER_LINE: line_nanos(); break;
        default: return;
        }
    }
}

static double burst(int times)
{
    order(ORDER_BURST, times);
    double begin = MPI_Wtime();
    play(times);
    return MPI_Wtime() - begin;
}

static double quickest(int times)
{
    double best = burst(times);
    for (int i = 1; i < 3; i++) {
        double took = burst(times);
        best = took < best ? took : best;
    }
    return best;
}

static int ascending(const void *a, const void *b)
{
    double difference = *(const double *)a - *(const double *)b;
    return (difference > 0) - (difference < 0);
}

/* Linear between neighbours. */
static double quantile(double q, const double *sorted, size_t count)
{
    double place = q * (double)(count - 1);
    size_t below = (size_t)place;
    size_t above = below + 1 < count ? below + 1 : below;
    return sorted[below] + (place - (double)below) * (sorted[above] - sorted[below]);
}

static double ordered_line(void)
{
    order(ORDER_LINE, 0);
    return line_nanos();
}

struct timing {
    double median, tenth; /* microseconds */
};

static struct timing time_bursts(double budget)
{
    double enough = BURST_SECONDS < budget / 4 ? BURST_SECONDS : budget / 4;
    int times = 1;
    while (quickest(times) < enough)
        times *= 2;
    size_t room = 1024;
    size_t count = 0;
    double *micros = malloc(room * sizeof *micros);
    require(micros != NULL, "no memory for the results");
    double end = MPI_Wtime() + budget;
    for (int bursts = 0; count < LEAST_BURSTS || MPI_Wtime() < end; bursts++) {
        if (bursts % BURSTS_BETWEEN_CHECKS == 0) {
            order(ORDER_CHECK, bursts);
            check(bursts);
        }
        if (count == room) {
            room *= 2;
            double *more = realloc(micros, room * sizeof *micros);
            require(more != NULL, "no memory for the results");
            micros = more;
        }
        double took = burst(times);
        micros[count++] = took * 1e6 / (2.0 * times);
        if (took < enough / 2) { /* since the first ones were disturbed */
            times *= 2;
            count = 0;
        }
    }
    qsort(micros, count, sizeof *micros, ascending);
    struct timing timing = {quantile(0.5, micros, count), quantile(0.1, micros, count)};
    free(micros);
    return timing;
}

static void measure(double budget)
{
    double before = ordered_line();
    struct timing timing = time_bursts(budget);
    double after = ordered_line();
    for (int i = 1; i < LINE_MOST_TRIES && !line_same_distance(before, after); i++) {
        before = after;
        timing = time_bursts(budget);
        after = ordered_line();
    }
    printf("result,%s,%d,%.4f,%.4f,%.1f\n", varied ? "varied" : "hot", bytes, timing.median, timing.tenth,
           before > after ? before : after);
}

static void lead(double budget, int largest, bool warms)
{
    for (int size = 1; size > 0 && size <= largest; size *= 2) {
        order(ORDER_SIZE, size);
        set_size(size);
        if (warms)
            time_bursts(budget);
        else
            measure(budget);
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

static unsigned char *area(void)
{
    void *memory = aligned_alloc(2L << 20, AREA_BYTES);
    require(memory != NULL, "no memory for the messages");
    memset(memory, 1, AREA_BYTES); /* so that no page is missing while it measures */
    return memory;
}

int main(int argc, char **argv)
{
    alarm(LIMIT_SECONDS);
    MPI_Init(&argc, &argv);
    int ranks;
    MPI_Comm_rank(MPI_COMM_WORLD, &me);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    double budget = argc == 3 ? strtod(argv[1], NULL) * 1e-3 : 0;
    long largest = argc == 3 ? strtol(argv[2], NULL, 10) : 0;
    require(ranks == 2 && budget > 0 && largest > 0 && largest <= AREA_BYTES,
            "usage: mpiexec -n 2 message_pingpong BUDGET_MILLISECONDS LARGEST_BYTES");
    out = area();
    in = area();
    line_open();
    if (me == 0)
        name_library();
    for (int mode = 0; mode < 2; mode++) {
        varied = mode == 1;
        if (me == 0) {
            lead(budget / WARM_UP_PART, (int)largest, true);
            lead(budget, (int)largest, false);
            order(ORDER_END, 0);
        } else {
            follow();
        }
    }
    free(out);
    free(in);
    line_close();
    MPI_Finalize();
    return 0;
}
