package jpi.internal.shm;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;

/**
 * Where a worker posts what several others are to have, once for all of them: each copies it from there. So it is copied once for each
 * that has it, and once more; through their {@linkplain Ring rings} twice for each, and of many a ring each has to stay in the caches.
 *
 * <p>Any thread of its worker posts, any of the others reads.
 */
public final class Board {
    /** In place of a place: there is none that is free. */
    public static final int FULL = -1;

    /** One is read as a rule while the next is posted. */
    private static final int PLACES = 2;
    /** What is said of a place, before it. */
    private static final long LINE = 128;
    /** How many have still to read a place; 0: it is free. */
    private static final VarHandle READERS = ValueLayout.JAVA_LONG.varHandle();

    private final long base;
    private final long most;

    /**
     * In memory.
     *
     * @param memory native, of {@link #size}, zeroes at first
     * @param most bytes of a place, whole cache lines
     */
    Board(MemorySegment memory, long most) {
        base = Memory.address(memory, size(most));
        this.most = most;
    }

    /** Bytes that are needed. */
    static long size(long most) {
        return PLACES * (LINE + most);
    }

    private long at(int place) {
        return base + place * (LINE + most);
    }

    /**
     * Takes a place. By its worker.
     *
     * @param readers that are to {@linkplain #leave leave} it before it is free again
     * @return its number; {@link #FULL}, also if no place has so many bytes
     */
    public int take(long bytes, int readers) {
        for (int place = 0; place < PLACES && bytes <= most; place++) {
            if ((long) READERS.getAcquire(Memory.ALL, at(place)) == 0
                    && READERS.compareAndSet(Memory.ALL, at(place), 0L, (long) readers)) {
                return place;
            }
        }
        return FULL;
    }

    /** A place's bytes, in {@link Memory#ALL}. */
    public MemorySegment contents(int place, long bytes) {
        return Memory.ALL.asSlice(at(place) + LINE, bytes);
    }

    /** So many have read a place, or are not to read it any more. */
    public void leave(int place, int readers) {
        READERS.getAndAdd(Memory.ALL, at(place), (long) -readers);
    }
}
