package jpi.internal.engine;

import jpi.JBuffer;
import jpi.JStatus;
import jpi.internal.objects.EncodedBytes;
import jpi.internal.objects.ObjectCodec;
import org.jspecify.annotations.Nullable;

/**
 * A receive that a rank's thread begins again when it has ended, unless another thread may know of it: a program that does nothing
 * but pass buffers to and fro uses no new memory, each page of which costs as much as many messages. With much behind it that nobody
 * writes, as {@link Place.Apart}.
 */
@SuppressWarnings("unused") // the fields take room
final class RepeatedReceive extends Receive {
    private @Nullable JStatus lastStatus;
    /** What the last object was decoded from. */
    private Message.@Nullable Encoded room;

    private long after1;
    private long after2;
    private long after3;
    private long after4;
    private long after5;
    private long after6;
    private long after7;
    private long after8;

    RepeatedReceive(Mailbox home, int context, int source, int tag, int sender, @Nullable JBuffer sink) {
        super(home, Kind.TAKE, context, source, tag, sender, sink);
    }

    @Override
    Message.Encoded room(int length) {
        Message.Encoded known = room;
        if (known == null) {
            known = new Message.Encoded(new EncodedBytes());
            room = known;
        }
        known.bytes().setLength(length);
        return known;
    }

    /** Once, for nobody else knows of this one. */
    @Override
    @Nullable
    Object decoded(Message.Encoded encoded) {
        boolean isFreeAgain = false;
        try {
            Object decoded = decode(encoded);
            isFreeAgain = !ObjectCodec.mayRefer(decoded);
            return decoded;
        } finally {
            if (!isFreeAgain) {
                room = null;
            }
        }
    }

    /** The last one, if it is the same. */
    @Override
    public JStatus status() {
        check();
        JStatus known = lastStatus;
        if (known == null || !is(known)) {
            known = super.status();
            lastStatus = known;
        }
        return known;
    }
}
