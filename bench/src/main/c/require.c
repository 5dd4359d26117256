#include "require.h"

#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

void require(bool succeeded, const char *what)
{
    if (!succeeded) {
        int me;
        MPI_Comm_rank(MPI_COMM_WORLD, &me);
        fprintf(stderr, "rank %d: %s\n", me, what);
        MPI_Abort(MPI_COMM_WORLD, 1);
        exit(1);
    }
}
