package jpi.internal.engine;

import java.lang.foreign.MemorySegment;
import java.util.Comparator;
import java.util.concurrent.atomic.AtomicLong;
import jpi.JException;
import org.jspecify.annotations.Nullable;

/**
 * That a large message out of memory of this JVM is copied to its receive, piece by piece: others can be taken in between. By who tends
 * the receive's mailbox; of one that caches do not hold its sender, if it waits for that, copies pieces too.
 */
final class Copying {
    /** Bytes: some microseconds, as between JVMs. */
    static final long PIECE = 32 << 10;

    /** The more important one first, then the one that began first. */
    static final Comparator<Copying> ORDER =
            Comparator.<Copying>comparingInt(copying -> -copying.priority).thenComparingLong(copying -> copying.began);

    /** The one that began first. */
    static final Comparator<Copying> AGE = Comparator.comparingLong(copying -> copying.began);

    /**
     * Of how many bytes on the sender helps. What it has copied is in its CPU's caches, where the receiver has to fetch it from: that
     * is no gain unless it goes to memory anyway.
     */
    private static final long SHARED = 4 << 20;

    private final Receive receive;
    private final int priority;
    private final long began;
    private final MemorySegment from;
    private final MemorySegment into;
    private final @Nullable Sending sending;
    /** Bytes of which somebody has begun to copy them; may be more than there are. */
    private final AtomicLong claimed = new AtomicLong();
    /** Bytes that are copied, or cannot be. */
    private final AtomicLong done = new AtomicLong();

    private volatile @Nullable JException failure;

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
        if (sending != null && from.byteSize() >= SHARED) {
            sending.takePart(this);
        }
    }

    /** Copies a piece. False: others are about to copy what is left, or have done so. By any thread. */
    private boolean copyPiece() {
        long begin = claimed.get() < from.byteSize() ? claimed.getAndAdd(PIECE) : from.byteSize();
        if (begin >= from.byteSize()) {
            return false;
        }
        long length = Math.min(PIECE, from.byteSize() - begin);
        try {
            Fault.copy(from, begin, into, begin, length);
        } catch (IllegalStateException e) {
            failure = Receive.gone(e);
        } catch (InternalError e) {
            failure = Fault.of(e);
        }
        done.addAndGet(length); // not before: from then on the receiver may have its memory back
        return true;
    }

    /** If nothing is left to be copied, and nobody copies. */
    private boolean isOver() {
        return done.get() == from.byteSize();
    }

    /** If there is a piece for whoever asks, or it is to be ended. By any thread. */
    boolean moves() {
        return claimed.get() < from.byteSize() || isOver();
    }

    /** Copies a piece. False: its sender has still to end one. By who tends the receive's mailbox. */
    boolean goOn() {
        return copyPiece() || isOver();
    }

    /** If it is over now: who waited for it is told. By who tends the receive's mailbox. */
    boolean end() {
        if (!isOver()) {
            return false;
        }
        JException known = failure;
        if (known == null) {
            receive.completeAtHome();
        } else {
            receive.failAtHome(known);
        }
        if (sending != null) {
            sending.complete();
        }
        return true;
    }

    /** Copies a piece. False: there is none left. By the sender. */
    boolean help() {
        boolean copied = copyPiece();
        if (copied && isOver()) {
            receive.home().call(); // who waits may have gone to sleep over this piece, and who tended have let go
        }
        return copied;
    }
}
