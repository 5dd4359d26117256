/**
 * What Open MPI's Java bindings call MPI: methods that take a buffer, a count and a datatype, where a buffer is an array or one of
 * java.nio. For programs that are there; new ones are written for {@link jpi}.
 */
@NullMarked
package mpi;

import org.jspecify.annotations.NullMarked;
