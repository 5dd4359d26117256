package jpi.internal.shm;

import java.lang.foreign.MemorySegment;

/** All memory of this process, by address. What lies where is checked when it is made, so that no access has to be. */
public final class Memory {
    /** Offsets are addresses. */
    @SuppressWarnings("restricted")
    public static final MemorySegment ALL = MemorySegment.NULL.reinterpret(Long.MAX_VALUE);

    private Memory() {}

    /**
     * Where native memory is.
     *
     * @throws IllegalArgumentException if it is on the heap, too small, or does not begin with a cache line
     */
    static long address(MemorySegment memory, long size) {
        if (!memory.isNative() || memory.byteSize() < size || memory.address() % Ring.LINE != 0) {
            throw new IllegalArgumentException("no memory to share, of " + size + " bytes: " + memory);
        }
        return memory.address();
    }
}
