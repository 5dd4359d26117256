package jpi.internal.engine;

import static java.util.Objects.requireNonNull;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;

/**
 * A place in the queue of a {@link Mailbox}. The last one is empty: who has something takes it, leaves an empty one for the next,
 * and fills it. Thus who looks for something that comes reads the very memory in which it then lies.
 */
sealed class Place {
    private static final VarHandle FILLED;

    static {
        try {
            FILLED = MethodHandles.lookup().findVarHandle(Place.class, "filled", boolean.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    // Written before it is filled.
    private @Nullable Event event;
    int context;
    int source;
    int tag;
    int priority;
    /** Of a message from a rank of this JVM. */
    @Nullable
    Object body;
    /** See {@link Message#sending}. */
    @Nullable
    Sending sending;

    private @Nullable Place next;
    private volatile boolean filled;

    /** With something that happens. Full fence: what is read afterwards is read afterwards. */
    final void fill(Event some, Place after) {
        event = some;
        next = after;
        filled = true;
    }

    /** With a message from a rank of this JVM. Full fence. */
    final void fill(Envelope envelope, @Nullable Object some, @Nullable Sending whose, Place after) {
        context = envelope.context();
        source = envelope.source();
        tag = envelope.tag();
        priority = envelope.priority();
        body = some;
        sending = whose;
        next = after;
        filled = true;
    }

    final boolean isFilled() {
        return filled;
    }

    /** What happens; null: a message comes. */
    @Nullable
    final Event event() {
        return event;
    }

    /** The one after one that is filled. */
    final Place next() {
        return requireNonNull(next);
    }

    /** If the one after one that is filled is filled too. */
    final boolean isFollowed() {
        Place after = next;
        return after == null || after.filled;
    }

    /**
     * Goes on to the one after one that is filled, and forgets what was here: else, once this is old, the collector would
     * keep all that has come since.
     */
    final Place leave() {
        Place after = next();
        next = null;
        event = null;
        body = null;
        sending = null;
        return after;
    }

    /** One that has been left is to be filled again: in a queue in which others find it only later. */
    final void empty() {
        FILLED.set(this, false);
    }

    /** The message, to be kept. */
    final Message message() {
        return new Message(context, source, tag, priority, body, sending);
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
