package jpi;

import jpi.internal.engine.Rank;

/** A communicator whose ranks have said who their neighbours are: MPI's distributed graph. See {@link JComm#graph}. */
public final class JGraph extends JTopology {
    JGraph(Members members, Rank.Mode mode, int priority, int[] sources, int[] destinations) {
        super(members, mode, priority, sources, destinations);
    }

    @Override
    int turn(int n) {
        return n;
    }

    @Override
    JGraph as(Members others, Rank.Mode newMode, int newPriority) {
        return new JGraph(others, newMode, newPriority, sources(), destinations());
    }

    @Override
    public JGraph isolated() {
        return as(members, Rank.Mode.ISOLATED, priority);
    }

    @Override
    public JGraph priority(int newPriority) {
        return as(members, mode, requirePriority(newPriority));
    }

    @Override
    public JGraph dup() {
        return (JGraph) super.dup();
    }
}
