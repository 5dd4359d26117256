package jpi.internal.engine;

import jpi.JBuffer;
import org.jspecify.annotations.Nullable;

/** The way to a rank of another JVM: what it gets is a copy in any case. */
record Remote(Peer peer, int receiver) implements Route {
    @Override
    public @Nullable Sending send(Rank sender, Envelope envelope, @Nullable Object body, Rank.Mode mode) {
        if (body instanceof JBuffer buffer) { // without anything new for it
            return peer.send(
                    sender, receiver, envelope, Wire.Kind.of(buffer.type()), buffer.memory(), mode.isSynchronous());
        }
        return send(sender, envelope, Wire.of(body, sender.world().codec()), mode);
    }

    /** Sends what has been encoded. */
    @Nullable
    Sending send(Rank sender, Envelope envelope, Wire wire, Rank.Mode mode) {
        return peer.send(sender, receiver, envelope, wire.kind(), wire.memory(), mode.isSynchronous());
    }
}
