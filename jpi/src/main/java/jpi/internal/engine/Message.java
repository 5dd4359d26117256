package jpi.internal.engine;

import java.lang.foreign.MemorySegment;
import java.lang.reflect.Array;
import jpi.JBuffer;
import jpi.JStatus;
import jpi.JType;
import org.jspecify.annotations.Nullable;

/** A message on its way to a rank, or waiting there. */
public final class Message extends Event {
    final int context;
    final int source;
    final int tag;
    final int priority;

    /** An object itself; or {@link Borrowed}, {@link Encoded}, {@link Incoming}; once it has been put into a buffer, that. */
    @Nullable
    Object body;
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

    /** In place of a size. */
    static final long BY_REFERENCE = -1;

    Message(Envelope envelope, @Nullable Object body, @Nullable Sending sending) {
        context = envelope.context();
        source = envelope.source();
        tag = envelope.tag();
        priority = envelope.priority();
        this.body = body;
        this.sending = sending;
    }

    @Override
    void happen(Mailbox mailbox) {
        mailbox.arrive(this);
    }

    /** If a receive, or a question, is about it. */
    boolean suits(int wantedContext, int wantedSource, int wantedTag) {
        return context == wantedContext
                && (wantedTag == tag || wantedTag == Receive.ANY)
                && (wantedSource == source || wantedSource == Receive.ANY);
    }

    /** What is known of it. */
    public JStatus status() {
        return new JStatus(source, tag, priority, count());
    }

    /** It has been taken. */
    void letSenderGo() {
        if (sending != null) {
            sending.complete();
        }
    }

    /** Unless it has been taken, it is to have memory of its own from now on. */
    void detach() {
        if (body instanceof Borrowed borrowed && sending == null) {
            body = borrowed.buffer().toArray();
        }
    }

    /** How much was copied or sent for it, or is to be: {@link #BY_REFERENCE} of an object that was not encoded. */
    long bytes() {
        return bytes(body);
    }

    static long bytes(@Nullable Object body) {
        return switch (body) {
            case null -> 0;
            case Borrowed borrowed -> borrowed.buffer().size();
            case JBuffer buffer -> buffer.size();
            case Incoming incoming -> incoming.bytes();
            case Encoded encoded -> encoded.bytes().byteSize();
            case boolean[] array -> array.length;
            case Object object -> {
                JType type = JType.ofArray(object);
                yield type == null ? BY_REFERENCE : (long) Array.getLength(object) * type.size();
            }
        };
    }

    private int count() {
        return switch (body) {
            case Borrowed borrowed -> borrowed.buffer().count();
            case JBuffer filled -> filled.count();
            case Incoming incoming -> incoming.count();
            case Object object
            when JType.ofArray(object) != null || object instanceof boolean[] -> Array.getLength(object);
            case null, default -> 1;
        };
    }
}
