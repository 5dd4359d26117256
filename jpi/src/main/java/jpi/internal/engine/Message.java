package jpi.internal.engine;

import java.lang.reflect.Array;
import jpi.JBuffer;
import jpi.JType;
import jpi.internal.objects.EncodedBytes;
import org.jspecify.annotations.Nullable;

/** A message on its way to a rank, or waiting there. */
public final class Message implements Event {
    final int context;
    final int source;
    final int tag;
    final int priority;

    /** An object itself; or {@link Borrowed}, {@link Copy}, {@link Encoded}, {@link Incoming}. */
    final @Nullable Object body;
    /** Ends when the message has been taken; null: its sender does not wait for that. */
    final @Nullable Sending sending;
    /** How many more important messages that came later have been taken before it. */
    int overtaken;
    /** Its number among those that nobody took when they came. */
    long came;

    // Among those of its priority that nobody has taken.
    @Nullable
    Message earlier;

    @Nullable
    Message later;

    /** The sender's own memory, to be copied when the message is taken. */
    record Borrowed(JBuffer buffer) {}

    /**
     * The contents of the sender's memory.
     *
     * @param buffer the array
     */
    record Copy(Object array, JBuffer buffer) {
        Copy(Object array) {
            this(array, JBuffer.ofArray(array));
        }

        /** If it can take on the contents of a buffer. */
        boolean isLike(JBuffer other) {
            return buffer.type() == other.type() && buffer.count() == other.count();
        }
    }

    /** Bytes of an object that another JVM has sent. */
    record Encoded(EncodedBytes bytes) {}

    /** In place of a size. */
    static final long BY_REFERENCE = -1;

    Message(int context, int source, int tag, int priority, @Nullable Object body, @Nullable Sending sending) {
        this.context = context;
        this.source = source;
        this.tag = tag;
        this.priority = priority;
        this.body = body;
        this.sending = sending;
    }

    @Override
    public void happen(Mailbox mailbox) {
        mailbox.arriveHanded(this);
    }

    /** It has been taken. */
    void letSenderGo() {
        if (sending != null) {
            sending.complete();
        }
    }

    /** How many elements it has; an object is one. */
    int count() {
        return count(body);
    }

    /** How much was copied or sent for it, or is to be: {@link #BY_REFERENCE} of an object that was not encoded. */
    long bytes() {
        return bytes(body);
    }

    static long bytes(@Nullable Object body) {
        return switch (body) {
            case null -> 0;
            case Borrowed borrowed -> borrowed.buffer().size();
            case Copy copy -> copy.buffer().size();
            case Place contents -> contents.size();
            case JBuffer buffer -> buffer.size();
            case Incoming incoming -> incoming.bytes();
            case Encoded encoded -> encoded.bytes().length();
            case boolean[] array -> array.length;
            case Object object -> {
                JType type = JType.ofArray(object);
                yield type == null ? BY_REFERENCE : (long) Array.getLength(object) * type.size();
            }
        };
    }

    static int count(@Nullable Object body) {
        return switch (body) {
            case Borrowed borrowed -> borrowed.buffer().count();
            case Copy copy -> copy.buffer().count();
            case Place contents -> contents.count();
            case Incoming incoming -> incoming.count();
            case Object object
            when JType.ofArray(object) != null || object instanceof boolean[] -> Array.getLength(object);
            case null, default -> 1;
        };
    }
}
