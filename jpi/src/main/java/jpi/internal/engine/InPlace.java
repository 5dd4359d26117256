package jpi.internal.engine;

import static java.util.Objects.requireNonNull;

import java.lang.foreign.MemorySegment;
import jpi.JBuffer;
import jpi.JException;
import jpi.JType;
import org.jspecify.annotations.Nullable;

/**
 * The contents of a small buffer on their way to a rank of the same JVM: memory that belongs to a {@link Place} of a queue, and is
 * filled again with it. A message that is kept longer than its place needs an {@linkplain #toArray array} of them.
 */
final class InPlace {
    /** Of how many bytes a buffer is small. */
    static final int MOST = 256;

    private final long[] memory;
    private @Nullable JType type;
    private int count;
    private int size;

    /** @param bytes at most so many at a time */
    InPlace(int bytes) {
        memory = new long[(bytes + Long.BYTES - 1) / Long.BYTES];
    }

    /**
     * Takes on the contents of a buffer.
     *
     * @throws JException if its arena has been closed
     */
    void fill(JBuffer buffer) {
        count = buffer.count();
        size = (int) buffer.size();
        if (type != buffer.type()) { // to write it costs the collector's barrier
            type = buffer.type();
        }
        try {
            MemorySegment.copy(buffer.memory(), 0, MemorySegment.ofArray(memory), 0, size);
        } catch (IllegalStateException e) {
            throw Receive.gone(e);
        }
    }

    JType type() {
        return requireNonNull(type);
    }

    /** Bytes. */
    int size() {
        return size;
    }

    /** Elements. */
    int count() {
        return count;
    }

    /**
     * Copies them to where there is room for them.
     *
     * @throws IllegalStateException if its arena has been closed
     */
    void copyTo(MemorySegment into) {
        MemorySegment.copy(MemorySegment.ofArray(memory), 0, into, 0, size);
    }

    /** As a new array. */
    Object toArray() {
        Object array = type().newArray(count);
        copyTo(JType.memoryOf(array));
        return array;
    }
}
