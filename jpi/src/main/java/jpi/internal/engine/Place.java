package jpi.internal.engine;

import static java.util.Objects.requireNonNull;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import jpi.JBuffer;
import org.jspecify.annotations.Nullable;

/**
 * A place in the queue of a {@link Mailbox}. The last one is empty: who has something takes it, leaves an empty one for the next,
 * and fills it. Thus who looks for something that comes reads the very memory in which it then lies. What most messages need is
 * in 24 bytes, the JVM laying numbers before references and each kind in the order given here: on one cache line as often as not.
 */
sealed class Place {
    private static final VarHandle NEXT;

    static {
        try {
            NEXT = MethodHandles.lookup().findVarHandle(Place.class, "next", Place.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    /** What it is filled with, instead of a message's priority. */
    private static final byte EVENT = -1;

    // Written before it is filled.
    int context;
    int source;
    int tag;
    private byte priority;
    private boolean isAwaited;
    /** Of a message from a rank of this JVM; or an event. */
    private @Nullable Object body;
    /** Null: it is not filled. */
    private volatile @Nullable Place next;
    /** Of a message that is awaited. */
    private @Nullable Sending sending;

    /** For the body of the message in the place before this one; null: none has needed it. */
    private @Nullable InPlace room;

    /**
     * Takes the contents of a small buffer: a body for the message in the place before this one. By who is about to put this one into
     * a queue: that fails, if the buffer's memory is no more, before anybody waits for what comes.
     *
     * @param buffer of at most {@link InPlace#MOST} bytes
     */
    final InPlace hold(JBuffer buffer) {
        InPlace known = room;
        if (known == null) {
            // One that is kept takes others later, and more memory around it keeps others' writes away from it.
            known = new InPlace(this instanceof Apart ? InPlace.MOST : (int) buffer.size());
            room = known;
        }
        known.fill(buffer);
        return known;
    }

    /** With something that happens. Full fence: what is read afterwards is read afterwards. */
    final void fill(Event some, Place after) {
        priority = EVENT;
        body = some;
        next = after;
    }

    /** With a message from a rank of this JVM. Full fence. */
    final void fill(Envelope envelope, @Nullable Object some, @Nullable Sending whose, Place after) {
        context = envelope.context();
        source = envelope.source();
        tag = envelope.tag();
        priority = (byte) envelope.priority();
        body = some;
        isAwaited = whose != null;
        if (isAwaited) {
            sending = whose;
        }
        next = after;
    }

    final boolean isFilled() {
        return next != null;
    }

    /** What happens; null: a message comes. */
    @Nullable
    final Event event() {
        return priority == EVENT ? (Event) body : null;
    }

    final int priority() {
        return priority;
    }

    /** The message itself. */
    @Nullable
    final Object body() {
        return body;
    }

    /** See {@link Message#sending}. */
    @Nullable
    final Sending sending() {
        return isAwaited ? sending : null;
    }

    /** The one after one that is filled. */
    final Place next() {
        return requireNonNull(next);
    }

    /** If the one after one that is filled is filled too. */
    final boolean isFollowed() {
        Place after = next;
        return after == null || after.isFilled();
    }

    /**
     * Goes on to the one after one that is filled, and forgets what was here: else, once this is old, the collector would
     * keep all that has come since. It is empty then, and may be filled again: in a queue in which others find it only later.
     */
    final Place leave() {
        Place after = next();
        NEXT.set(this, null);
        body = null;
        if (isAwaited) {
            sending = null;
        }
        return after;
    }

    /** The message, to be kept. */
    final Message message() {
        Object kept = body instanceof InPlace contents ? contents.toArray() : body;
        return new Message(context, source, tag, priority, kept, sending());
    }

    /** With much behind it that nobody writes: it shares a cache line with little else. */
    @SuppressWarnings("unused") // the fields take room
    static final class Apart extends Place {
        private long after1;
        private long after2;
        private long after3;
        private long after4;
        private long after5;
        private long after6;
        private long after7;
        private long after8;
    }
}
