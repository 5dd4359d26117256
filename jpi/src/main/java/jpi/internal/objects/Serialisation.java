package jpi.internal.objects;

/** Who turns objects into bytes. The first byte of each message says it, so that nobody is talked into the other one. */
public enum Serialisation {
    /** Apache Fory: any class, and quick. */
    FORY((byte) 0xF1),
    /** Java's own, for classes that rely on it: only {@link java.io.Serializable} ones, and slow. */
    JAVA((byte) 0xF2);

    private final byte mark;

    Serialisation(byte mark) {
        this.mark = mark;
    }

    byte mark() {
        return mark;
    }
}
