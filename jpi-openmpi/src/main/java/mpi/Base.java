package mpi;

import java.nio.Buffer;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.DoubleBuffer;
import java.nio.FloatBuffer;
import java.nio.IntBuffer;
import java.nio.LongBuffer;
import java.nio.ShortBuffer;
import jpi.JType;
import org.jspecify.annotations.Nullable;

/** What the elements of a buffer are. */
enum Base {
    BYTE(JType.BYTE, byte[].class),
    CHAR(JType.CHAR, char[].class),
    SHORT(JType.SHORT, short[].class),
    /** Travel as bytes, 1 for true. */
    BOOLEAN(JType.BYTE, boolean[].class),
    INT(JType.INT, int[].class),
    LONG(JType.LONG, long[].class),
    FLOAT(JType.FLOAT, float[].class),
    DOUBLE(JType.DOUBLE, double[].class);

    private final JType type;
    private final Class<?> array;

    Base(JType type, Class<?> array) {
        this.type = type;
        this.array = array;
    }

    /** As they travel. */
    JType type() {
        return type;
    }

    /** Bytes of one. */
    int size() {
        return type.size();
    }

    /** If such elements can be in it. A buffer of bytes suits all, and bytes are in all direct memory. */
    boolean suits(@Nullable Object buffer) {
        return buffer instanceof Buffer nio
                ? nio instanceof ByteBuffer || (this == BYTE && nio.isDirect()) || elementsOf(nio) == this
                : array.isInstance(buffer);
    }

    /** Refuses what has other elements. */
    void require(@Nullable Object buffer) {
        if (!suits(buffer)) {
            throw new MPIException("the buffer is " + (buffer == null ? "null" : nameOf(buffer)) + ", but the datatype "
                    + this + " needs " + array.getTypeName() + ", or one of java.nio of such elements or of bytes");
        }
    }

    private static String nameOf(Object buffer) {
        return buffer instanceof Buffer nio
                ? "one of java.nio of " + elementsOf(nio)
                : buffer.getClass().getTypeName();
    }

    /** What is in a buffer. */
    static Base elementsOf(Buffer buffer) {
        return switch (buffer) {
            case ByteBuffer _ -> BYTE;
            case CharBuffer _ -> CHAR;
            case ShortBuffer _ -> SHORT;
            case IntBuffer _ -> INT;
            case LongBuffer _ -> LONG;
            case FloatBuffer _ -> FLOAT;
            case DoubleBuffer _ -> DOUBLE;
        };
    }
}
