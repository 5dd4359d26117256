package mpi;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** A graph of ranks. */
public final class GraphParms {
    final int[] index;
    final int[] edges;

    GraphParms(int[] index, int[] edges) {
        this.index = index;
        this.edges = edges;
    }

    /** Refuses what is no graph. */
    static void require(int @Nullable [] index, int @Nullable [] edges) {
        if (index == null || edges == null) {
            throw new MPIException(
                    "index or edges of a graph are null: give how many edges the nodes up to each have, and where they lead");
        }
        int before = 0;
        for (int upTo : index) {
            if (upTo < before || upTo > edges.length) {
                throw new MPIException("index " + Arrays.toString(index) + " of a graph of " + edges.length
                        + " edges: must not fall, nor be greater than that");
            }
            before = upTo;
        }
        for (int edge : edges) {
            if (edge < 0 || edge >= index.length) {
                throw new MPIException("an edge to node " + edge + " of a graph of " + index.length
                        + " nodes: must be 0 or more, and less than that");
            }
        }
    }

    /** How many nodes. */
    public int getIndexCount() {
        return index.length;
    }

    /** How many neighbours the nodes up to one have together. */
    public int getIndex(int i) {
        return index[i];
    }

    /** How many edges. */
    public int getEdgeCount() {
        return edges.length;
    }

    /** One of the neighbours, node by node. */
    public int getEdge(int i) {
        return edges[i];
    }
}
