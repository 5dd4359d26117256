package ayatori.sched;

import ayatori.internal.linux.Sched;

/**
 * Scheduling policies of Linux.
 *
 * @see <a href="https://man7.org/linux/man-pages/man7/sched.7.html">sched(7)</a>
 */
public enum SchedulingPolicy {
    /** SCHED_OTHER: the default, a share of the CPU by nice. */
    OTHER(Sched.OTHER),
    /** SCHED_FIFO: real-time, runs until it blocks or a higher one wants the CPU. */
    FIFO(Sched.FIFO),
    /** SCHED_RR: as FIFO, but equals take turns. */
    RR(Sched.RR),
    /** SCHED_BATCH: as OTHER, but never in a hurry when it wakes up. */
    BATCH(Sched.BATCH),
    /** SCHED_IDLE: when hardly anything else wants the CPU. */
    IDLE(Sched.IDLE),
    /** SCHED_DEADLINE: so much CPU time in each period; above every other policy. */
    DEADLINE(Sched.DEADLINE),
    /** SCHED_EXT: as OTHER, by a scheduler that was loaded into the kernel. */
    EXT(Sched.EXT);

    private final int linuxValue;

    SchedulingPolicy(int linuxValue) {
        this.linuxValue = linuxValue;
    }

    /** The kernel's number of the policy. */
    public int linuxValue() {
        return linuxValue;
    }

    /** If it is FIFO or RR, which have a static priority. */
    public boolean isRealTime() {
        return this == FIFO || this == RR;
    }

    /** If nice counts under it. */
    public boolean hasNice() {
        return this == OTHER || this == BATCH || this == EXT;
    }

    /**
     * The policy of a number.
     *
     * @throws IllegalArgumentException if Linux has none of that number, as far as this release knows
     */
    public static SchedulingPolicy ofLinuxValue(int value) {
        for (SchedulingPolicy policy : values()) {
            if (policy.linuxValue == value) {
                return policy;
            }
        }
        throw new IllegalArgumentException("scheduling policy " + value + ": unknown, Linux has 0 to 3 and 5 to 7");
    }
}
