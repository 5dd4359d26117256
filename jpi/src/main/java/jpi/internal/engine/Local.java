package jpi.internal.engine;

import jpi.JBuffer;
import org.jspecify.annotations.Nullable;

/** The way to a rank of the same JVM: objects go by reference. */
record Local(Mailbox receiver) implements Route {
    /** A buffer of at most so many bytes is copied twice and the sender goes on; of a larger one the receiver copies it. */
    private static final int COPIED_TWICE = 16 << 10;

    @Override
    public @Nullable Sending send(Rank sender, Envelope envelope, @Nullable Object body, Rank.Mode mode) {
        Object carried = body;
        if (body instanceof JBuffer buffer) {
            carried = carried(sender, buffer);
        } else if (mode.isIsolated()) {
            carried = sender.world().codec().copy(body);
        }
        Sending sending = carried instanceof Message.Borrowed || mode.isSynchronous()
                ? new Sending(sender.mailbox(), receiver.rank(), envelope.tag())
                : null;
        receiver.add(sender.mailbox(), envelope, carried, sending);
        return sending;
    }

    private static Object carried(Rank sender, JBuffer buffer) {
        if (buffer.size() <= Place.MOST) {
            return buffer; // which the mailbox puts into the queue's own memory
        }
        return buffer.size() <= COPIED_TWICE ? sender.mailbox().copies().of(buffer) : new Message.Borrowed(buffer);
    }
}
