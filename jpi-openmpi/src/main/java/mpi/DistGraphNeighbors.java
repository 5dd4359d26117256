package mpi;

/** A rank's neighbours in a distributed graph; there are no weights. */
public final class DistGraphNeighbors {
    private final int[] sources;
    private final int[] destinations;

    DistGraphNeighbors(int[] sources, int[] destinations) {
        this.sources = sources;
        this.destinations = destinations;
    }

    /** From how many it receives. */
    public int getInDegree() {
        return sources.length;
    }

    /** To how many it sends. */
    public int getOutDegree() {
        return destinations.length;
    }

    /** False. */
    public boolean isWeighted() {
        return false;
    }

    /** One of those from which it receives. */
    public int getSource(int i) {
        return sources[i];
    }

    /** One of those to which it sends. */
    public int getDestination(int i) {
        return destinations[i];
    }
}
