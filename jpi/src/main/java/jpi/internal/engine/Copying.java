package jpi.internal.engine;

import java.lang.foreign.MemorySegment;
import java.util.Comparator;
import jpi.JException;
import org.jspecify.annotations.Nullable;

/** That a large message out of memory of this JVM is copied to its receive, piece by piece: others can be taken in between. */
final class Copying {
    /** Bytes: some microseconds, as between JVMs. */
    static final long PIECE = 32 << 10;

    /** The more important one first, then the one that began first. */
    static final Comparator<Copying> ORDER =
            Comparator.<Copying>comparingInt(copying -> -copying.priority).thenComparingLong(copying -> copying.began);

    /** The one that began first. */
    static final Comparator<Copying> AGE = Comparator.comparingLong(copying -> copying.began);

    private final Receive receive;
    private final int priority;
    private final long began;
    private final MemorySegment from;
    private final MemorySegment into;
    private final @Nullable Sending sending;
    private long done;

    /** One of some, of which the one that began first has the least number. */
    Copying(
            Receive receive,
            int priority,
            long began,
            MemorySegment from,
            MemorySegment into,
            @Nullable Sending sending) {
        this.receive = receive;
        this.priority = priority;
        this.began = began;
        this.from = from;
        this.into = into;
        this.sending = sending;
    }

    /** Copies a piece; if it is over now. By who tends the receive's mailbox. */
    boolean goOn() {
        long length = Math.min(PIECE, from.byteSize() - done);
        JException failure = null;
        try {
            Fault.copy(from, done, into, done, length);
        } catch (IllegalStateException e) {
            failure = Receive.gone(e);
        } catch (InternalError e) {
            failure = Fault.of(e);
        }
        done += length;
        if (failure == null && done < from.byteSize()) {
            return false;
        }
        if (failure == null) {
            receive.completeAtHome();
        } else {
            receive.failAtHome(failure);
        }
        if (sending != null) {
            sending.complete();
        }
        return true;
    }
}
