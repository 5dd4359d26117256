package mpi;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import jpi.JAttribute;
import jpi.JComm;
import jpi.JComparison;
import jpi.JRequest;
import org.jspecify.annotations.Nullable;

/** Ranks that pass messages. A message is so many items of a datatype in a buffer. */
public class Comm extends Reductions implements Freeable, Cloneable {
    /** For {@link Intracomm#splitType}: ranks that can share memory. */
    public static final int TYPE_SHARED = 1;

    private static final JAttribute<Map<Integer, Object>> ATTRIBUTES =
            JAttribute.of("MPI attributes", ConcurrentHashMap::new, _ -> {});

    private volatile boolean freed;
    /** By which it is made; null: it has been made at once. */
    private @Nullable Request making;

    Comm(Supplier<? extends JComm> comm) {
        super(comm);
    }

    /** How many ranks it has. */
    public final int getSize() {
        return size();
    }

    /** The number of the rank that asks. */
    public final int getRank() {
        return group().rank();
    }

    /** Its ranks. */
    public final Group getGroup() {
        var group = group().group();
        return new Group(() -> group);
    }

    /** How alike two are: {@link MPI#IDENT}, {@link MPI#CONGRUENT}, {@link MPI#SIMILAR} or {@link MPI#UNEQUAL}. */
    public static int compare(Comm comm1, Comm comm2) {
        Comm one = Given.communicator(comm1, "the first communicator");
        return Group.number(one.comparison(Given.communicator(comm2, "the second communicator")));
    }

    JComparison comparison(Comm other) {
        return other.isInter() ? JComparison.UNEQUAL : comm().compare(other.comm());
    }

    /** Its name. */
    public final String getName() {
        return group().name();
    }

    /** Names it, at this rank. */
    public final void setName(String name) {
        MPIException.in(() -> group().setName(name));
    }

    /** Says that this rank needs it no more. */
    @Override
    public void free() {
        MPIException.in(this::release);
        freed = true;
    }

    void release() {
        comm().free();
    }

    /** As {@link #free}. */
    public final void disconnect() {
        free();
    }

    /** If it has been freed, or is none: that of a rank which was left out when communicators were made. */
    public final boolean isNull() {
        return freed || isOfNobody();
    }

    /** If it is of two groups: an {@link Intercomm}. */
    public boolean isInter() {
        return false;
    }

    /** Kind of topology; {@link MPI#UNDEFINED}: none. */
    public final int getTopology() {
        return switch (group()) {
            case jpi.JCartesian _ -> MPI.CART;
            case jpi.JGraph _ -> MPI.DIST_GRAPH;
            default -> this instanceof GraphComm ? MPI.GRAPH : MPI.UNDEFINED;
        };
    }

    /** Another one of the same ranks. */
    public Comm dup() {
        JComm copy = MPIException.of(() -> comm().dup());
        return new Comm(() -> copy);
    }

    /** Begins {@link #dup}; the new one may be used when {@link #getRequest its request} is over. */
    public Comm iDup() {
        JRequest<JComm> begun = beginCopy();
        Comm copy = new Comm(begun::await);
        copy.comesOf(begun);
        return copy;
    }

    final JRequest<JComm> beginCopy() {
        return MPIException.of(() -> comm().idup());
    }

    /** Remembers by which request it is made. */
    final void comesOf(JRequest<?> begun) {
        making = Request.of(begun, () -> {});
    }

    /** By which it is made, if it comes of {@link #iDup}; else null. */
    public final @Nullable Request getRequest() {
        return making;
    }

    /** As {@link #dup}: hints are not heeded. */
    public Comm dupWithInfo(@Nullable Info info) {
        return dup();
    }

    /**
     * Lets the ranks of a communicator pass messages to those of another, none of which is in that one. Both call it.
     *
     * @param localComm these ranks
     * @param localLeader the rank there that speaks for them
     * @param remoteLeader the rank here of who speaks for the others
     * @param tag of what the two say here
     */
    public final Intercomm createIntercomm(Comm localComm, int localLeader, int remoteLeader, int tag) {
        Comm local = Given.communicator(localComm, "the local communicator");
        return MPIException.of(() -> new Intercomm(local.comm().createInter(localLeader, comm(), remoteLeader, tag)));
    }

    /** Another one of the same ranks. */
    @Override
    public Comm clone() {
        return dup();
    }

    /** Ends the program, all its ranks. */
    public final void abort(int errorcode) {
        System.err.println("rank " + getRank() + " calls abort(" + errorcode + ")");
        group().abort(errorcode);
    }

    // Attributes and errors.

    private Map<Integer, Object> attributes() {
        Map<Integer, Object> attributes = group().attribute(ATTRIBUTES);
        if (attributes == null) {
            Map<Integer, Object> fresh = new ConcurrentHashMap<>();
            MPIException.in(() -> group().setAttribute(ATTRIBUTES, fresh));
            return fresh;
        }
        return attributes;
    }

    /** A key for attributes. */
    public static int createKeyval() {
        return MPI.newKey();
    }

    /** Does nothing: keys are used once. */
    public static void freeKeyval(int keyval) {}

    /** Keeps something with the communicator, at this rank; null: nothing. */
    public final void setAttr(int keyval, @Nullable Object value) {
        Attributed.keep(attributes(), keyval, value);
    }

    /** What is kept, or known as {@link MPI#TAG_UB} and the like; null: nothing. */
    public final @Nullable Object getAttr(int keyval) {
        if (keyval == MPI.TAG_UB) {
            return Integer.MAX_VALUE;
        }
        if (keyval == MPI.HOST) {
            return MPI.PROC_NULL;
        }
        if (keyval == MPI.IO) {
            return MPI.ANY_SOURCE;
        }
        if (keyval == MPI.WTIME_IS_GLOBAL) {
            return true;
        }
        return attributes().get(keyval);
    }

    /** Keeps it no more. */
    public final void deleteAttr(int keyval) {
        attributes().remove(keyval);
    }

    /** Not heeded: errors are exceptions. */
    public final void setErrhandler(Errhandler errhandler) {}

    /** What is done about errors. */
    public final Errhandler getErrhandler() {
        return MPI.ERRORS_RETURN;
    }
}
