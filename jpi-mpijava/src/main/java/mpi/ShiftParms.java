package mpi;

/** Neighbours in a shift. */
@SuppressWarnings("MemberName") // MPI's names
public class ShiftParms {
    /** From whom a rank receives; or {@link MPI#PROC_NULL}. */
    public final int rank_source;
    /** To whom it sends; or {@link MPI#PROC_NULL}. */
    public final int rank_dest;

    ShiftParms(int source, int destination) {
        rank_source = source;
        rank_dest = destination;
    }
}
