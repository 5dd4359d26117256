package mpi;

/** What C would have to free. */
public interface Freeable {
    /** Says that it is needed no more. */
    void free();
}
