package mpi;

import java.nio.Buffer;
import java.util.Locale;
import jpi.JType;
import org.jspecify.annotations.Nullable;

/** What the elements of a buffer are. */
enum Base {
    BYTE(JType.BYTE),
    CHAR(JType.CHAR),
    SHORT(JType.SHORT),
    /** Travel as bytes, 1 for true. */
    BOOLEAN(JType.BYTE),
    INT(JType.INT),
    LONG(JType.LONG),
    FLOAT(JType.FLOAT),
    DOUBLE(JType.DOUBLE);

    private final JType type;

    Base(JType type) {
        this.type = type;
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
                    + " needs " + name().toLowerCase(Locale.ROOT)
                    + "[], or other memory: an array of numbers, or one of java.nio");
        }
    }
}
