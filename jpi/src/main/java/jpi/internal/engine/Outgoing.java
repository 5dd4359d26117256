package jpi.internal.engine;

import java.lang.foreign.MemorySegment;

/** A long message on its way to another JVM, piece by piece. */
final class Outgoing implements Comparable<Outgoing> {
    final int stream;
    final int receiver;
    final MemorySegment memory;
    final Sending sending;
    private final int priority;
    private final long began;
    /** How much has gone. Of who pumps. */
    long gone;

    /** One of some, of which the one that began first has the least number. */
    Outgoing(int stream, long began, int receiver, int priority, MemorySegment memory, Sending sending) {
        this.stream = stream;
        this.began = began;
        this.receiver = receiver;
        this.priority = priority;
        this.memory = memory;
        this.sending = sending;
    }

    /** The more important one first, then the one that began first. */
    @Override
    public int compareTo(Outgoing other) {
        return priority != other.priority
                ? Integer.compare(other.priority, priority)
                : Long.compare(began, other.began);
    }

    @Override
    public boolean equals(Object other) {
        return this == other;
    }

    @Override
    public int hashCode() {
        return stream;
    }
}
