package mpi;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import jpi.JComm;
import jpi.JHandle;
import jpi.JRequest;
import org.jspecify.annotations.Nullable;

/** Ranks of one group. All of them make the same collective calls in the same order. */
public class Intracomm extends Comm {
    Intracomm(Supplier<? extends JComm> comm) {
        super(comm);
    }

    private static Intracomm of(@Nullable JComm comm) {
        return new Intracomm(comm == null ? NOBODY : () -> comm);
    }

    @Override
    public Intracomm dup() {
        JComm copy = MPIException.of(() -> comm().dup());
        return new Intracomm(() -> copy);
    }

    @Override
    public Intracomm iDup() {
        JRequest<JComm> begun = beginCopy();
        Intracomm copy = new Intracomm(begun::await);
        copy.comesOf(begun);
        return copy;
    }

    @Override
    public Intracomm clone() {
        return dup();
    }

    /**
     * A communicator for each colour.
     *
     * @return that of the rank's colour; a {@linkplain Comm#isNull null} one for {@link MPI#UNDEFINED}
     */
    public final Intracomm split(int colour, int key) {
        return MPIException.of(() -> of(comm().split(colour, key)));
    }

    /** A communicator of the ranks that can share memory: {@link Comm#TYPE_SHARED} is the only kind. */
    public final Intracomm splitType(int splitType, int key, @Nullable Info info) {
        return MPIException.of(
                () -> of(comm().splitShared().split(splitType == TYPE_SHARED ? 0 : JHandle.UNDEFINED, key)));
    }

    @Override
    public Intracomm dupWithInfo(@Nullable Info info) {
        return dup();
    }

    /** A communicator of a group; a {@linkplain Comm#isNull null} one for ranks that are not in it. */
    public final Intracomm create(Group group) {
        Group members = Given.group(group, "the group");
        return MPIException.of(() -> of(comm().create(members.group())));
    }

    /** A communicator of the points of a grid; a {@linkplain Comm#isNull null} one for ranks that are too many. */
    public final CartComm createCart(int[] dims, boolean[] periods, boolean reorder) {
        return MPIException.of(() -> {
            var grid = comm().cartesian(dims, periods);
            return new CartComm(grid);
        });
    }

    /**
     * A communicator of the nodes of a graph; a {@linkplain Comm#isNull null} one for ranks that are too many.
     *
     * @param index how many edges the nodes up to each have together
     * @param edges neighbours, node by node
     */
    public final GraphComm createGraph(int[] index, int[] edges, boolean reorder) {
        GraphParms.require(index, edges);
        return MPIException.of(() -> {
            int color = getRank() < index.length ? 0 : JHandle.UNDEFINED;
            JComm nodes = comm().split(color, getRank());
            return GraphComm.of(nodes, new GraphParms(index.clone(), edges.clone()));
        });
    }

    /** A communicator of a graph of which each rank gives its own edges. */
    public final GraphComm createDistGraphAdjacent(
            int[] sources, int[] destinations, @Nullable Info info, boolean reorder) {
        return MPIException.of(() -> GraphComm.of(comm().graph(sources, destinations)));
    }

    /**
     * A communicator of a graph of which each rank gives any edges.
     *
     * @param sources nodes from which they lead
     * @param degrees how many lead from each
     * @param destinations where they lead
     */
    public final GraphComm createDistGraph(
            int[] sources, int[] degrees, int[] destinations, @Nullable Info info, boolean reorder) {
        requireArray(sources, "the sources of a graph");
        requireArray(degrees, "the degrees of a graph");
        requireArray(destinations, "the destinations of a graph");
        return MPIException.of(() -> {
            List<Integer> from = new ArrayList<>();
            List<Integer> to = new ArrayList<>();
            for (int[][] given : comm().allgather(new int[][] {sources, degrees, destinations})) {
                int edge = 0;
                for (int i = 0; i < given[0].length; i++) {
                    for (int j = 0; j < given[1][i]; j++) {
                        addEdge(given[0][i], given[2][edge++], from, to);
                    }
                }
            }
            return GraphComm.of(comm().graph(asArray(from), asArray(to)));
        });
    }

    private static void requireArray(int[] array, String what) {
        var _ = Given.required(array, what + " are null: give an array, of no elements if there are none");
    }

    private void addEdge(int source, int destination, List<Integer> from, List<Integer> to) {
        if (source == getRank()) {
            to.add(destination);
        }
        if (destination == getRank()) {
            from.add(source);
        }
    }

    private static int[] asArray(List<Integer> numbers) {
        return numbers.stream().mapToInt(Integer::intValue).toArray();
    }
}
