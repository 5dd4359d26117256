package jpi.internal.engine;

/**
 * That a very long message of another worker is wanted.
 *
 * @param sender number of who has sent it
 */
record Note(int stream, int sender) {}
