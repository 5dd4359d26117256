package jpi.internal.engine;

import static java.util.Objects.requireNonNull;

import jpi.JBuffer;
import jpi.JType;
import jpi.internal.objects.EncodedBytes;
import org.jspecify.annotations.Nullable;

/** The way to a rank of another JVM: what it gets is a copy in any case. */
record Remote(Peer peer, int receiver) implements Route {
    @Override
    public @Nullable Sending send(Rank sender, Envelope envelope, @Nullable Object body, Rank.Mode mode) {
        if (body instanceof JBuffer buffer) { // without anything new for it
            return peer.send(sender, receiver, envelope, Wire.Kind.of(buffer.type()), buffer.memory(), mode);
        }
        if (Wire.isEncoded(body)) {
            return encodeAndSend(sender, envelope, requireNonNull(body), mode);
        }
        return send(sender, envelope, Wire.of(body, sender.world().codec()), mode);
    }

    private @Nullable Sending encodeAndSend(Rank sender, Envelope envelope, Object body, Rank.Mode mode) {
        EncodedBytes bytes = sender.takeScratch();
        boolean isCopied = false;
        try {
            Sending sending =
                    send(sender, envelope, Wire.encoded(body, sender.world().codec(), bytes), mode);
            isCopied = sending == null;
            return sending;
        } finally {
            if (!isCopied) {
                bytes.giveAway();
            }
            sender.leaveScratch(bytes);
        }
    }

    /** Sends what has been encoded. */
    @Nullable
    Sending send(Rank sender, Envelope envelope, Wire wire, Rank.Mode mode) {
        return peer.send(sender, receiver, envelope, wire.kind(), wire.memory(), mode);
    }

    /** Says that its worker has posted what the message is. */
    void post(Rank sender, Envelope envelope, JType type, int place, long bytes, Rank.Mode mode) {
        peer.put(sender, receiver, envelope, Wire.Kind.of(type), Posting.said(bytes, place), Peer.POSTED, 0, mode);
    }
}
