package ayatori.cli.demo;

import java.io.IOException;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * Finds the target. The paper's 70 million took its machine about as long as today's machines take for billions; the
 * target is the multiple of 70 million that takes a thread about half a second, so that a reader can compare.
 */
final class Calibration {
    private static final double WANTED_SECONDS = 0.5;
    private static final int TRIAL_MULTIPLE = 10;
    /** The counter is an int, as in the paper: 30 times 70 million is the largest multiple that it holds. */
    private static final int LARGEST_MULTIPLE = Integer.MAX_VALUE / Experiment.PAPER_TARGET;

    private static final long LIMIT_NANOS = TimeUnit.SECONDS.toNanos(60);

    private Calibration() {}

    /** Lets one ordinary thread count alone on the CPU of the experiment. */
    static int target(Experiment experiment) throws IOException, InterruptedException, TimeoutException {
        int trial = TRIAL_MULTIPLE * Experiment.PAPER_TARGET;
        try (CountersJvm jvm = CountersJvm.start(
                experiment, List.of(), experiment.countingCpus(1), trial, List.of(Thread.NORM_PRIORITY))) {
            jvm.awaitReady(LIMIT_NANOS);
            jvm.open();
            jvm.awaitEnd(() -> {}, LIMIT_NANOS);
            double seconds = jvm.page.cpu(0) / 1e9;
            jvm.release();
            return multiple(TRIAL_MULTIPLE * WANTED_SECONDS / seconds) * Experiment.PAPER_TARGET;
        }
    }

    static int multiple(double exact) {
        return Math.clamp(Math.round(exact), 1, LARGEST_MULTIPLE);
    }
}
