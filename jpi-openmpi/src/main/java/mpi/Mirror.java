package mpi;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/**
 * A rank's part of a window over a buffer of the program's. No other JVM can reach the buffer, so that there are two copies of the part:
 * the program's own, and one in the window's memory, to which all ranks put. Both are made equal when the rank synchronises: what MPI
 * calls the separate memory model.
 *
 * <p>A third copy tells what the program has written since then. That alone goes to the window, so that what other ranks have put beside
 * it meanwhile stays.
 */
final class Mirror {
    private static final ValueLayout.OfShort SHORT = ValueLayout.JAVA_SHORT_UNALIGNED;
    private static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT_UNALIGNED;
    private static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG_UNALIGNED;

    private final MemorySegment own;
    private final MemorySegment shared;
    /** Both as they were when they were made equal. */
    private final MemorySegment last;
    /** Bytes that the program writes at once. */
    private final int element;

    /**
     * The window's memory gets what is in the program's.
     *
     * @param own the program's memory
     * @param shared the window's, of the same size
     * @param element bytes of an element of the program's buffer
     */
    Mirror(MemorySegment own, MemorySegment shared, int element) {
        this.own = own;
        this.shared = shared;
        this.element = element;
        last = Arena.ofAuto().allocate(own.byteSize(), Long.BYTES);
        MemorySegment.copy(own, 0, last, 0, own.byteSize());
        MemorySegment.copy(last, 0, shared, 0, own.byteSize());
    }

    /** What the program has written goes to the window. */
    synchronized void publish() {
        long size = own.byteSize();
        long start = firstChange(0);
        while (start < size) {
            long end = start + element;
            while (end < size && isChanged(end)) {
                end += element;
            }
            MemorySegment.copy(own, start, last, start, end - start);
            MemorySegment.copy(last, start, shared, start, end - start);
            start = firstChange(end);
        }
    }

    /** The first element from a place on that the program has written; the size: none. */
    private long firstChange(long from) {
        long size = own.byteSize();
        long equal = MemorySegment.mismatch(own, from, size, last, from, size);
        return equal < 0 ? size : from + equal / element * element;
    }

    private boolean isChanged(long at) {
        return switch (element) {
            case Short.BYTES -> own.get(SHORT, at) != last.get(SHORT, at);
            case Integer.BYTES -> own.get(INT, at) != last.get(INT, at);
            case Long.BYTES -> own.get(LONG, at) != last.get(LONG, at);
            default -> own.get(ValueLayout.JAVA_BYTE, at) != last.get(ValueLayout.JAVA_BYTE, at);
        };
    }

    /** What others have put comes to the program; what it has written is to have been published. */
    synchronized void refresh() {
        // By way of the third copy, which must be what the program gets, even if others put meanwhile.
        MemorySegment.copy(shared, 0, last, 0, last.byteSize());
        MemorySegment.copy(last, 0, own, 0, last.byteSize());
    }

    /** Both. */
    synchronized void exchange() {
        publish();
        refresh();
    }
}
