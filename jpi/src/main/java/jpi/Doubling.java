package jpi;

/**
 * Ranks that talk to the one at distance 1, 2, 4 …: a power of two of them. Of the first pairs of neighbours the lower rank has its
 * value joined with the upper one's and then stays out, so that as many are left; their order is that of the ranks.
 *
 * @param size ranks
 * @param count of those that take part
 * @param me number among these; -1: this rank stays out
 */
record Doubling(int size, int count, int me) {
    static Doubling of(Exchange exchange) {
        int size = exchange.size();
        int count = Integer.highestOneBit(size);
        int pairs = size - count;
        int rank = exchange.me();
        int me = rank >= 2 * pairs ? rank - pairs : rank % 2 == 0 ? -1 : rank / 2;
        return new Doubling(size, count, me);
    }

    /** The rank that a participant is. */
    int rank(int participant) {
        int pairs = size - count;
        return participant < pairs ? 2 * participant + 1 : participant + pairs;
    }

    boolean takesPart() {
        return me >= 0;
    }

    /** If this rank has one beside it that stays out. */
    boolean speaksForTwo() {
        return takesPart() && me < size - count;
    }
}
