package jpi;

/**
 * Parts of a long buffer, of which a rank passes on or reduces one while the next one comes.
 *
 * @param count at least one: an empty buffer is passed on too
 * @param elements of each but the last
 */
record Parts(int count, int elements) {
    /** So many are enough: each is a message. */
    private static final int ENOUGH = 8;

    private static final int SMALLEST = 32 << 10;
    /** With more, what has just come would not be in the cache any more when it is reduced. */
    private static final int LARGEST = 128 << 10;
    /** For more than that, its sender would wait until it is wanted: a turn more where ranks share CPUs. */
    static final int LARGEST_OF_CROWD = 64 << 10;

    /** Those of buffers like one. */
    static Parts of(Exchange exchange, JBuffer whole) {
        int largest = exchange.isCrowded() ? LARGEST_OF_CROWD : LARGEST;
        int bytes = Integer.highestOneBit(Math.clamp(whole.size() / ENOUGH, SMALLEST, largest));
        int elements = bytes / whole.type().size();
        return new Parts(Math.max(1, Math.ceilDiv(whole.count(), elements)), elements);
    }

    /** One of a buffer. */
    JBuffer of(JBuffer whole, int part) {
        if (count == 1) {
            return whole;
        }
        int start = part * elements;
        return whole.slice(start, Math.min(elements, whole.count() - start));
    }
}
