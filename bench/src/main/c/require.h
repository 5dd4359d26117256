/* What a program that passes messages cannot do without. */
#ifndef REQUIRE_H
#define REQUIRE_H

#include <stdbool.h>

/* Says why on which rank, and ends all ranks. Between MPI_Init and MPI_Finalize. */
_Noreturn void end_all(const char *why);

/*
 * Unless it succeeded, says on which rank what did not, and ends all ranks. Between MPI_Init and MPI_Finalize.
 * In the header, so that an analysis of one file sees that nothing goes on after a failure.
 */
static inline void require(bool succeeded, const char *what)
{
    if (!succeeded)
        end_all(what);
}

#endif
