package ayatori.server;

import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/**
 * Looks for something for a moment before its caller falls asleep, as long as that pays: a call to a server that is awake takes
 * two microseconds, and one that puts threads to sleep and wakes them fifty. After a moment in vain four times as many waits go
 * without before the next that looks, after one that was not half as many; so where less than two of three pay, as with more
 * threads than CPUs, hardly any wait looks. Not for real-time threads: who has less priority would wait for nothing. May be called
 * by several threads at once, which then only look more or less often.
 */
final class BriefSpin {
    /** Longer than it takes to wake a thread on a virtual CPU. */
    private static final long MOMENT_NANOS = TimeUnit.MICROSECONDS.toNanos(100);

    /** To look in vain then costs less than a microsecond a wait; and where it pays again, that is found out within 20 ms or so. */
    private static final int MOST_WITHOUT = 1 << 7;
    /** Waits that go without between two that look: more after a moment in vain than fewer after one that was not. */
    private int without;

    private int left;

    /**
     * Looks, or does not.
     *
     * @param deadline nanoTime, or {@link Deadline#FOREVER}
     * @return if it is there
     */
    boolean finds(BooleanSupplier there, long deadline) {
        if (left > 0) {
            left--;
            return false;
        }
        long begun = System.nanoTime();
        boolean soon = deadline != Deadline.FOREVER && deadline - begun < MOMENT_NANOS;
        long moment = soon ? deadline - begun : MOMENT_NANOS;
        do {
            if (there.getAsBoolean()) {
                without /= 2;
                left = without;
                return true;
            }
            Thread.onSpinWait();
        } while (System.nanoTime() - begun < moment);
        without = Math.clamp(4L * without, 1, MOST_WITHOUT);
        left = without;
        return false;
    }
}
