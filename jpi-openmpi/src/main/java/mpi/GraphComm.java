package mpi;

import java.util.Arrays;
import jpi.JComm;
import jpi.JGraph;
import jpi.JRequest;
import org.jspecify.annotations.Nullable;

/** A communicator whose ranks are the nodes of a graph. */
public final class GraphComm extends Intracomm {
    /** Null: each rank knows its own neighbours only. */
    private final @Nullable GraphParms whole;

    private GraphComm(@Nullable JComm nodes, @Nullable GraphParms whole) {
        super(nodes == null ? NOBODY : () -> nodes);
        this.whole = whole;
    }

    private GraphComm(JRequest<JComm> begun, @Nullable GraphParms whole) {
        super(begun::await);
        this.whole = whole;
        comesOf(begun);
    }

    static GraphComm of(@Nullable JComm nodes, GraphParms whole) {
        return new GraphComm(nodes, whole);
    }

    static GraphComm of(JGraph nodes) {
        return new GraphComm(nodes, null);
    }

    @Override
    public GraphComm dup() {
        return MPIException.of(() -> new GraphComm(comm().dup(), whole));
    }

    @Override
    public GraphComm iDup() {
        return new GraphComm(beginCopy(), whole);
    }

    @Override
    public GraphComm dupWithInfo(@Nullable Info info) {
        return dup();
    }

    @Override
    public GraphComm clone() {
        return dup();
    }

    private GraphParms whole() {
        if (whole == null) {
            throw new MPIException("in a distributed graph each rank knows its own neighbours: getDistGraphNeighbors");
        }
        return whole;
    }

    /** The graph. */
    public GraphParms getDims() {
        return whole();
    }

    /** A rank's neighbours. */
    public int[] getNeighbors(int rank) {
        int[] index = whole().index;
        if (rank < 0 || rank >= index.length) {
            throw new MPIException(
                    "rank " + rank + " is no node of the graph, which has nodes 0 to " + (index.length - 1));
        }
        return Arrays.copyOfRange(whole().edges, rank == 0 ? 0 : index[rank - 1], index[rank]);
    }

    /** This rank's neighbours in a distributed graph. */
    public DistGraphNeighbors getDistGraphNeighbors() {
        if (comm() instanceof JGraph graph) {
            return new DistGraphNeighbors(graph.sources(), graph.destinations());
        }
        throw new MPIException("this is no distributed graph: getNeighbors");
    }

    /** The number that a rank would get in a graph: its own; {@link MPI#UNDEFINED} if it is none of it. */
    public int map(int[] index, int[] edges) {
        int[] nodes = Given.required(
                index, "the index of a graph is null: give how many edges the nodes up to each have together");
        return getRank() < nodes.length ? getRank() : MPI.UNDEFINED;
    }
}
