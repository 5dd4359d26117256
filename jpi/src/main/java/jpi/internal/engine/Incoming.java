package jpi.internal.engine;

import static java.util.Objects.requireNonNull;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import jpi.JBuffer;
import jpi.JException;
import jpi.JType;
import org.jspecify.annotations.Nullable;

/**
 * A long message whose contents come in pieces from another JVM. They go where the receive wants them, if that is known when the first
 * piece comes; else into an array of their own. Of one that is so long that its sender waits until it is wanted they always are.
 */
final class Incoming {
    private final Peer peer;
    private final int stream;
    private final int sender;
    private final Wire.Kind kind;
    private final long bytes;
    private final boolean awaitsClear;

    /** Where the pieces go. */
    private final AtomicReference<@Nullable Target> target = new AtomicReference<>();
    /** Set by the first of the two that have to come about: all pieces are there, a receive has it. */
    private final AtomicBoolean halfDone = new AtomicBoolean();

    private volatile @Nullable Receive receive;
    /** Of who polls. */
    private long filled;
    /** Written before the message is over. */
    private volatile @Nullable JException spoilt;

    /**
     * A place for the contents.
     *
     * @param array null: the memory is a receive's own
     * @param memory null: they are not wanted
     * @param refused why there is no place; null: there is one, or they are not wanted
     */
    private record Target(
            @Nullable Object array,
            @Nullable MemorySegment memory,
            @Nullable JException refused) {
        static final Target NONE = new Target(null, null, null);
    }

    /** What is said of one before it comes. */
    static MemorySegment said(long bytes, int sender) {
        return MemorySegment.ofArray(new long[] {bytes, sender});
    }

    Incoming(Peer peer, int stream, MemorySegment said, Wire.Kind kind, boolean awaitsClear) {
        this.peer = peer;
        this.stream = stream;
        this.kind = kind;
        bytes = said.get(ValueLayout.JAVA_LONG_UNALIGNED, 0);
        sender = (int) said.get(ValueLayout.JAVA_LONG_UNALIGNED, Long.BYTES);
        this.awaitsClear = awaitsClear;
    }

    long bytes() {
        return bytes;
    }

    int count() {
        return kind.count(bytes);
    }

    /**
     * A receive has it.
     *
     * @param sink where it is to be put; null: into an array
     * @param wanted false: it cannot be put there, and only has to be drained
     */
    void take(Receive taker, @Nullable JBuffer sink, boolean wanted) {
        receive = taker;
        if (target.get() == null) {
            Target chosen = !wanted
                    ? Target.NONE
                    : sink == null ? own() : new Target(null, sink.memory().asSlice(0, bytes), null);
            var _ = target.compareAndSet(null, chosen);
        }
        if (awaitsClear) {
            peer.clear(stream, sender, taker.home().rank());
        }
        if (halfDone.getAndSet(true)) {
            deliver(taker);
        }
    }

    private Target own() {
        try {
            Object array = kind.newArray(bytes);
            return new Target(array, kind.memoryOf(array), null);
        } catch (OutOfMemoryError e) {
            return new Target(null, null, Receive.noMemory(bytes, e));
        }
    }

    /** If a buffer of this type can take it. */
    boolean fits(JBuffer sink) {
        return kind.type() == sink.type() && bytes <= sink.size();
    }

    @Nullable
    JType type() {
        return kind.type();
    }

    /** Why what has begun to come is not all there. */
    static JException closed() {
        return new JException(
                "the sender closed the memory of the message, or made its file shorter, while it was under way");
    }

    /** No more pieces will come: the sender's memory has gone. By who polls. */
    void breakOff() {
        spoilt = closed();
        if (target.get() == null) {
            var _ = target.compareAndSet(null, Target.NONE);
        }
        if (halfDone.getAndSet(true)) {
            deliver(requireNonNull(receive));
        }
    }

    /**
     * A piece has come. By who polls.
     *
     * @return if it was the last
     */
    boolean add(MemorySegment memory, long offset, long length) {
        Target place = target.get();
        if (place == null) {
            Target own = own();
            place = target.compareAndSet(null, own) ? own : requireNonNull(target.get());
        }
        if (place.memory != null && spoilt == null) {
            try {
                Fault.copy(memory, offset, place.memory, filled, length);
            } catch (IllegalStateException e) {
                spoilt = Receive.gone(e);
            } catch (InternalError e) {
                spoilt = Fault.of(e);
            }
        }
        filled += length;
        if (filled < bytes) {
            return false;
        }
        if (halfDone.getAndSet(true)) {
            deliver(requireNonNull(receive));
        }
        return true;
    }

    private void deliver(Receive taker) {
        Target place = requireNonNull(target.get());
        Object array = place.array;
        Object contents = null;
        JException reason = spoilt == null ? place.refused : spoilt;
        if (array != null && reason == null) {
            try {
                contents = kind.message(array);
            } catch (OutOfMemoryError e) { // flags are copied once more
                reason = Receive.noMemory(bytes, e);
            }
        }
        if (reason != null) {
            taker.spoil(reason);
        } else if (array == null) {
            taker.filled();
        } else {
            taker.filled(contents);
        }
    }
}
