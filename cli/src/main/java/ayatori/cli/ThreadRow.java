package ayatori.cli;

import ayatori.sched.SchedulingParameters;
import ayatori.sched.SchedulingStatistics;
import java.util.Comparator;
import java.util.Optional;

/**
 * A thread of a JVM: what its ledger wants and what the kernel has.
 *
 * @param tid in this command's PID namespace
 * @param name the Java name where it is known, else the kernel's (15 bytes)
 * @param javaPriority 1 to 10; 0 if it is not a Java thread
 * @param wanted the level that the ledger wants now; empty without the agent
 * @param dues how many causes the thread is owed a level by
 * @param errno of the agent's last attempt to set it
 * @param actual the kernel's policy and value
 * @param kernelPriority see {@link KernelPriority}
 * @param lastCpu the CPU that it ran on last
 * @param statistics what the kernel has counted since the thread's start
 */
public record ThreadRow(
        int tid,
        String name,
        ThreadKind kind,
        int javaPriority,
        Optional<SchedulingParameters> wanted,
        int dues,
        int errno,
        SchedulingParameters actual,
        int kernelPriority,
        int lastCpu,
        SchedulingStatistics statistics) {
    /** Highest on the ladder first: by what is wanted, where that is not known by what is. */
    static final Comparator<ThreadRow> LADDER_ORDER = Comparator.comparingInt(
                    (ThreadRow row) -> row.wanted.orElse(row.actual).rank())
            .reversed()
            .thenComparing(Comparator.comparingInt(ThreadRow::javaPriority).reversed())
            .thenComparingInt(ThreadRow::tid);

    /** Joins what the JVM says with what the kernel has. */
    public static ThreadRow of(
            int tid,
            Roster.Known known,
            SchedulingParameters actual,
            int kernelPriority,
            int lastCpu,
            SchedulingStatistics statistics) {
        return new ThreadRow(
                tid,
                known.name(),
                known.kind(),
                known.javaPriority(),
                known.wanted(),
                known.dues(),
                known.errno(),
                actual,
                kernelPriority,
                lastCpu,
                statistics);
    }

    public boolean mismatched() {
        if (wanted.isEmpty()) {
            return false;
        }
        // Whether it resets on fork is not part of a level.
        return !wanted.get().withResetOnFork(actual.resetOnFork()).equals(actual);
    }

    /** Mismatched without a cause: the level may have changed between a look at the ledger and one at the kernel. */
    public boolean unsettled() {
        return mismatched() && errno == 0;
    }

    public boolean inherits() {
        return KernelPriority.isLent(kernelPriority, actual);
    }
}
