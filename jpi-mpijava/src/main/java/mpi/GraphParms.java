package mpi;

/** A graph of ranks. */
public class GraphParms {
    /** How many neighbours the ranks up to each have together. */
    public final int[] index;
    /** All the neighbours, rank by rank. */
    public final int[] edges;

    GraphParms(int[] index, int[] edges) {
        this.index = index;
        this.edges = edges;
    }
}
