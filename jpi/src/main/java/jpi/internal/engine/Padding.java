package jpi.internal.engine;

/**
 * As many bytes as a cache line has. What subclasses add to it lies behind these; with a subclass of the same kind at the end of the
 * chain, nothing else shares a line with what is between.
 */
@SuppressWarnings("unused") // they take room
abstract class Padding {
    private long before1;
    private long before2;
    private long before3;
    private long before4;
    private long before5;
    private long before6;
    private long before7;
    private long before8;
}
