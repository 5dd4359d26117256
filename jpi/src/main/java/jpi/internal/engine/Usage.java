package jpi.internal.engine;

/**
 * What a rank has used, for the table of statistics. Messages of collective operations are among its messages.
 *
 * @param rank its number
 * @param sent messages
 * @param taken messages
 * @param bytesSent of buffers and arrays, and of objects to other JVMs; an object by reference has none
 * @param bytesTaken likewise
 * @param waitedNanos in calls that wait, all threads of the rank together
 */
public record Usage(int rank, long sent, long taken, long bytesSent, long bytesTaken, long waitedNanos) {}
