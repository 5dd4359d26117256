package ayatori.sched;

/**
 * What the kernel has counted for a thread since it began.
 *
 * @param cpuNanos time on a CPU, in nanoseconds
 * @param runDelayNanos time spent ready to run but waiting for a CPU, in nanoseconds
 * @param slices how often it was given a CPU
 * @param voluntarySwitches how often it left the CPU because it had to wait for something
 * @param involuntarySwitches how often the CPU was taken from it
 */
public record SchedulingStatistics(
        long cpuNanos, long runDelayNanos, long slices, long voluntarySwitches, long involuntarySwitches) {}
