package jpi;

/**
 * A binomial tree over the ranks of a communicator, as one of them sees it. Places are counted from the root on, so that those
 * below a rank are the ones that follow it.
 *
 * @param size ranks
 * @param root rank at place 0
 * @param place of the one who sees it
 */
record Tree(int size, int root, int place) {
    /** As a rank sees it. */
    static Tree of(Exchange exchange, int root) {
        int size = exchange.size();
        return new Tree(size, root, (exchange.me() - root + size) % size);
    }

    /** The rank at a place. */
    int rank(int somePlace) {
        return (int) (((long) somePlace + root) % size);
    }

    boolean isRoot() {
        return place == 0;
    }

    int parent() {
        return rank(place & (place - 1));
    }

    /**
     * How far away the first child is that this rank does not have any more: children are at the distances 1, 2, 4 … below it, as far
     * as there are ranks.
     */
    private int reach() {
        return isRoot() ? Integer.highestOneBit(size - 1) << 1 : Integer.lowestOneBit(place);
    }

    /** Distance of the farthest child; 0: there is none. */
    int farthest() {
        int distance = reach() >> 1;
        while (distance > 0 && !hasChild(distance)) {
            distance >>= 1;
        }
        return distance;
    }

    boolean hasChild(int distance) {
        return distance > 0 && distance < reach() && place + distance < size;
    }

    int child(int distance) {
        return rank(place + distance);
    }

    /** How many ranks there are from a child on, it included. */
    int below(int distance) {
        return Math.min(distance, size - place - distance);
    }

    /** How many ranks there are from this one on, it included. */
    int span() {
        return isRoot() ? size : Math.min(reach(), size - place);
    }
}
