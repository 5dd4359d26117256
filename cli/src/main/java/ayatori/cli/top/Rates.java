package ayatori.cli.top;

import ayatori.sched.SchedulingStatistics;

/**
 * How a thread fared in an interval.
 *
 * @param cpu the share of the interval that it was on a CPU, 0 to 1
 * @param delay the share of the interval that it was ready to run and waited for a CPU, 0 to 1
 * @param voluntary switches a second because it waited for something
 * @param involuntary switches a second because another thread had to run
 */
record Rates(double cpu, double delay, double voluntary, double involuntary) {
    /**
     * The kernel adds to the run delay when a wait ends. A thread that gets no CPU at all would seem not to wait, and
     * later to have waited longer than the interval: such waiting is counted as it goes on, and taken off afterwards.
     *
     * @param rates of the interval
     * @param credited nanoseconds of waiting that have been counted before the kernel did
     */
    record Step(Rates rates, long credited) {}

    /**
     * What lies between two moments.
     *
     * @param credited of the step before
     */
    static Step between(Counters before, Counters now, long credited) {
        double elapsed = Math.max(1, now.nanoTime() - before.nanoTime());
        SchedulingStatistics earlier = before.statistics();
        SchedulingStatistics later = now.statistics();
        double waited;
        long creditedThen = 0;
        if (now.starvedSince(before)) {
            waited = elapsed;
            creditedThen = credited + (long) elapsed;
        } else {
            waited = Math.max(0, later.runDelayNanos() - earlier.runDelayNanos() - credited);
        }
        return new Step(
                new Rates(
                        share((double) (later.cpuNanos() - earlier.cpuNanos()), elapsed),
                        share(waited, elapsed),
                        perSecond(later.voluntarySwitches() - earlier.voluntarySwitches(), elapsed),
                        perSecond(later.involuntarySwitches() - earlier.involuntarySwitches(), elapsed)),
                creditedThen);
    }

    double switches() {
        return voluntary + involuntary;
    }

    /** The kernel brings its accounts up to date at ticks, so that an interval may get a tick of its neighbour's. */
    private static double share(double nanos, double elapsed) {
        return Math.min(1, nanos / elapsed);
    }

    private static double perSecond(long count, double elapsed) {
        return count / (elapsed / 1e9);
    }
}
