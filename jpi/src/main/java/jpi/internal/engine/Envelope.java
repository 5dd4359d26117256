package jpi.internal.engine;

/** What is written on a message besides its receiver. */
record Envelope(int context, int source, int tag, int priority) {}
