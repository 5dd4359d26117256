package mpi;

/** A graph of ranks. */
public final class GraphParms {
    final int[] index;
    final int[] edges;

    GraphParms(int[] index, int[] edges) {
        this.index = index;
        this.edges = edges;
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
