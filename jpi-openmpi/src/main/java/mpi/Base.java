package mpi;

import jpi.JType;

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
}
