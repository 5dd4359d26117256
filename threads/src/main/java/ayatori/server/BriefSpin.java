package ayatori.server;

import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/**
 * Looks for something for a moment before its caller falls asleep, as long as that pays: a call to a server that is awake takes
 * half a microsecond, and one that puts threads to sleep and wakes them fifty. After a moment in vain four times as many waits go
 * without before the next that looks, after one that was not half as many; so where less than two of three pay, as with more
 * threads than CPUs, hardly any wait looks.
 *
 * <p>While a real-time thread looks, who has less priority gets nothing of its CPU, and who waits for it is not lent its priority
 * yet. So it looks for a shorter moment; and only in every other millisecond, in which it may have its CPU for itself: in the others
 * it sleeps each time, so that a loop of calls is no runaway.
 *
 * <p>May be called by several threads at once, which then only look more or less often.
 */
final class BriefSpin {
    /** For how long a real-time thread that waits for an answer looks, and whoever works for it is not lent its priority. */
    static final long UNLENT_NANOS = TimeUnit.MICROSECONDS.toNanos(10);

    /** Longer than it takes to wake a thread on a virtual CPU. */
    private static final long MOMENT_NANOS = TimeUnit.MICROSECONDS.toNanos(100);

    /** To look in vain then costs less than a microsecond a wait; and where it pays again, that is found out within 20 ms or so. */
    private static final int MOST_WITHOUT = 1 << 7;

    /** About a millisecond, in nanoTime: in those with this bit real-time threads sleep. */
    private static final long SLEEPS_BIT = 1L << 20;

    private final long realTimeNanos;
    /** Waits that go without between two that look: more after a moment in vain than fewer after one that was not. */
    private int without;

    private int left;

    /**
     * Has not looked yet.
     *
     * @param realTimeNanos how long real-time threads look
     */
    BriefSpin(long realTimeNanos) {
        this.realTimeNanos = realTimeNanos;
    }

    /**
     * Looks, or does not.
     *
     * @param deadline nanoTime, or {@link Deadline#FOREVER}
     * @param realTime if the calling thread is, or may become one at any moment
     * @return if it is there
     */
    boolean finds(BooleanSupplier there, long deadline, boolean realTime) {
        if (left > 0) {
            left--;
            return false;
        }
        long begun = System.nanoTime();
        if (realTime && (begun & SLEEPS_BIT) != 0) {
            return false;
        }
        long most = realTime ? realTimeNanos : MOMENT_NANOS;
        long moment = deadline == Deadline.FOREVER ? most : Math.min(most, deadline - begun);
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
