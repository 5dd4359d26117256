package jpi.internal.engine;

import java.lang.foreign.MemorySegment;
import java.util.Comparator;

/** A long message on its way to another JVM, piece by piece. */
final class Outgoing {
    /** The more important one first, then the one that began first. */
    static final Comparator<Outgoing> ORDER = Comparator.<Outgoing>comparingInt(outgoing -> -outgoing.priority)
            .thenComparingLong(outgoing -> outgoing.began);

    /** The one that began first. */
    static final Comparator<Outgoing> AGE = Comparator.comparingLong(outgoing -> outgoing.began);

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
}
