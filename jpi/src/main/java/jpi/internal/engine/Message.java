package jpi.internal.engine;

import java.lang.foreign.MemorySegment;
import java.lang.reflect.Array;
import jpi.JBuffer;
import jpi.JType;
import org.jspecify.annotations.Nullable;

/** A message on its way to a rank, or waiting there. */
public final class Message implements Event {
    final int context;
    final int source;
    final int tag;
    final int priority;

    /** An object itself; or {@link Borrowed}, {@link Encoded}, {@link Incoming}. */
    final @Nullable Object body;
    /** Ends when the message has been taken; null: its sender does not wait for that. */
    final @Nullable Sending sending;
    /** How many more important messages that came later have been taken before it. */
    int overtaken;

    // Among those of its priority that nobody has taken.
    @Nullable
    Message earlier;

    @Nullable
    Message later;

    /** The sender's own memory, to be copied when the message is taken. */
    record Borrowed(JBuffer buffer) {}

    /** Bytes of an object that another JVM has sent. */
    record Encoded(MemorySegment bytes) {}

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
        mailbox.arrive(this);
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

    static int count(@Nullable Object body) {
        return switch (body) {
            case Borrowed borrowed -> borrowed.buffer().count();
            case Incoming incoming -> incoming.count();
            case Object object
            when JType.ofArray(object) != null || object instanceof boolean[] -> Array.getLength(object);
            case null, default -> 1;
        };
    }
}
