package ayatori.bench;

import ayatori.bench.RunFolder.Csv;
import java.io.IOException;

/**
 * Yield loops of real-time threads on one CPU: against the owner that they wait for, and alone, where the guard should cost
 * little. Without placement there is no guard: the other side of the second.
 */
final class YieldLoops implements Measurement {
    private static final double OWNER_BOUND_MILLIS = 100;
    private static final double RATE_BOUND = 0.9;
    private static final long LIMIT_SECONDS = 30;
    private static final String GUARDED = "policy=static,runaway-limit=0";
    private static final String UNGUARDED = "policy=static,placement=off";

    @Override
    public boolean run(Bench bench) throws IOException, InterruptedException {
        boolean held = true;
        try (Csv csv = bench.folder().csv("yield", "jdk,what,agent,pair,value")) {
            for (Jdk jdk : bench.jdks()) {
                held &= owner(bench, csv, jdk);
                held &= alone(bench, csv, jdk);
            }
        }
        return held;
    }

    private static boolean owner(Bench bench, Csv csv, Jdk jdk) throws IOException, InterruptedException {
        Load load = Load.of(jdk, "Yields", "owner", bench.count(15, 3)).onCpu(Bench.oneCpu());
        Load.Outcome ours = load.withAgent(GUARDED).run(LIMIT_SECONDS);
        Load.Outcome stock = load.run(LIMIT_SECONDS);
        Load.Outcome naive = Load.of(jdk, "Yields", "owner", 1)
                .onCpu(Bench.oneCpu())
                .withAgent(UNGUARDED)
                .run(5);
        for (double nanos : ours.values("owner", 1)) {
            csv.row(jdk.version(), "owner-ms", GUARDED, 0, nanos / 1e6);
        }
        for (double nanos : stock.values("owner", 1)) {
            csv.row(jdk.version(), "owner-ms", "stock", 0, nanos / 1e6);
        }
        double median = Statistics.median(ours.values("owner", 1)) / 1e6;
        boolean good = ours.good() && median <= OWNER_BOUND_MILLIS;
        Bench.say(
                "JDK %s yield spin at 9, owner at 7 needs 50 ms of one CPU: %.1f ms (stock %.1f; placement=off %s); asked: "
                        + "<= %.0f ms %s",
                jdk.label(),
                median,
                Statistics.median(stock.values("owner", 1)) / 1e6,
                naive.ended() ? String.format("%.1f", naive.value("owner", 1) / 1e6) : "did not end in 5 s",
                OWNER_BOUND_MILLIS,
                Bench.held(good));
        return good;
    }

    private static boolean alone(Bench bench, Csv csv, Jdk jdk) throws IOException, InterruptedException {
        int pairs = bench.pairCount(10);
        double[] ratios = new double[pairs];
        double[] with = new double[pairs];
        double[] without = new double[pairs];
        Load load = Load.of(jdk, "Yields", "alone", 3).onCpu(Bench.oneCpu());
        boolean ended = true;
        for (int i = 0; i < pairs; i++) {
            Load.Outcome guarded = load.withAgent(GUARDED).run(LIMIT_SECONDS);
            Load.Outcome unguarded = load.withAgent(UNGUARDED).run(LIMIT_SECONDS);
            ended &= guarded.good() && unguarded.good();
            with[i] = Statistics.median(guarded.values("alone", 1));
            without[i] = Statistics.median(unguarded.values("alone", 1));
            ratios[i] = with[i] / without[i];
            csv.row(jdk.version(), "alone-per-s", GUARDED, i, with[i]);
            csv.row(jdk.version(), "alone-per-s", UNGUARDED, i, without[i]);
        }
        double ratio = Statistics.median(ratios);
        boolean good = ended && ratio >= RATE_BOUND;
        Bench.say(
                "JDK %s yield loop at 9 alone on its CPU: %.3f M/s, without guard %.3f M/s, ratio %.3f of %d pairs; asked: "
                        + ">= %.1f %s",
                jdk.label(),
                Statistics.median(with) / 1e6,
                Statistics.median(without) / 1e6,
                ratio,
                pairs,
                RATE_BOUND,
                Bench.held(good));
        return good;
    }
}
