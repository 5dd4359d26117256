/*
 * What a cache line takes from one CPU to another: two ranks of MPI_COMM_WORLD write numbers into one in turn, as
 * ayatori.bench.load.Line does. Of more ranks that share two CPUs two go to one each for as long. On a virtual machine the
 * CPUs may come nearer at any time, or go farther.
 */
#ifndef LINE_H
#define LINE_H

#include <stdbool.h>

/* So often a measurement is made, if the CPUs have moved meanwhile: ayatori.bench.load.Line.MOST_TRIES. */
#define LINE_MOST_TRIES 3

/* By all ranks, between MPI_Init and MPI_Finalize. It stays closed if more ranks than two have more CPUs than two, or one. */
void line_open(void);
void line_close(void);

/* By all ranks at the same time, and open. Nanoseconds one way, of use to rank 0. */
double line_nanos(void);

/* The same on all ranks; NaN unless the line is open. By all at the same time. */
double line_shared(void);

/* Ends a row of results with the longer of two such times. */
void line_print_longer(double nanos, double others);

/* If two measurements are of the same ayatori.bench.load.Distance. */
bool line_same_distance(double nanos, double others);

#endif
