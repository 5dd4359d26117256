package mpi;

import java.util.Arrays;
import jpi.JComm;

/** A communicator whose ranks are the nodes of a graph. */
@SuppressWarnings("MemberName") // MPI's names
public final class Graphcomm extends Intracomm {
    private final JComm nodes;
    private final int[] index;
    private final int[] edges;

    Graphcomm(JComm nodes, int[] index, int[] edges) {
        super(() -> nodes);
        this.nodes = nodes;
        this.index = index;
        this.edges = edges;
    }

    @Override
    public Object clone() {
        return MPIException.of(() -> new Graphcomm(nodes.dup(), index, edges));
    }

    @Override
    public int Topo_test() {
        return MPI.GRAPH;
    }

    /** The graph. */
    public GraphParms Get() {
        return new GraphParms(index.clone(), edges.clone());
    }

    /** A rank's neighbours. */
    public int[] Neighbours(int rank) {
        if (rank < 0 || rank >= index.length) {
            throw new MPIException(
                    "rank " + rank + " is no node of the graph, which has nodes 0 to " + (index.length - 1));
        }
        return Arrays.copyOfRange(edges, rank == 0 ? 0 : index[rank - 1], index[rank]);
    }

    /** The number that a rank would get in a graph: its own; {@link MPI#UNDEFINED} if it is none of it. */
    public int Map(int[] index, int[] edges) {
        int[] nodes = Given.required(
                index, "the index of a graph is null: give how many edges the nodes up to each have together");
        return Rank() < nodes.length ? Rank() : MPI.UNDEFINED;
    }
}
