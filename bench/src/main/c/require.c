#include "require.h"

#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

void end_all(const char *why)
{
    int me;
    MPI_Comm_rank(MPI_COMM_WORLD, &me);
    fprintf(stderr, "rank %d: %s\n", me, why);
    MPI_Abort(MPI_COMM_WORLD, 1);
    exit(1);
}
