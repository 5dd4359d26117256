package mpi;

import java.lang.reflect.Array;
import jpi.JBuffer;
import jpi.JType;
import org.jspecify.annotations.Nullable;

/** What a datatype is made of in the end: the elements of the user's array. */
enum Base {
    BYTE(byte[].class, JType.BYTE),
    CHAR(char[].class, JType.CHAR),
    SHORT(short[].class, JType.SHORT),
    /** Travel as bytes, 1 for true. */
    BOOLEAN(boolean[].class, JType.BYTE),
    INT(int[].class, JType.INT),
    LONG(long[].class, JType.LONG),
    FLOAT(float[].class, JType.FLOAT),
    DOUBLE(double[].class, JType.DOUBLE),
    /** Of any class. */
    OBJECT(Object[].class, null);

    private final Class<?> array;
    private final @Nullable JType type;

    Base(Class<?> array, @Nullable JType type) {
        this.array = array;
        this.type = type;
    }

    /** Size of a packed element, bytes; 1 for objects. */
    int size() {
        return type == null ? 1 : type.size();
    }

    boolean isObject() {
        return type == null;
    }

    /** Elements as they travel. Not for objects. */
    JType type() {
        if (type == null) {
            throw new IllegalStateException("objects are in no buffer");
        }
        return type;
    }

    /** Refuses arrays of anything else. */
    Object require(@Nullable Object buffer) {
        if (buffer == null || !array.isInstance(buffer)) {
            throw new MPIException("the buffer is "
                    + (buffer == null ? "null" : buffer.getClass().getTypeName()) + ", but the datatype " + this
                    + " needs " + array.getTypeName());
        }
        return buffer;
    }

    /** An array of the user's kind. */
    Object newArray(int length) {
        return Array.newInstance(array.getComponentType(), length);
    }

    /** Copies elements of the user's array into a packed one. */
    void pack(Object from, int start, Object packed, int to, int count) {
        if (this == BOOLEAN) {
            boolean[] flags = (boolean[]) from;
            byte[] bytes = (byte[]) packed;
            for (int i = 0; i < count; i++) {
                bytes[to + i] = (byte) (flags[start + i] ? 1 : 0);
            }
        } else {
            System.arraycopy(from, start, packed, to, count);
        }
    }

    /** Copies elements of a packed array into the user's. */
    void unpack(Object packed, int from, Object to, int start, int count) {
        if (this == BOOLEAN) {
            boolean[] flags = (boolean[]) to;
            byte[] bytes = (byte[]) packed;
            for (int i = 0; i < count; i++) {
                flags[start + i] = bytes[from + i] != 0;
            }
        } else {
            System.arraycopy(packed, from, to, start, count);
        }
    }

    /** For elements on their way. */
    Object newPacked(int length) {
        return type == null ? new Object[length] : type.newArray(length);
    }

    /** The user's array itself as a buffer; null: its elements do not travel as they are. */
    @Nullable
    JBuffer view(Object buffer, int offset, int count) {
        return type == null || this == BOOLEAN ? null : JBuffer.ofArray(buffer).slice(offset, count);
    }
}
