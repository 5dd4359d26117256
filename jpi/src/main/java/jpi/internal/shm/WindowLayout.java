package jpi.internal.shm;

import java.util.Arrays;

/**
 * Where things are in the memory of a window: a table that says where each rank's part begins and how many elements it has, then for
 * each part a lock with the queue of those who wait for it, then the parts.
 *
 * <pre>
 *   table, a rank each: 0       8               lock, a rank each: 0       8        64
 *                       | start | elements |                       | state | holder | queue, an int for each rank |
 * </pre>
 *
 * <p>The queues take space, but no memory until ranks wait in them.
 *
 * @param ranks of the window, 1 to {@link #MOST_RANKS}
 */
public record WindowLayout(int ranks) {
    /** So many have room in the word that says who holds a lock and who waits. */
    public static final int MOST_RANKS = 1 << 20;

    static final long HOLDER = 8;
    static final long QUEUE = 64;
    private static final long ENTRY = 2 * Long.BYTES;
    /** Two cache lines, since processors fetch them in pairs. */
    private static final long LINES = 128;

    private static final long PAGE = 4096;

    private static long aligned(long bytes, long unit) {
        return Math.addExact(bytes, unit - 1) / unit * unit;
    }

    /** Places in each queue: as many as there are ranks, or more; a power of two. */
    int queueLength() {
        return Integer.highestOneBit(2 * ranks - 1);
    }

    private long lockSize() {
        return aligned(QUEUE + (long) queueLength() * Integer.BYTES, LINES);
    }

    /** What the table says of a rank. */
    long entry(int rank) {
        return rank * ENTRY;
    }

    /** The lock of a rank's part. */
    long lock(int rank) {
        return aligned(ranks * ENTRY, LINES) + rank * lockSize();
    }

    /**
     * Where the parts begin, and behind the last of these where they end.
     *
     * @param bytes of each
     * @throws ArithmeticException if they are more than any memory has
     */
    long[] starts(long[] bytes) {
        long[] starts = new long[ranks + 1];
        starts[0] = aligned(lock(ranks), PAGE);
        Arrays.setAll(starts, i -> i == 0 ? starts[0] : aligned(Math.addExact(starts[i - 1], bytes[i - 1]), LINES));
        return starts;
    }
}
