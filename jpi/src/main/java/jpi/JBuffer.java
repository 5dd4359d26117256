package jpi;

import java.lang.foreign.MemorySegment;
import java.lang.reflect.Array;
import java.util.Objects;
import jpi.internal.engine.Receive;
import org.jspecify.annotations.Nullable;

/**
 * Memory that a message is taken from or put into: a primitive array, a range of one, or a {@link MemorySegment}. Unlike an
 * array that is sent as an object, a buffer's contents are always copied: as soon as {@code send} returns, the sender may
 * use it again. A message from a buffer may be received as an object, which is then an array; a message that is an array may be
 * received into a buffer of the same type.
 *
 * <p>Immutable but for the memory itself. Its maker sees to it that nobody writes there while a message is taken from it.
 */
public final class JBuffer {
    private static final Thread ANOTHER = Thread.ofVirtual().unstarted(() -> {});

    /** Of very many ranks, all blocks in all buffers would take much memory. */
    private static final int MOST_REMEMBERED = 16;

    private final MemorySegment memory;
    private final JType type;
    private final int count;
    /** Those that it was last asked for: programs pass the same buffers again and again. Threads may lose each other's. */
    private @Nullable Divided lastBlocks;

    /** Who finds one without a lock finds it whole, for the field is final. */
    private static final class Divided {
        final JBuffer[] each;

        Divided(JBuffer[] each) {
            this.each = each;
        }
    }

    private JBuffer(MemorySegment memory, JType type, int count) {
        this.memory = memory;
        this.type = type;
        this.count = count;
    }

    private static JBuffer range(MemorySegment array, JType type, int length, int offset, int count) {
        Objects.checkFromIndexSize(offset, count, length);
        return new JBuffer(array.asSlice((long) offset * type.size(), (long) count * type.size()), type, count);
    }

    private static <A> A given(@Nullable A array) {
        return Given.required(array, "JBuffer.of", "an array", "make one first");
    }

    /**
     * A whole primitive array.
     *
     * @throws JException if it is none, or a {@code boolean[]}
     */
    public static JBuffer ofArray(Object array) {
        JType type = JType.ofArray(given(array));
        if (type == null) {
            throw new JException(
                    array.getClass().getTypeName() + " is no array of bytes, chars or numbers: send it as an object");
        }
        return new JBuffer(JType.memoryOf(array), type, Array.getLength(array));
    }

    /**
     * Memory, on or off the heap.
     *
     * @param memory alive as long as the message is under way; accessible to all threads; a multiple of the type's size; at most 2^31 - 1 elements
     * @throws JException if it is not
     */
    public static JBuffer of(MemorySegment memory, JType type) {
        var _ = Given.required(memory, "JBuffer.of", "memory", "take some of an Arena.ofShared, or ofAuto");
        var _ = Given.required(type, "JBuffer.of", "a type", "name that of its elements, JType.DOUBLE for instance");
        if (!memory.isAccessibleBy(ANOTHER)) {
            throw new JException(
                    "the memory is of one thread only, and others carry messages: take it from Arena.ofShared, or ofAuto");
        }
        if (memory.byteSize() % type.size() != 0) {
            throw new JException(memory.byteSize() + " bytes are no whole number of " + type + "s, " + type.size()
                    + " bytes each: cut what is left over, by asSlice");
        }
        long elements = memory.byteSize() / type.size();
        if (elements > Integer.MAX_VALUE) {
            throw new JException(elements + " " + type + "s in one buffer: at most " + Integer.MAX_VALUE
                    + "; send it in parts, by asSlice");
        }
        return new JBuffer(memory, type, (int) elements);
    }

    /** An array. */
    public static JBuffer of(byte[] array) {
        return new JBuffer(MemorySegment.ofArray(given(array)), JType.BYTE, array.length);
    }

    /** A range of an array. */
    public static JBuffer of(byte[] array, int offset, int count) {
        return range(MemorySegment.ofArray(given(array)), JType.BYTE, array.length, offset, count);
    }

    /** An array. */
    public static JBuffer of(char[] array) {
        return new JBuffer(MemorySegment.ofArray(given(array)), JType.CHAR, array.length);
    }

    /** A range of an array. */
    public static JBuffer of(char[] array, int offset, int count) {
        return range(MemorySegment.ofArray(given(array)), JType.CHAR, array.length, offset, count);
    }

    /** An array. */
    public static JBuffer of(short[] array) {
        return new JBuffer(MemorySegment.ofArray(given(array)), JType.SHORT, array.length);
    }

    /** A range of an array. */
    public static JBuffer of(short[] array, int offset, int count) {
        return range(MemorySegment.ofArray(given(array)), JType.SHORT, array.length, offset, count);
    }

    /** An array. */
    public static JBuffer of(int[] array) {
        return new JBuffer(MemorySegment.ofArray(given(array)), JType.INT, array.length);
    }

    /** A range of an array. */
    public static JBuffer of(int[] array, int offset, int count) {
        return range(MemorySegment.ofArray(given(array)), JType.INT, array.length, offset, count);
    }

    /** An array. */
    public static JBuffer of(long[] array) {
        return new JBuffer(MemorySegment.ofArray(given(array)), JType.LONG, array.length);
    }

    /** A range of an array. */
    public static JBuffer of(long[] array, int offset, int count) {
        return range(MemorySegment.ofArray(given(array)), JType.LONG, array.length, offset, count);
    }

    /** An array. */
    public static JBuffer of(float[] array) {
        return new JBuffer(MemorySegment.ofArray(given(array)), JType.FLOAT, array.length);
    }

    /** A range of an array. */
    public static JBuffer of(float[] array, int offset, int count) {
        return range(MemorySegment.ofArray(given(array)), JType.FLOAT, array.length, offset, count);
    }

    /** An array. */
    public static JBuffer of(double[] array) {
        return new JBuffer(MemorySegment.ofArray(given(array)), JType.DOUBLE, array.length);
    }

    /** A range of an array. */
    public static JBuffer of(double[] array, int offset, int count) {
        return range(MemorySegment.ofArray(given(array)), JType.DOUBLE, array.length, offset, count);
    }

    /** A part of this one, in elements. */
    public JBuffer slice(int offset, int count) {
        return range(memory, type, this.count, offset, count);
    }

    /** It as blocks of one size; what is left over is in none. The array is not to be changed. */
    JBuffer[] blocks(int number) {
        Divided known = lastBlocks;
        if (known != null && known.each.length == number) {
            return known.each;
        }
        JBuffer[] each = new JBuffer[number];
        int size = count / number;
        for (int i = 0; i < number; i++) {
            each[i] = slice(i * size, size);
        }
        if (number <= MOST_REMEMBERED) {
            lastBlocks = new Divided(each);
        }
        return each;
    }

    /** The memory. */
    public MemorySegment memory() {
        return memory;
    }

    /** What the elements are. */
    public JType type() {
        return type;
    }

    /** How many elements. */
    public int count() {
        return count;
    }

    /** Bytes. */
    public long size() {
        return memory.byteSize();
    }

    /**
     * The contents as a new array.
     *
     * @throws JException if the memory's arena has been closed
     */
    public Object toArray() {
        Object array = type.newArray(count);
        try {
            MemorySegment.copy(memory, 0, JType.memoryOf(array), 0, size());
        } catch (IllegalStateException e) {
            throw Receive.gone(e);
        }
        return array;
    }

    /**
     * Takes on the contents of another of the same type and count.
     *
     * @throws JException if the other one does not fit, if this one's memory is read-only, or if an arena has been closed
     */
    public void copyFrom(JBuffer other) {
        var _ = Given.buffer(other, "copyFrom");
        requireTakes(other);
        try {
            MemorySegment.copy(other.memory, 0, memory, 0, size());
        } catch (IllegalStateException e) {
            throw Receive.gone(e);
        }
    }

    /** Refuses what {@link #copyFrom} could not copy, unless an arena is closed. */
    void requireTakes(JBuffer other) {
        if (other.type != type || other.count != count) {
            throw new JException(other + " does not fit " + this + ": both must have the same type and count");
        }
        requireWritable();
    }

    /** Refuses memory that cannot be written to. */
    void requireWritable() {
        if (memory.isReadOnly()) {
            throw new JException(this + " is to be written to, and its memory is read-only: give another");
        }
    }

    @Override
    public String toString() {
        return "a buffer of " + count + " " + type + (count == 1 ? "" : "s");
    }
}
