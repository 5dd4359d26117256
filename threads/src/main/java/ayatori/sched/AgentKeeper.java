package ayatori.sched;

import ayatori.internal.linux.AgentLibrary;

/** The agent keeps the ledger: it raises threads too, for monitors and safepoints. */
final class AgentKeeper implements LedgerKeeper {
    private final AgentLibrary agent;

    AgentKeeper(AgentLibrary agent) {
        this.agent = agent;
    }

    @Override
    public int owe(LinuxThread thread, int rank, long creditor) {
        return agent.owe(thread.id(), rank, creditor);
    }

    @Override
    public int settle(LinuxThread thread, long creditor) {
        return agent.settle(thread.id(), creditor);
    }

    @Override
    public int setOwn(LinuxThread thread, SchedulingParameters own) {
        int value = own.policy().isRealTime() ? own.staticPriority() : own.nice();
        if (own.policy() == SchedulingPolicy.DEADLINE) {
            throw new IllegalArgumentException(
                    own + " as own level of " + thread + ": the agent's ledger holds no DEADLINE");
        }
        return agent.setOwn(thread.id(), own.policy().linuxValue(), value);
    }

    @Override
    public int rank(LinuxThread thread) {
        return agent.level(thread.id());
    }

    @Override
    public int lentRank(int javaPriority) {
        return agent.lentRank(javaPriority);
    }
}
