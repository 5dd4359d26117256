package ayatori.bench.load;

import java.util.concurrent.TimeUnit;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.HistogramIterationValue;

/**
 * A meter as jHiccup has it: a thread of priority 10 that sleeps for a millisecond at a time, and how much longer each of
 * these sleeps took, corrected for those that a long one kept from beginning. Arguments: seconds to measure; threads of
 * priority 5 that compute beside it in the same JVM, in the first 0.8 of every second: real-time threads that have every CPU
 * for longer meet the kernel's throttling, which takes the CPUs from those above them too; milliseconds to warm up before.
 */
public final class Hiccups {
    private static final long SLEEP_NANOS = 1_000_000;
    private static final long HIGHEST_NANOS = 60_000_000_000L;
    private static final long HOGS_BUSY_NANOS = 800_000_000;
    private static final int DIGITS = 3;
    /** Lines of the raw percentiles each time that the distance to 100 % has halved. */
    private static final int TICKS_A_HALF = 5;

    private Hiccups() {}

    public static void main(String[] arguments) throws InterruptedException {
        long nanos = Long.parseLong(arguments[0]) * 1_000_000_000;
        int hogs = Integer.parseInt(arguments[1]);
        long warmUp = Long.parseLong(arguments[2]) * 1_000_000;
        Histogram histogram = new Histogram(HIGHEST_NANOS, DIGITS);
        Thread meter = new Thread(
                () -> {
                    measure(histogram, warmUp);
                    histogram.reset();
                    measure(histogram, nanos);
                },
                "meter");
        meter.setPriority(Thread.MAX_PRIORITY);
        Hogs.start(hogs, System.nanoTime() + warmUp + nanos, HOGS_BUSY_NANOS);
        meter.start();
        meter.join();
        for (double percentile : new double[] {50, 99, 99.9, 100}) {
            Result.print("percentile", percentile, histogram.getValueAtPercentile(percentile));
        }
        for (HistogramIterationValue value : histogram.percentiles(TICKS_A_HALF)) {
            Result.print("raw", value.getPercentile(), value.getValueIteratedTo(), value.getTotalCountToThisValue());
        }
    }

    private static void measure(Histogram histogram, long nanos) {
        long before = System.nanoTime();
        long end = before + nanos;
        try {
            while (before < end) {
                TimeUnit.NANOSECONDS.sleep(SLEEP_NANOS);
                long now = System.nanoTime();
                long surplus = Math.max(0, now - before - SLEEP_NANOS);
                histogram.recordValueWithExpectedInterval(Math.min(surplus, HIGHEST_NANOS), SLEEP_NANOS);
                before = now;
            }
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }
}
