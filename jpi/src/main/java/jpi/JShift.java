package jpi;

import java.io.Serializable;

/**
 * The two neighbours of a rank along a dimension of a grid; {@link JHandle#PROC_NULL}: there is none.
 *
 * @param source from whom it receives
 * @param destination to whom it sends
 */
public record JShift(int source, int destination) implements Serializable {}
