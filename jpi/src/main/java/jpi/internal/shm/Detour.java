package jpi.internal.shm;

import ayatori.internal.linux.MappedMemory;
import java.io.IOException;
import java.lang.foreign.MemorySegment;

/**
 * A second, much longer way round for the contents of a {@link Ring}, taken while the receiver's CPU is far: one that shares no cache
 * with the sender's. A line that such a receiver has read is asked back from its cache before it is written again, which a copy
 * waits for line by line; on the long way it has left that cache meanwhile. To near ones it is the slower way, since the memory leaves the cache
 * too that both share.
 *
 * <p>So long that there is room as long as fewer of the ring's slots than {@link #slots} are filled. Of one thread at a time of the sender; the
 * receiver only asks where contents are.
 */
final class Detour {
    /** Up to so many bytes of contents the short way is the faster one to a far CPU too. */
    static final long LEAST = 2 << 10;

    /**
     * How long it takes to ask the clock, and to read a word meanwhile that the other side has written: 20 to 80 ns within one cache,
     * 130 and more outside.
     */
    private static final long FAR_NANOS = 120;
    /** So many times more must speak for the other answer before it is that: who shares a CPU with others loses it now and then. */
    private static final int SURE = 8;
    /** What is set aside at a time, bytes. */
    private static final long STEP = 1 << 20;

    private final MemorySegment memory;
    private final int lines;
    private final int slots;
    /** Bytes of contents. */
    private long most;

    // Of the sender.
    private boolean far;
    /** From {@code -SURE}, near, to {@code SURE}. */
    private int score = -SURE;

    private int next;
    /** Bytes. */
    private long setAside;

    /**
     * In memory.
     *
     * @param memory native, from the start of a page; whole megabytes
     * @param slots of the ring, that are filled at most while this way is taken
     */
    Detour(MemorySegment memory, int slots) {
        this.memory = memory;
        this.slots = slots;
        lines = (int) (memory.byteSize() / Ring.LINE);
        most = memory.byteSize() / 2 / slots; // the end may be left out
    }

    /** What reading a word took that the receiver had written. */
    void learn(long nanos) {
        score = nanos > FAR_NANOS ? Math.min(score + 1, SURE) : Math.max(score - 1, -SURE);
        if (Math.abs(score) == SURE) {
            far = score > 0;
        }
    }

    /** There is room if fewer of the ring's slots are filled. */
    int slots() {
        return slots;
    }

    /** If contents of so many bytes are to go this way. */
    boolean isFor(long bytes) {
        return far && bytes > LEAST && bytes <= most && isSetAside(bytes);
    }

    private boolean isSetAside(long bytes) {
        long end = line(bytes) * Ring.LINE + bytes;
        while (end > setAside) {
            try {
                MappedMemory.populate(memory.asSlice(setAside, STEP));
            } catch (IOException e) {
                most = 0; // no room, or an older kernel: the short way does
                return false;
            }
            setAside += STEP;
        }
        return true;
    }

    /** Where the next contents are to be: a line's number, for {@link #address}. */
    int line(long bytes) {
        return next + Ring.linesFor(bytes) <= lines ? next : 0;
    }

    /** They are the receiver's now. */
    void take(long bytes) {
        next = line(bytes) + Ring.linesFor(bytes);
    }

    /** Where contents are, in {@link Memory#ALL}. */
    long address(int line) {
        return memory.address() + line * Ring.LINE;
    }
}
