/* What a program that passes messages cannot do without. */
#ifndef REQUIRE_H
#define REQUIRE_H

#include <stdbool.h>

/* Unless it succeeded, says on which rank what did not, and ends all ranks. Between MPI_Init and MPI_Finalize. */
void require(bool succeeded, const char *what);

#endif
