/*
 * The peer of `bench/run jacobi` in C: what ayatori.bench.load.Jacobi does, by MPI.
 *   mpiexec -n RANKS PROGRAM ITERATIONS SECONDS
 * prints "result,solve,SECONDS" for each, and "result,sum,CHECKSUM,RESIDUAL", hexadecimal: both sides get the same bits. RANKS
 * divides 512. Ends by itself after five minutes.
 */
#define _GNU_SOURCE
#include "require.h"

#include <inttypes.h>
#include <math.h>
#include <mpi.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define LIMIT_SECONDS 300

#define SIZE 512
#define WIDTH (SIZE + 2)
#define STRIDE (SIZE + 8) /* from one row to the next: whole cache lines, so that rows are aligned as the first is */
#define LINE 64
#define HOT 100.0
#define ITERATIONS_BETWEEN_CHECKS 50
#define LEAST_SOLVES 2 /* the first one warms up */

static int me;
static int ranks;
static int rows;
/* Of this rank, with a row more at either end. */
static double (*now)[STRIDE];
static double (*then)[STRIDE];

/* Cold, but for the upper edge. */
static void begin(double (*field)[STRIDE])
{
    memset(field, 0, (size_t)(rows + 2) * sizeof *field);
    for (int column = 0; me == 0 && column < WIDTH; column++)
        field[0][column] = HOT;
}

static void exchange(void)
{
    int above = me == 0 ? MPI_PROC_NULL : me - 1;
    int below = me == ranks - 1 ? MPI_PROC_NULL : me + 1;
    MPI_Sendrecv(now[1], WIDTH, MPI_DOUBLE, above, 1, now[rows + 1], WIDTH, MPI_DOUBLE, below, 1, MPI_COMM_WORLD,
                 MPI_STATUS_IGNORE);
    MPI_Sendrecv(now[rows], WIDTH, MPI_DOUBLE, below, 2, now[0], WIDTH, MPI_DOUBLE, above, 2, MPI_COMM_WORLD,
                 MPI_STATUS_IGNORE);
}

static void relax(const double *restrict above, const double *restrict row, const double *restrict below,
                  double *restrict result)
{
    for (int column = 1; column <= SIZE; column++)
        result[column] = 0.25 * (row[column - 1] + row[column + 1] + above[column] + below[column]);
}

static double change(void)
{
    double most = 0;
    for (int row = 1; row <= rows; row++)
        for (int column = 1; column <= SIZE; column++) {
            double one = fabs(then[row][column] - now[row][column]);
            most = one > most ? one : most;
        }
    MPI_Allreduce(MPI_IN_PLACE, &most, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    return most;
}

static double solve(int iterations)
{
    double residual = INFINITY;
    begin(now);
    begin(then);
    for (int i = 1; i <= iterations && residual > 0; i++) {
        exchange();
        /* What was done last is still in the cache, and comes first. Row by row: GCC's code takes longer for all in one loop. */
        for (int done = 0; done < rows; done++) {
            int row = i % 2 == 0 ? done + 1 : rows - done;
            relax(now[row - 1], now[row], now[row + 1], then[row]);
        }
        if (i % ITERATIONS_BETWEEN_CHECKS == 0)
            residual = change();
        double(*swap)[STRIDE] = now;
        now = then;
        then = swap;
    }
    return residual;
}

static uint64_t bits(double value)
{
    uint64_t word;
    memcpy(&word, &value, sizeof word);
    return word;
}

/* Depends on each bit and its place, not on who adds what. */
static uint64_t checksum(void)
{
    uint64_t sum = 0;
    for (int row = 1; row <= rows; row++)
        for (int column = 1; column <= SIZE; column++) {
            uint64_t place = ((uint64_t)me * (uint64_t)rows + (uint64_t)row) * WIDTH + (uint64_t)column;
            sum += bits(now[row][column]) * (2 * place + 1);
        }
    MPI_Allreduce(MPI_IN_PLACE, &sum, 1, MPI_UINT64_T, MPI_SUM, MPI_COMM_WORLD);
    return sum;
}

static void *field(void)
{
    void *memory = aligned_alloc(LINE, (size_t)(rows + 2) * STRIDE * sizeof(double));
    require(memory != NULL, "no memory for the field");
    return memory;
}

int main(int argc, char **argv)
{
    alarm(LIMIT_SECONDS);
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &me);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    long iterations = argc == 3 ? strtol(argv[1], NULL, 10) : 0;
    double seconds = argc == 3 ? strtod(argv[2], NULL) : -1;
    require(iterations > 0 && seconds >= 0 && SIZE % ranks == 0, "usage: mpiexec -n RANKS jacobi ITERATIONS SECONDS");
    rows = SIZE / ranks;
    now = field();
    then = field();
    double residual = 0;
    double end = MPI_Wtime() + seconds;
    int more = 1;
    for (int solves = 1; more; solves++) {
        MPI_Barrier(MPI_COMM_WORLD);
        double start = MPI_Wtime();
        residual = solve((int)iterations);
        MPI_Barrier(MPI_COMM_WORLD);
        double stop = MPI_Wtime();
        if (me == 0)
            printf("result,solve,%.6f\n", stop - start);
        more = solves < LEAST_SOLVES || stop < end;
        MPI_Bcast(&more, 1, MPI_INT, 0, MPI_COMM_WORLD);
    }
    uint64_t sum = checksum();
    if (me == 0)
        printf("result,sum,%016" PRIx64 ",%016" PRIx64 "\n", sum, bits(residual));
    free(now);
    free(then);
    MPI_Finalize();
    return 0;
}
