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

    /** Refuses what is no memory for such elements. As in Open MPI any will do, whatever Java calls its elements. */
    void require(@Nullable Object buffer) {
        boolean suits = buffer instanceof boolean[]
                ? size() == Byte.BYTES
                : buffer instanceof Buffer || JType.ofArray(buffer) != null;
        if (!suits) {
            throw new MPIException("the buffer is "
                    + (buffer == null ? "null" : buffer.getClass().getTypeName()) + ", but the datatype " + this
                    + " needs " + array.getTypeName() + ", or other memory: an array of numbers, or one of java.nio");
        }
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
