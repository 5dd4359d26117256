package ayatori.bench;

import java.util.Arrays;
import java.util.Collection;
import java.util.SplittableRandom;

/** Medians, and intervals of medians and means by the bootstrap. */
final class Statistics {
    private static final int RESAMPLES = 10_000;
    private static final long SEED = 42;

    private Statistics() {}

    static double median(double... values) {
        return quantile(0.5, values);
    }

    /** NaN for no values. */
    static double median(Collection<Double> values) {
        return median(values.stream().mapToDouble(Double::doubleValue).toArray());
    }

    /** Linear between neighbours. NaN for no values. */
    static double quantile(double q, double... values) {
        if (values.length == 0) {
            return Double.NaN;
        }
        double[] sorted = values.clone();
        Arrays.sort(sorted);
        double place = q * (sorted.length - 1);
        int below = (int) place;
        int above = Math.min(below + 1, sorted.length - 1);
        return sorted[below] + (place - below) * (sorted[above] - sorted[below]);
    }

    /** The middle of paired ratios and its 95 % interval. */
    record Estimate(double middle, double low, double high) {}

    /**
     * Geometric mean of a ratio over pairs, without the tenth that is furthest at either end (a pair that another program
     * disturbed), and its 95 % interval by the percentile bootstrap over pairs.
     */
    static Estimate trimmedRatio(double[] ratios) {
        double[] logs = Arrays.stream(ratios).map(Math::log).toArray();
        SplittableRandom random = new SplittableRandom(SEED);
        double[] means = new double[RESAMPLES];
        double[] sample = new double[logs.length];
        for (int i = 0; i < RESAMPLES; i++) {
            for (int k = 0; k < sample.length; k++) {
                sample[k] = logs[random.nextInt(logs.length)];
            }
            means[i] = trimmedMean(sample);
        }
        return new Estimate(
                Math.exp(trimmedMean(logs)), Math.exp(quantile(0.025, means)), Math.exp(quantile(0.975, means)));
    }

    private static double trimmedMean(double[] values) {
        double[] sorted = values.clone();
        Arrays.sort(sorted);
        int cut = sorted.length / 10;
        return Arrays.stream(sorted, cut, sorted.length - cut).average().orElse(Double.NaN);
    }
}
