package jpi;

/**
 * What is known of a message: MPI's status.
 *
 * @param source rank that sent it
 * @param tag its tag
 * @param priority 1 to 10
 * @param count elements, if it is an array or a {@link JBuffer}; 1 for any other object
 */
public record JStatus(int source, int tag, int priority, int count) {}
