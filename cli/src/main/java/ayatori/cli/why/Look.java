package ayatori.cli.why;

import ayatori.internal.linux.TaskFiles;
import ayatori.sched.LinuxThread;
import ayatori.sched.SchedulingStatistics;
import java.io.IOException;

/**
 * What the kernel has counted for a thread until a moment, or between two.
 *
 * @param nanos System.nanoTime; between two, the time between them
 * @param state proc_pid_stat(5); between two, the later one
 * @param cpu the one that it ran on last
 */
record Look(long nanos, char state, int cpu, SchedulingStatistics statistics, long minorFaults, long majorFaults) {
    /** @throws IOException if the thread has ended */
    static Look at(int tid) throws IOException {
        TaskFiles files = new TaskFiles(tid);
        return new Look(
                System.nanoTime(),
                files.state(),
                files.lastCpu(),
                LinuxThread.of(tid).statistics(),
                files.minorFaults(),
                files.majorFaults());
    }

    Look since(Look before) {
        SchedulingStatistics now = statistics;
        SchedulingStatistics then = before.statistics;
        return new Look(
                nanos - before.nanos,
                state,
                cpu,
                new SchedulingStatistics(
                        now.cpuNanos() - then.cpuNanos(),
                        now.runDelayNanos() - then.runDelayNanos(),
                        now.slices() - then.slices(),
                        now.voluntarySwitches() - then.voluntarySwitches(),
                        now.involuntarySwitches() - then.involuntarySwitches()),
                minorFaults - before.minorFaults,
                majorFaults - before.majorFaults);
    }

    /**
     * The shares of the time between two looks, without causes: all that can be had without a trace.
     *
     * @param ready whether it was ready or on a CPU at the earlier one
     */
    Shares shares(boolean ready) {
        long ran = Math.min(statistics.cpuNanos(), nanos);
        long waited = Math.min(statistics.runDelayNanos(), nanos - ran);
        long rest = nanos - ran - waited;
        Shares shares = new Shares();
        shares.add(Span.Kind.RAN, ran);
        // A wait is counted when it ends: who never slept was waiting for the rest of the time.
        boolean awake = ready && state == 'R' && statistics.voluntarySwitches() == 0;
        shares.add(Span.Kind.WAITED, awake ? waited + rest : waited);
        shares.add(Span.Kind.SLEPT, awake ? 0 : rest);
        return shares;
    }
}
