package mpi;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import jpi.JAttribute;
import jpi.JBuffer;
import jpi.JComm;
import jpi.JComparison;
import jpi.JHandle;
import jpi.JPeers;
import jpi.JRequest;
import jpi.JStatus;
import org.jspecify.annotations.Nullable;

/**
 * Ranks that pass messages. A message is so many items of a datatype in an array, from an offset on. Objects (of {@link MPI#OBJECT})
 * are copied on their way, within a JVM too.
 */
@SuppressWarnings("MemberName") // MPI's names
public class Comm {
    private static final JAttribute<Map<Integer, Object>> ATTRIBUTES =
            JAttribute.of("MPI attributes", ConcurrentHashMap::new, _ -> {});

    private final Supplier<? extends JComm> comm;

    Comm(Supplier<? extends JComm> comm) {
        this.comm = comm;
    }

    /** The ranks that it has; of two groups, those of this rank's. */
    JComm comm() {
        return comm.get();
    }

    /** To whom messages go. */
    JPeers peers() {
        return comm();
    }

    /** How many ranks it has. */
    public int Size() {
        return comm().size();
    }

    /** The number of the rank that asks. */
    public int Rank() {
        return comm().rank();
    }

    /** Its ranks. */
    public Group Group() {
        var group = comm().group();
        return new Group(() -> group);
    }

    /** How alike two are: {@link MPI#IDENT}, {@link MPI#CONGRUENT}, {@link MPI#SIMILAR} or {@link MPI#UNEQUAL}. */
    public static int Compare(Comm comm1, Comm comm2) {
        Comm one = Given.communicator(comm1, "the first communicator");
        return Group.number(one.comparison(Given.communicator(comm2, "the second communicator")));
    }

    JComparison comparison(Comm other) {
        return other.Test_inter() ? JComparison.UNEQUAL : comm().compare(other.comm());
    }

    /** Says that this rank needs it no more. */
    public void Free() {
        MPIException.in(() -> comm().free());
    }

    /** If it is of two groups: an {@link Intercomm}. */
    public boolean Test_inter() {
        return false;
    }

    /**
     * Lets the ranks of a communicator pass messages to those of another, none of which is in that one. Both call it.
     *
     * @param localComm these ranks
     * @param localLeader the rank there that speaks for them
     * @param remoteLeader the rank here of who speaks for the others
     * @param tag of what the two say here
     */
    public Intercomm Create_intercomm(Comm localComm, int localLeader, int remoteLeader, int tag) {
        Comm local = Given.communicator(localComm, "the local communicator");
        if (Test_inter() || local.Test_inter()) {
            throw new MPIException("an Intercomm is made of Intracomms, and in one: merge what is of two groups first");
        }
        return MPIException.of(() -> new Intercomm(local.comm().createInter(localLeader, comm(), remoteLeader, tag)));
    }

    /** Kind of topology; {@link MPI#UNDEFINED}: none. */
    public int Topo_test() {
        return MPI.UNDEFINED;
    }

    /** Ends the program, all its ranks. */
    public void Abort(int errorcode) {
        System.err.println("rank " + Rank() + " calls Abort(" + errorcode + ")");
        comm().abort(errorcode);
    }

    // Special ranks and tags.

    private static int special(String what, int given, int theirs, int ours) {
        if (given == theirs) {
            return ours;
        }
        if (given < 0) {
            throw new MPIException(what + " " + given + ": must be 0 or more, or a constant of MPI for this place");
        }
        return given;
    }

    private static int to(int destination) {
        return special("destination", destination, MPI.PROC_NULL, JHandle.PROC_NULL);
    }

    private static int from(int source) {
        return source == MPI.PROC_NULL
                ? JHandle.PROC_NULL
                : special("source", source, MPI.ANY_SOURCE, JHandle.ANY_SOURCE);
    }

    private static int tag(int tag) {
        return special("tag", tag, MPI.ANY_TAG, JHandle.ANY_TAG);
    }

    // Sending.

    /** What is sent. */
    private static Object message(Region region) {
        return region.isOfObjects() ? region.objects() : region.contents();
    }

    /** By which it is sent: objects are copied, as they are between processes. */
    private JPeers carrier(Region region) {
        return region.isOfObjects() ? peers().isolated() : peers();
    }

    /** Sends. */
    public void Send(@Nullable Object buf, int offset, int count, Datatype datatype, int dest, int tag) {
        Region region = new Region(buf, offset, count, datatype);
        MPIException.in(() -> carrier(region).send(message(region), to(dest), tag));
    }

    /** Sends, and ends when the message has been received. */
    public void Ssend(@Nullable Object buf, int offset, int count, Datatype datatype, int dest, int tag) {
        Region region = new Region(buf, offset, count, datatype);
        MPIException.in(() -> carrier(region).ssend(message(region), to(dest), tag));
    }

    /** Sends, and never waits for the receiver. */
    public void Bsend(@Nullable Object buf, int offset, int count, Datatype datatype, int dest, int tag) {
        Region region = new Region(buf, offset, count, datatype);
        MPIException.in(() -> carrier(region).bsend(message(region), to(dest), tag));
    }

    /** Sends: here the same as {@link #Send}. */
    public void Rsend(@Nullable Object buf, int offset, int count, Datatype datatype, int dest, int tag) {
        Send(buf, offset, count, datatype, dest, tag);
    }

    /** Begins to send. */
    public Request Isend(@Nullable Object buf, int offset, int count, Datatype datatype, int dest, int tag) {
        Region region = new Region(buf, offset, count, datatype);
        return MPIException.of(() -> Request.ofSend(carrier(region).isend(message(region), to(dest), tag)));
    }

    /** Begins to send; the request is over when the message has been received. */
    public Request Issend(@Nullable Object buf, int offset, int count, Datatype datatype, int dest, int tag) {
        Region region = new Region(buf, offset, count, datatype);
        return MPIException.of(() -> Request.ofSend(carrier(region).issend(message(region), to(dest), tag)));
    }

    /** Sends a copy; the request is over at once. */
    public Request Ibsend(@Nullable Object buf, int offset, int count, Datatype datatype, int dest, int tag) {
        Bsend(buf, offset, count, datatype, dest, tag);
        return MPIException.of(() -> Request.ofSend(peers().isend(null, JHandle.PROC_NULL, tag)));
    }

    /** Begins to send: here the same as {@link #Isend}. */
    public Request Irsend(@Nullable Object buf, int offset, int count, Datatype datatype, int dest, int tag) {
        return Isend(buf, offset, count, datatype, dest, tag);
    }

    // Receiving.

    /** Receives. */
    public Status Recv(@Nullable Object buf, int offset, int count, Datatype datatype, int source, int tag) {
        Region region = new Region(buf, offset, count, datatype);
        if (region.isOfObjects()) {
            return Irecv(buf, offset, count, datatype, source, tag).Wait();
        }
        return MPIException.of(() -> {
            JBuffer space = region.space();
            JStatus status = peers().recv(space, from(source), tag(tag));
            region.take(space, status.count());
            return Status.of(status);
        });
    }

    /** Begins to receive. */
    public Request Irecv(@Nullable Object buf, int offset, int count, Datatype datatype, int source, int tag) {
        Region region = new Region(buf, offset, count, datatype);
        return MPIException.of(() -> {
            if (region.isOfObjects()) {
                JRequest<Object> request = peers().irecv(from(source), tag(tag));
                return Request.ofObjects(request, region);
            }
            JBuffer space = region.space();
            return Request.ofReceive(peers().irecv(space, from(source), tag(tag)), region, space);
        });
    }

    /** Sends and receives at once. */
    public Status Sendrecv(
            @Nullable Object sendbuf,
            int sendoffset,
            int sendcount,
            Datatype sendtype,
            int dest,
            int sendtag,
            @Nullable Object recvbuf,
            int recvoffset,
            int recvcount,
            Datatype recvtype,
            int source,
            int recvtag) {
        Request receive = Irecv(recvbuf, recvoffset, recvcount, recvtype, source, recvtag);
        return exchange(receive, () -> Send(sendbuf, sendoffset, sendcount, sendtype, dest, sendtag));
    }

    private static Status exchange(Request receive, Runnable send) {
        try {
            send.run();
        } catch (RuntimeException e) {
            receive.Cancel(); // else it would take a message that is meant for another
            throw e;
        }
        return receive.Wait();
    }

    /** Sends and receives at once, both in one buffer. */
    public Status Sendrecv_replace(
            @Nullable Object buf,
            int offset,
            int count,
            Datatype datatype,
            int dest,
            int sendtag,
            int source,
            int recvtag) {
        Region region = new Region(buf, offset, count, datatype);
        Object copy = region.isOfObjects() ? region.objects() : JBuffer.ofArray(region.packed());
        Request receive = Irecv(buf, offset, count, datatype, source, recvtag);
        return exchange(receive, () -> MPIException.in(() -> carrier(region).send(copy, to(dest), sendtag)));
    }

    // Looking.

    /** Waits until a message is there, and leaves it. The number of objects in it is not known. */
    public Status Probe(int source, int tag) {
        return MPIException.of(() -> Status.of(peers().probe(from(source), tag(tag))));
    }

    /** If a message is there, what is known of it; else null. */
    public @Nullable Status Iprobe(int source, int tag) {
        return MPIException.<@Nullable Status>of(() -> {
            JStatus status = peers().iprobe(from(source), tag(tag));
            return status == null ? null : Status.of(status);
        });
    }

    // Persistent requests.

    /** A {@link #Send} to be begun again and again. */
    public Prequest Send_init(@Nullable Object buf, int offset, int count, Datatype datatype, int dest, int tag) {
        return new Prequest(() -> Isend(buf, offset, count, datatype, dest, tag));
    }

    /** A {@link #Ssend} to be begun again and again. */
    public Prequest Ssend_init(@Nullable Object buf, int offset, int count, Datatype datatype, int dest, int tag) {
        return new Prequest(() -> Issend(buf, offset, count, datatype, dest, tag));
    }

    /** A {@link #Bsend} to be begun again and again. */
    public Prequest Bsend_init(@Nullable Object buf, int offset, int count, Datatype datatype, int dest, int tag) {
        return new Prequest(() -> Ibsend(buf, offset, count, datatype, dest, tag));
    }

    /** A {@link #Rsend} to be begun again and again. */
    public Prequest Rsend_init(@Nullable Object buf, int offset, int count, Datatype datatype, int dest, int tag) {
        return Send_init(buf, offset, count, datatype, dest, tag);
    }

    /** A {@link #Recv} to be begun again and again. */
    public Prequest Recv_init(@Nullable Object buf, int offset, int count, Datatype datatype, int source, int tag) {
        return new Prequest(() -> Irecv(buf, offset, count, datatype, source, tag));
    }

    // Packing.

    /** Bytes that so many items take when packed. Not for objects. */
    public int Pack_size(int incount, Datatype datatype) {
        if (incount < 0) {
            throw new MPIException("count " + incount + ": must be 0 or more");
        }
        return incount * requirePackable(datatype).getByteSize();
    }

    /**
     * Writes items as bytes. Not for objects.
     *
     * @return the position behind them
     */
    public int Pack(@Nullable Object inbuf, int offset, int incount, Datatype datatype, byte[] outbuf, int position) {
        byte[] bytes = new Region(inbuf, offset, incount, requirePackable(datatype)).bytes();
        requirePacked(outbuf, position, bytes.length);
        System.arraycopy(bytes, 0, outbuf, position, bytes.length);
        return position + bytes.length;
    }

    /**
     * Reads items from bytes. Not for objects.
     *
     * @return the position behind them
     */
    public int Unpack(
            byte[] inbuf, int position, @Nullable Object outbuf, int offset, int outcount, Datatype datatype) {
        Region region = new Region(outbuf, offset, outcount, requirePackable(datatype));
        int length = Pack_size(outcount, datatype);
        requirePacked(inbuf, position, length);
        region.takeBytes(inbuf, position);
        return position + length;
    }

    private static void requirePacked(byte @Nullable [] packed, int position, int length) {
        if (packed == null || position < 0 || length > packed.length - position) {
            throw new MPIException("packed items take " + length + " bytes from position " + position + " on of "
                    + (packed == null ? "null" : "an array of " + packed.length) + ": must lie within one");
        }
    }

    private static Datatype requirePackable(Datatype datatype) {
        if (Datatype.required(datatype).base().isObject()) {
            throw new MPIException("objects cannot be packed: send them by themselves, as MPI.OBJECT");
        }
        return datatype;
    }

    // Attributes and errors.

    private Map<Integer, Object> attributes() {
        Map<Integer, Object> attributes = comm().attribute(ATTRIBUTES);
        if (attributes == null) {
            Map<Integer, Object> fresh = new ConcurrentHashMap<>();
            MPIException.in(() -> comm().setAttribute(ATTRIBUTES, fresh));
            return fresh;
        }
        return attributes;
    }

    /** An attribute: {@link MPI#TAG_UB}, {@link MPI#HOST}, {@link MPI#IO}, or one that was put; null: there is none. */
    public @Nullable Object Attr_get(int keyval) {
        return switch (keyval) {
            case MPI.TAG_UB -> Integer.MAX_VALUE;
            case MPI.HOST -> MPI.PROC_NULL;
            case MPI.IO -> MPI.ANY_SOURCE;
            case MPI.WTIME_IS_GLOBAL -> true;
            default -> attributes().get(keyval);
        };
    }

    /** Keeps something with the communicator, at this rank. */
    public void Attr_put(int keyval, Object value) {
        var _ = Given.required(value, "the value of attribute " + keyval + " is null: call Attr_delete to keep none");
        attributes().put(keyval, value);
    }

    /** Keeps it no more. */
    public void Attr_delete(int keyval) {
        attributes().remove(keyval);
    }

    /** Not heeded: errors are exceptions. */
    public void Errhandler_set(Errhandler errhandler) {}

    /** What is done about errors. */
    public Errhandler Errhandler_get() {
        return MPI.ERRORS_RETURN;
    }

    /** Another one of the same ranks. */
    @Override
    public Object clone() {
        JComm copy = MPIException.of(() -> comm().dup());
        return new Comm(() -> copy);
    }
}
