package ayatori.internal.shm;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;

/**
 * Which parts of a client's memory are in use: buddies, D. E. Knuth, <i>The Art of Computer Programming</i> 1, section 2.5. What it
 * knows lies in the client's own memory, where the server cannot spoil it. Thread-safe.
 */
public final class AreaAllocator {
    /** The smallest part, bytes. */
    private static final int SMALLEST_ORDER = 8;

    private final long total;
    /** Where free parts of 2^i bytes begin. */
    private final List<TreeSet<Long>> free = new ArrayList<>();
    /** Orders of the parts in use. */
    private final Map<Long, Integer> used = new HashMap<>();

    private long usedBytes;

    /**
     * All is free.
     *
     * @param total bytes, a power of two, 256 or more
     */
    public AreaAllocator(long total) {
        if (Long.bitCount(total) != 1 || total < 1L << SMALLEST_ORDER) {
            throw new IllegalArgumentException(
                    "memory for areas is " + total + " bytes: must be a power of two, 256 or more");
        }
        this.total = total;
        for (int order = 0; order <= Long.numberOfTrailingZeros(total); order++) {
            free.add(new TreeSet<>());
        }
        free.getLast().add(0L);
    }

    /**
     * Takes a part.
     *
     * @param size bytes, 1 or more
     * @return where it begins; −1: none is left that is large enough
     */
    public synchronized long allocate(long size) {
        if (size > total) {
            return -1;
        }
        int wanted = Math.max(SMALLEST_ORDER, Long.SIZE - Long.numberOfLeadingZeros(size - 1));
        int order = wanted;
        while (order < free.size() && free.get(order).isEmpty()) {
            order++;
        }
        if (order == free.size()) {
            return -1;
        }
        Long offset = free.get(order).pollFirst();
        if (offset == null) {
            throw new AssertionError("a list that was not empty is");
        }
        while (order > wanted) {
            order--;
            free.get(order).add(offset + (1L << order));
        }
        used.put(offset, wanted);
        usedBytes += 1L << wanted;
        return offset;
    }

    /** Gives a part back. */
    public synchronized void free(long offset) {
        Integer order = used.remove(offset);
        if (order == null) {
            throw new IllegalStateException("no area in use begins at " + offset);
        }
        usedBytes -= 1L << order;
        long begin = offset;
        int now = order;
        while (now < free.size() - 1 && free.get(now).remove(begin ^ 1L << now)) {
            begin &= ~(1L << now);
            now++;
        }
        free.get(now).add(begin);
    }

    /** Bytes in use. */
    public synchronized long used() {
        return usedBytes;
    }

    /** Bytes in all. */
    public long total() {
        return total;
    }
}
