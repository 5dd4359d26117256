package ayatori.cli.demo;

import java.util.List;

/**
 * What was measured in one run. Times are nanoseconds, instants are CLOCK_MONOTONIC.
 *
 * @param configuration what ran
 * @param cpus how many CPUs the JVM had
 * @param round which repetition, from 1
 * @param target the count at which a thread ended
 * @param opened when the gate was opened
 * @param threads T1 to T4, in this order
 * @param jvmCpu CPU time of the JVM's other threads while the threads counted
 * @param jvmRealTimeCpu the part of jvmCpu that real-time threads took
 * @param samples the counters over time
 * @param messages what the JVM and the agent printed
 */
record RunRecord(
        Configuration configuration,
        int cpus,
        int round,
        int target,
        long opened,
        List<Counted> threads,
        long jvmCpu,
        long jvmRealTimeCpu,
        Samples samples,
        List<String> messages) {

    /**
     * One counting thread.
     *
     * @param scheduling what the kernel had for it, read back before the gate was opened: "RR 18", "nice -2"
     * @param realTime whether that is real-time
     * @param ended when it reached the target
     * @param cpu time on a CPU
     * @param runDelay time ready but not on a CPU
     * @param others where the counters of T1 to T4 stood when it ended
     */
    record Counted(String scheduling, boolean realTime, long ended, long cpu, long runDelay, List<Long> others) {}
}
