package jpi;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.jspecify.annotations.Nullable;

/** What the elements of a {@link JBuffer} are. Values travel in the byte order of the machine. */
public enum JType {
    /** {@code byte}. */
    BYTE(byte.class, ValueLayout.JAVA_BYTE),
    /** {@code char}. */
    CHAR(char.class, ValueLayout.JAVA_CHAR_UNALIGNED),
    /** {@code short}. */
    SHORT(short.class, ValueLayout.JAVA_SHORT_UNALIGNED),
    /** {@code int}. */
    INT(int.class, ValueLayout.JAVA_INT_UNALIGNED),
    /** {@code long}. */
    LONG(long.class, ValueLayout.JAVA_LONG_UNALIGNED),
    /** {@code float}. */
    FLOAT(float.class, ValueLayout.JAVA_FLOAT_UNALIGNED),
    /** {@code double}. */
    DOUBLE(double.class, ValueLayout.JAVA_DOUBLE_UNALIGNED);

    private final Class<?> element;

    @SuppressWarnings("ImmutableEnumChecker") // layouts are value-based
    private final ValueLayout layout;

    private final int size;

    JType(Class<?> element, ValueLayout layout) {
        this.element = element;
        this.layout = layout;
        size = (int) layout.byteSize();
    }

    /** Bytes of one element. */
    public int size() {
        return size;
    }

    /** Layout of one element, at any address. */
    public ValueLayout layout() {
        return layout;
    }

    /** An array of zeroes. */
    public Object newArray(int length) {
        return switch (this) {
            case BYTE -> new byte[length];
            case CHAR -> new char[length];
            case SHORT -> new short[length];
            case INT -> new int[length];
            case LONG -> new long[length];
            case FLOAT -> new float[length];
            case DOUBLE -> new double[length];
        };
    }

    /** The type of a primitive array's elements; null if the object is none, or a {@code boolean[]}, which has no defined size. */
    public static @Nullable JType ofArray(@Nullable Object object) {
        return switch (object) {
            case byte[] _ -> BYTE;
            case char[] _ -> CHAR;
            case short[] _ -> SHORT;
            case int[] _ -> INT;
            case long[] _ -> LONG;
            case float[] _ -> FLOAT;
            case double[] _ -> DOUBLE;
            case null, default -> null;
        };
    }

    /**
     * The memory of a primitive array.
     *
     * @throws JException if it is none, or a {@code boolean[]}
     */
    public static MemorySegment memoryOf(Object array) {
        return switch (array) {
            case byte[] a -> MemorySegment.ofArray(a);
            case char[] a -> MemorySegment.ofArray(a);
            case short[] a -> MemorySegment.ofArray(a);
            case int[] a -> MemorySegment.ofArray(a);
            case long[] a -> MemorySegment.ofArray(a);
            case float[] a -> MemorySegment.ofArray(a);
            case double[] a -> MemorySegment.ofArray(a);
            case null, default ->
                throw new JException((array == null ? "null" : array.getClass().getTypeName())
                        + " is no array of bytes, chars or numbers: send it as an object");
        };
    }

    @Override
    public String toString() {
        return element.getName();
    }
}
