package ayatori.bench.load;

import java.util.Arrays;

/** How long something takes that is too short for the clock: it is done many times in a row. */
final class Bursts {
    /** Long beside what the clock takes, short beside a time slice. */
    private static final long BURST_NANOS = 500_000;

    private static final int LEAST = 5;
    private static final int TRIALS = 3;

    private Bursts() {}

    /** Does it so many times, and says how long that took. */
    @FunctionalInterface
    interface Burst {
        long nanos(int times);
    }

    /**
     * What one takes, microseconds.
     *
     * @param median over bursts, each of which counts by its mean
     * @param tenth one in ten bursts is quicker
     */
    record Timing(double median, double tenth) {
        /** The same of a part, where one is several. */
        Timing dividedBy(int parts) {
            return new Timing(median / parts, tenth / parts);
        }
    }

    /** Goes on until the time is over. Bursts that turn out too short, since the first ones were disturbed, count for nothing. */
    static Timing time(long budgetNanos, Burst burst) {
        long enough = Math.min(BURST_NANOS, budgetNanos / 4);
        int times = 1;
        while (quickest(times, burst) < enough) {
            times *= 2;
        }
        double[] micros = new double[1024];
        int count = 0;
        long end = System.nanoTime() + budgetNanos;
        while (count < LEAST || System.nanoTime() < end) {
            if (count == micros.length) {
                micros = Arrays.copyOf(micros, 2 * count);
            }
            long nanos = burst.nanos(times);
            micros[count++] = nanos / 1e3 / times;
            if (nanos < enough / 2) {
                times *= 2;
                count = 0;
            }
        }
        Arrays.sort(micros, 0, count);
        return new Timing(quantile(0.5, micros, count), quantile(0.1, micros, count));
    }

    private static long quickest(int times, Burst burst) {
        long best = Long.MAX_VALUE;
        for (int i = 0; i < TRIALS; i++) {
            best = Math.min(best, burst.nanos(times));
        }
        return best;
    }

    /** Linear between neighbours. */
    static double quantile(double q, double[] sorted, int count) {
        double place = q * (count - 1);
        int below = (int) place;
        int above = Math.min(below + 1, count - 1);
        return sorted[below] + (place - below) * (sorted[above] - sorted[below]);
    }
}
