package ayatori.cli;

import ayatori.sched.SchedulingParameters;

/**
 * Field 18 of /proc/PID/task/TID/stat: the priority by which the kernel orders threads, with what a priority-inheriting
 * futex lends at the moment. −1 − value for a real-time value, 20 + nice otherwise, −101 for SCHED_DEADLINE; lower is
 * served first.
 */
public final class KernelPriority {
    private static final int DEADLINE = -101;
    private static final int NICE_0 = 20;
    private static final int HIGHEST_NICE = 0;

    private KernelPriority() {}

    /** Whether a thread with these parameters of its own has been lent a higher priority. */
    static boolean isLent(int kernelPriority, SchedulingParameters own) {
        int unlent = switch (own.policy()) {
            case DEADLINE -> DEADLINE;
            case FIFO, RR -> -1 - own.staticPriority();
            case OTHER, BATCH, EXT -> NICE_0 + own.nice();
            case IDLE -> HIGHEST_NICE; // it shows a nice value that is of no account
        };
        return kernelPriority < unlent;
    }

    /** As the table shows it: {@code DEADLINE}, {@code RT 18}, {@code nice -2}. */
    public static String text(int kernelPriority) {
        if (kernelPriority <= DEADLINE) {
            return "DEADLINE";
        }
        return kernelPriority < 0 ? "RT " + (-1 - kernelPriority) : "nice " + (kernelPriority - NICE_0);
    }
}
