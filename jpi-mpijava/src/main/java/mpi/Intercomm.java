package mpi;

import jpi.JComparison;
import jpi.JIntercomm;
import jpi.JPeers;

/**
 * Ranks of two groups, which pass messages from the one to the other: who is named as source or destination is named by the number in the
 * other group. Made by {@link Comm#Create_intercomm}.
 */
@SuppressWarnings("MemberName") // MPI's names
public final class Intercomm extends Comm {
    private final JIntercomm groups;

    Intercomm(JIntercomm groups) {
        super(groups::local);
        this.groups = groups;
    }

    @Override
    JPeers peers() {
        return groups;
    }

    @Override
    JComparison comparison(Comm other) {
        return other instanceof Intercomm theirs ? groups.compare(theirs.groups) : JComparison.UNEQUAL;
    }

    /** How many ranks the other group has. */
    public int Remote_size() {
        return groups.remoteSize();
    }

    /** The other group. */
    public Group Remote_group() {
        var group = groups.remoteGroup();
        return new Group(() -> group);
    }

    /**
     * A communicator of all ranks of both groups.
     *
     * @param high the ranks of this group come behind those of the other, if that one says false
     */
    public Intracomm Merge(boolean high) {
        var all = MPIException.of(() -> groups.merge(high));
        return new Intracomm(() -> all);
    }

    @Override
    public boolean Test_inter() {
        return true;
    }

    @Override
    public void Free() {
        MPIException.in(groups::free);
    }

    @Override
    public Object clone() {
        return MPIException.of(() -> new Intercomm(groups.dup()));
    }
}
