package jpi.internal.engine;

import static java.util.Objects.requireNonNull;

import org.jspecify.annotations.Nullable;

/**
 * A place in the queue of a {@link Mailbox}. The last one is empty: who has something takes it, leaves a new one for the next, and
 * fills it. Thus who looks for something that comes reads the very memory in which it then lies.
 */
final class Place {
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
    void fill(Event some, Place after) {
        event = some;
        next = after;
        filled = true;
    }

    /** With a message from a rank of this JVM. Full fence. */
    void fill(Envelope envelope, @Nullable Object some, @Nullable Sending whose, Place after) {
        context = envelope.context();
        source = envelope.source();
        tag = envelope.tag();
        priority = envelope.priority();
        body = some;
        sending = whose;
        next = after;
        filled = true;
    }

    boolean isFilled() {
        return filled;
    }

    /** What happens; null: a message comes. */
    @Nullable
    Event event() {
        return event;
    }

    /** The one after one that is filled. */
    Place next() {
        return requireNonNull(next);
    }

    /** If the one after one that is filled is filled too. */
    boolean isFollowed() {
        Place after = next;
        return after == null || after.filled;
    }

    /**
     * Goes on to the one after one that is filled, and forgets what was here: else, once this is old, the collector would
     * keep all that has come since.
     */
    Place leave() {
        Place after = next();
        next = null;
        event = null;
        body = null;
        sending = null;
        return after;
    }

    /** The message, to be kept. */
    Message message() {
        return new Message(context, source, tag, priority, body, sending);
    }
}
