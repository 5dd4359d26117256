package mpi;

/** Neighbours in a shift. */
public final class ShiftParms {
    private final int source;
    private final int destination;

    ShiftParms(int source, int destination) {
        this.source = source;
        this.destination = destination;
    }

    /** From whom a rank receives; or {@link MPI#PROC_NULL}. */
    public int getRankSource() {
        return source;
    }

    /** To whom it sends; or {@link MPI#PROC_NULL}. */
    public int getRankDest() {
        return destination;
    }
}
