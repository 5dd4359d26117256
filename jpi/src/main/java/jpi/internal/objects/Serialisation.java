package jpi.internal.objects;

import java.util.Optional;
import java.util.stream.Stream;

/** Who turns objects into bytes. The first byte of each message says it, so that nobody is talked into the other one. */
public enum Serialisation {
    /** Apache Fory: any class, and quick. */
    FORY("fory", (byte) 0xF1),
    /** Java's own, for classes that rely on it: only {@link java.io.Serializable} ones, and slow. */
    JAVA("java", (byte) 0xF2);

    private final String label;
    private final byte mark;

    Serialisation(String label, byte mark) {
        this.label = label;
        this.mark = mark;
    }

    byte mark() {
        return mark;
    }

    /** What users call it. */
    public String label() {
        return label;
    }

    /** The one that users call so. */
    public static Optional<Serialisation> of(String label) {
        return Stream.of(values()).filter(one -> one.label.equals(label)).findFirst();
    }
}
