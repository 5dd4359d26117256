package ayatori.cli.top;

import ayatori.sched.SchedulingStatistics;

/**
 * What the kernel says of a thread at a moment.
 *
 * @param nanoTime when, System.nanoTime
 * @param runnable on a CPU or waiting for one
 * @param kernelPriority field 18 of stat
 * @param lastCpu the CPU that it ran on last
 * @param statistics counted since the thread began
 */
record Counters(long nanoTime, boolean runnable, int kernelPriority, int lastCpu, SchedulingStatistics statistics) {

    /** A thread that began after a moment, at that moment. */
    static Counters unborn(long nanoTime) {
        return new Counters(nanoTime, false, 0, 0, new SchedulingStatistics(0, 0, 0, 0, 0));
    }

    /** Whether it was ready all the time since an earlier moment and never got a CPU. */
    boolean starvedSince(Counters earlier) {
        SchedulingStatistics before = earlier.statistics;
        return earlier.runnable
                && runnable
                && before.slices() == statistics.slices()
                && before.cpuNanos() == statistics.cpuNanos()
                && before.runDelayNanos() == statistics.runDelayNanos();
    }
}
