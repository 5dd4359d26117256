package mpi;

import java.util.List;
import java.util.function.Supplier;
import jpi.JComm;
import jpi.JComparison;
import jpi.JIntercomm;
import jpi.JPeers;
import jpi.JRequest;
import org.jspecify.annotations.Nullable;

/**
 * Ranks of two groups, which pass messages from the one to the other: who is named as source, destination or root is named by the number in
 * the other group. Made by {@link Comm#createIntercomm}. All ranks of both groups make the same collective calls; there are those that
 * are shown here.
 */
public final class Intercomm extends Comm {
    /** In place of a message where none is looked at. */
    private static final Object NOTHING = 0;

    private final Supplier<JIntercomm> groups;

    Intercomm(JIntercomm groups) {
        this(() -> groups);
    }

    private Intercomm(Supplier<JIntercomm> groups) {
        super(() -> groups.get().local());
        this.groups = groups;
    }

    private JIntercomm groups() {
        return groups.get();
    }

    @Override
    JComm comm() {
        throw new MPIException(
                "not between two groups: there are barrier, bcast, gather and allGather, all of them blocking"
                        + " and not in place; merge() the groups for the others");
    }

    @Override
    JPeers peers() {
        return groups();
    }

    @Override
    JComparison comparison(Comm other) {
        return other instanceof Intercomm theirs ? groups().compare(theirs.groups()) : JComparison.UNEQUAL;
    }

    @Override
    public boolean isInter() {
        return true;
    }

    /** How many ranks the other group has. */
    public int getRemoteSize() {
        return groups().remoteSize();
    }

    /** The other group. */
    public Group getRemoteGroup() {
        var group = groups().remoteGroup();
        return new Group(() -> group);
    }

    /**
     * A communicator of all ranks of both groups.
     *
     * @param high the ranks of this group come behind those of the other, if that one says false
     */
    public Intracomm merge(boolean high) {
        JComm all = MPIException.of(() -> groups().merge(high));
        return new Intracomm(() -> all);
    }

    @Override
    public Intercomm dup() {
        return MPIException.of(() -> new Intercomm(groups().dup()));
    }

    @Override
    public Intercomm iDup() {
        JRequest<JIntercomm> begun = MPIException.of(() -> groups().idup());
        Intercomm copy = new Intercomm(begun::await);
        copy.comesOf(begun);
        return copy;
    }

    @Override
    public Intercomm dupWithInfo(@Nullable Info info) {
        return dup();
    }

    @Override
    public Intercomm clone() {
        return dup();
    }

    @Override
    void release() {
        groups().free();
    }

    // Collective operations.

    @Override
    public void barrier() {
        MPIException.in(() -> groups().barrier());
    }

    private static boolean isRootHere(int root) {
        return root == MPI.ROOT;
    }

    private static boolean isIdle(int root) {
        return root == MPI.PROC_NULL;
    }

    /** A copy: messages of objects go by reference within a JVM. */
    private static Object copyOf(@Nullable Object buf, int count, Datatype type) {
        return new Region(buf, count, type).contents().toArray();
    }

    /** One rank's items reach all of the other group: {@link MPI#ROOT} there, {@link MPI#PROC_NULL} at the others of its group. */
    @Override
    public void bcast(@Nullable Object buf, int count, Datatype type, int root) {
        MPIException.in(() -> {
            Object message = groups().<Object>bcast(isRootHere(root) ? copyOf(buf, count, type) : null, root);
            if (!isRootHere(root) && !isIdle(root)) {
                new Region(buf, count, type).take(message);
            }
        });
    }

    /** All items of one group reach one rank of the other: {@link MPI#ROOT} there, {@link MPI#PROC_NULL} at the others of its group. */
    @Override
    public void gather(
            @Nullable Object sendbuf,
            int sendcount,
            Datatype sendtype,
            @Nullable Object recvbuf,
            int recvcount,
            Datatype recvtype,
            int root) {
        MPIException.in(() -> {
            boolean gives = !isRootHere(root) && !isIdle(root);
            List<Object> all = groups().gather(gives ? copyOf(sendbuf, sendcount, sendtype) : NOTHING, root);
            if (all != null) {
                takeAll(new Region(recvbuf, recvcount, recvtype), all);
            }
        });
    }

    /** Every rank's items reach all of the other group. */
    @Override
    public void allGather(
            @Nullable Object sendbuf,
            int sendcount,
            Datatype sendtype,
            @Nullable Object recvbuf,
            int recvcount,
            Datatype recvtype) {
        MPIException.in(() -> takeAll(
                new Region(recvbuf, recvcount, recvtype), groups().allgather(copyOf(sendbuf, sendcount, sendtype))));
    }

    private static void takeAll(Region first, List<Object> all) {
        for (int i = 0; i < all.size(); i++) {
            first.part(i).take(all.get(i));
        }
    }
}
