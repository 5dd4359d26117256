package mpi;

import java.lang.foreign.MemorySegment;
import java.nio.Buffer;
import java.util.function.Supplier;
import jpi.JBuffer;
import jpi.JComm;
import jpi.JPeers;
import jpi.JStatus;
import org.jspecify.annotations.Nullable;

/** What a communicator does with single messages. */
abstract class PointToPoint {
    /** Of a rank that is in none of the communicators that were made. */
    static final Supplier<JComm> NOBODY = () -> {
        throw new MPIException("this is the null communicator: the rank is in none of those that were made");
    };

    private final Supplier<? extends JComm> comm;

    PointToPoint(Supplier<? extends JComm> comm) {
        this.comm = comm;
    }

    /** What the ranks do together. An {@link Intercomm} has none. */
    JComm comm() {
        return comm.get();
    }

    /** The ranks that it has; of two groups, those of this rank's. */
    final JComm group() {
        return comm.get();
    }

    /** To whom messages go. */
    JPeers peers() {
        return comm.get();
    }

    final boolean isOfNobody() {
        return comm == NOBODY;
    }

    // Sending.

    /** Sends. */
    public final void send(@Nullable Object buf, int count, Datatype type, int dest, int tag) {
        MPIException.in(() -> peers().send(new Region(buf, count, type).contents(), dest, tag));
    }

    /** Sends, and ends when the message has been received. */
    public final void sSend(@Nullable Object buf, int count, Datatype type, int dest, int tag) {
        MPIException.in(() -> peers().ssend(new Region(buf, count, type).contents(), dest, tag));
    }

    /** Sends, and never waits for the receiver. */
    public final void bSend(@Nullable Object buf, int count, Datatype type, int dest, int tag) {
        MPIException.in(() -> peers().bsend(new Region(buf, count, type).contents(), dest, tag));
    }

    /** Sends: here the same as {@link #send}. */
    public final void rSend(@Nullable Object buf, int count, Datatype type, int dest, int tag) {
        send(buf, count, type, dest, tag);
    }

    /** Begins to send. */
    public final Request iSend(@Nullable Buffer buf, int count, Datatype type, int dest, int tag) {
        return begin(new Region(buf, count, type).contents(), dest, tag);
    }

    private Request begin(Object message, int dest, int tag) {
        return MPIException.of(() -> Request.of(peers().isend(message, dest, tag), () -> {}));
    }

    /** Sends a copy; the request is over at once. */
    public final Request ibSend(@Nullable Buffer buf, int count, Datatype type, int dest, int tag) {
        MPIException.in(() -> peers().bsend(new Region(buf, count, type).contents(), dest, tag));
        return Request.ofStatus(Status.empty());
    }

    /** Begins to send; the request is over when the message has been received. */
    public final Request isSend(@Nullable Buffer buf, int count, Datatype type, int dest, int tag) {
        return MPIException.of(() ->
                Request.of(peers().issend(new Region(buf, count, type).contents(), dest, tag), () -> {}));
    }

    /** Begins to send: here the same as {@link #iSend}. */
    public final Request irSend(@Nullable Buffer buf, int count, Datatype type, int dest, int tag) {
        return iSend(buf, count, type, dest, tag);
    }

    // Receiving.

    /** Receives. */
    public final Status recv(@Nullable Object buf, int count, Datatype type, int source, int tag) {
        Region region = new Region(buf, count, type);
        return MPIException.of(() -> {
            JBuffer space = region.space();
            JStatus status = peers().recv(space, source, tag);
            region.take(space, status.count());
            return Status.of(status, type);
        });
    }

    /** Begins to receive. */
    public final Request iRecv(@Nullable Buffer buf, int count, Datatype type, int source, int tag) {
        return begin(new Region(buf, count, type), source, tag);
    }

    private Request begin(Region region, int source, int tag) {
        return MPIException.of(() -> {
            JBuffer space = region.space();
            return Request.ofReceive(peers().irecv(space, source, tag), region, space);
        });
    }

    /** Sends and receives at once. */
    public final Status sendRecv(
            @Nullable Object sendbuf,
            int sendcount,
            Datatype sendtype,
            int dest,
            int sendtag,
            @Nullable Object recvbuf,
            int recvcount,
            Datatype recvtype,
            int source,
            int recvtag) {
        Request receive = begin(new Region(recvbuf, recvcount, recvtype), source, recvtag);
        return exchange(receive, () -> send(sendbuf, sendcount, sendtype, dest, sendtag));
    }

    private static Status exchange(Request receive, Runnable send) {
        try {
            send.run();
        } catch (RuntimeException e) {
            receive.cancel(); // else it would take a message that is meant for another
            throw e;
        }
        return receive.waitStatus();
    }

    /** Sends and receives at once, both in one buffer. */
    public final Status sendRecvReplace(
            @Nullable Object buf, int count, Datatype type, int dest, int sendtag, int source, int recvtag) {
        Region region = new Region(buf, count, type);
        JBuffer copy = region.packed();
        Request receive = begin(region, source, recvtag);
        return exchange(receive, () -> begin(copy, dest, sendtag).waitFor());
    }

    // Looking.

    /** Waits until a message is there, and leaves it. */
    public final Status probe(int source, int tag) {
        return MPIException.of(() -> Status.of(peers().probe(source, tag)));
    }

    /** If a message is there, what is known of it; else null. */
    public final @Nullable Status iProbe(int source, int tag) {
        return MPIException.<@Nullable Status>of(() -> {
            JStatus status = peers().iprobe(source, tag);
            return status == null ? null : Status.of(status);
        });
    }

    // Persistent requests.

    /** A {@link #send} to be begun again and again. */
    public final Prequest sendInit(@Nullable Buffer buf, int count, Datatype type, int dest, int tag) {
        return new Prequest(() -> iSend(buf, count, type, dest, tag));
    }

    /** A {@link #bSend} to be begun again and again. */
    public final Prequest bSendInit(@Nullable Buffer buf, int count, Datatype type, int dest, int tag) {
        return new Prequest(() -> ibSend(buf, count, type, dest, tag));
    }

    /** An {@link #sSend} to be begun again and again. */
    public final Prequest sSendInit(@Nullable Buffer buf, int count, Datatype type, int dest, int tag) {
        return new Prequest(() -> isSend(buf, count, type, dest, tag));
    }

    /** An {@link #rSend} to be begun again and again. */
    public final Prequest rSendInit(@Nullable Buffer buf, int count, Datatype type, int dest, int tag) {
        return sendInit(buf, count, type, dest, tag);
    }

    /** A {@link #recv} to be begun again and again. */
    public final Prequest recvInit(@Nullable Buffer buf, int count, Datatype type, int source, int tag) {
        return new Prequest(() -> iRecv(buf, count, type, source, tag));
    }

    // Packing.

    /** Bytes that so many items take when packed. */
    public final int packSize(int incount, Datatype type) {
        if (incount < 0) {
            throw new MPIException("count " + incount + ": must be 0 or more");
        }
        return incount * Datatype.required(type).sizeInBytes();
    }

    /**
     * Writes items as bytes.
     *
     * @return the position behind them
     */
    public final int pack(@Nullable Object inbuf, int incount, Datatype type, byte[] outbuf, int position) {
        var from = new Region(inbuf, incount, type).contents().memory();
        int length = packSize(incount, type);
        requirePacked(outbuf, position, length);
        MemorySegment.copy(from, 0, MemorySegment.ofArray(outbuf), position, length);
        return position + length;
    }

    /**
     * Reads items from bytes.
     *
     * @return the position behind them
     */
    public final int unpack(byte[] inbuf, int position, @Nullable Object outbuf, int outcount, Datatype type) {
        Region region = new Region(outbuf, outcount, type);
        int length = packSize(outcount, type);
        requirePacked(inbuf, position, length);
        var bytes = MemorySegment.ofArray(inbuf).asSlice(position, length);
        MPIException.in(() -> region.unpack(JBuffer.of(bytes, type.base().type()), region.elements()));
        return position + length;
    }

    private static void requirePacked(byte @Nullable [] packed, int position, int length) {
        if (packed == null || position < 0 || length > packed.length - position) {
            throw new MPIException("packed items take " + length + " bytes from position " + position + " on of "
                    + (packed == null ? "null" : "an array of " + packed.length) + ": must lie within one");
        }
    }
}
