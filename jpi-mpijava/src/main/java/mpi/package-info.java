/**
 * What mpiJava 1.2 and MPJ Express call MPI: methods with capitals that take a buffer, an offset, a count and a datatype. For
 * programs that are there; new ones are written for {@link jpi}.
 */
@NullMarked
package mpi;

import org.jspecify.annotations.NullMarked;
