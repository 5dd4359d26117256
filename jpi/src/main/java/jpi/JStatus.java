package jpi;

import java.io.Serializable;

/**
 * What is known of a message: MPI's status.
 *
 * @param source rank that sent it
 * @param tag its tag
 * @param priority 1 to 10
 * @param count elements, of a {@link JBuffer}, whatever memory that is, or of an array of a primitive type; 1 for any other object, an
 *     array of objects too; 0 of {@link JHandle#PROC_NULL}
 */
public record JStatus(int source, int tag, int priority, int count) implements Serializable {}
