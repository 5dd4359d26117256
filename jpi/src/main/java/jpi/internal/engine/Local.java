package jpi.internal.engine;

import jpi.JBuffer;
import org.jspecify.annotations.Nullable;

/** The way to a rank of the same JVM: objects go by reference. */
record Local(Mailbox receiver) implements Route {
    /** A buffer of at most so many bytes is copied twice and the sender goes on; of a larger one the receiver copies it. */
    private static final int COPIED_TWICE = 16 << 10;

    @Override
    public @Nullable Sending send(Rank sender, Envelope envelope, @Nullable Object body, Rank.Mode mode) {
        boolean borrowed = false;
        Object carried = body;
        if (body instanceof JBuffer buffer) {
            borrowed = buffer.size() > COPIED_TWICE;
            carried = borrowed
                    ? new Message.Borrowed(buffer)
                    : sender.mailbox().copies().of(buffer);
        } else if (mode.isIsolated()) {
            carried = sender.world().codec().copy(body);
        }
        Sending sending = borrowed || mode.isSynchronous()
                ? new Sending(sender.mailbox(), receiver.rank(), envelope.tag())
                : null;
        receiver.add(sender.mailbox(), envelope, carried, sending);
        return sending;
    }
}
