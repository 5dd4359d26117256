package ayatori.bench;

import ayatori.bench.RunFolder.Csv;
import ayatori.sched.PriorityLadder;
import ayatori.sched.PriorityLadder.Policy;
import ayatori.sched.SchedulingParameters;
import java.io.IOException;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * Thread create, start and join, with the agent and on the stock JVM, in pairs of JVMs. On one CPU this is what the births
 * themselves cost; on all, also where the kernel puts the child: a real-time one wakes on another CPU. How much of the ratio
 * that is, the stock JVM tells that is real-time as a whole (chrt), wherever parent and child share a level.
 */
final class BirthCost implements Measurement {
    private static final long LIMIT_SECONDS = 60;
    private static final double SAME_BOUND = 1.1;
    private static final double DIFFERENT_BOUND = 1.3;

    private record Case(String policy, int parent, int child) {
        double bound() {
            return parent == child ? SAME_BOUND : DIFFERENT_BOUND;
        }

        /** What the stock JVM has to be started at, to have both where the agent puts them; empty if they differ. */
        Optional<SchedulingParameters> shared() {
            PriorityLadder ladder = PriorityLadder.of(Policy.valueOf(policy.toUpperCase(Locale.ROOT)));
            return ladder.forJavaPriority(parent)
                    .filter(level -> parent == child && level.policy().isRealTime());
        }
    }

    private static final List<Case> CASES = List.of(
            new Case("mixed", 5, 5),
            new Case("static", 7, 7),
            new Case("mixed", 9, 9),
            new Case("static", 9, 2),
            new Case("static", 2, 9),
            new Case("mixed", 9, 2),
            new Case("mixed", 2, 9));

    @Override
    public boolean run(Bench bench) throws IOException, InterruptedException {
        boolean held = true;
        Bench.say("create, start and join a thread, median us; the ratio is the median over pairs");
        try (Csv csv = bench.folder().csv("birth", "jdk,cpus,policy,parent,child,pair,agent,nanos")) {
            for (Jdk jdk : bench.jdks()) {
                for (Case births : CASES) {
                    held &= compare(bench, csv, jdk, births, true);
                    held &= compare(bench, csv, jdk, births, false);
                }
            }
        }
        return held;
    }

    private static boolean compare(Bench bench, Csv csv, Jdk jdk, Case births, boolean oneCpu)
            throws IOException, InterruptedException {
        int pairs = bench.pairCount(9);
        Load stock = Load.of(jdk, "Births", births.parent(), births.child(), 10, bench.count(200, 20));
        if (oneCpu) {
            stock = stock.onCpu(Bench.oneCpu());
        }
        Series series = new Series(csv, jdk, births, oneCpu ? "one" : "all");
        Load ours = stock.withAgent("policy=" + births.policy());
        Optional<Load> atLevel = oneCpu
                ? Optional.empty()
                : births.shared()
                        .map(level -> Load.of(jdk, "Births", births.parent(), births.child(), 10, bench.count(200, 20))
                                .by("chrt", "-r", Integer.toString(level.staticPriority())));
        double[] ratios = new double[pairs];
        double[] controls = new double[pairs];
        double[] with = new double[pairs];
        double[] without = new double[pairs];
        for (int i = 0; i < pairs; i++) {
            boolean stockFirst = i % 2 == 0;
            double first = series.run(stockFirst ? stock : ours, i, stockFirst ? "stock" : births.policy());
            double second = series.run(stockFirst ? ours : stock, i, stockFirst ? births.policy() : "stock");
            with[i] = stockFirst ? second : first;
            without[i] = stockFirst ? first : second;
            ratios[i] = with[i] / without[i];
            controls[i] = atLevel.isPresent() ? series.run(atLevel.get(), i, "stock by chrt") / without[i] : Double.NaN;
        }
        double ratio = Statistics.median(ratios);
        boolean good = series.ended && ratio <= births.bound();
        Bench.say(
                "JDK %s %s CPU %-6s %d starts %d: %6.1f against %6.1f, ratio %.3f of %d pairs; asked: <= %.1f %s%s",
                jdk.label(),
                series.cpus,
                births.policy(),
                births.parent(),
                births.child(),
                Statistics.median(with) / 1e3,
                Statistics.median(without) / 1e3,
                ratio,
                pairs,
                births.bound(),
                bench.shortened() ? "" : Bench.held(good),
                atLevel.isPresent() ? " (stock by chrt: %.3f)".formatted(Statistics.median(controls)) : "");
        return series.ended && (good || bench.shortened());
    }

    /** The runs of one case. */
    private static final class Series {
        private final Csv csv;
        private final Jdk jdk;
        private final Case births;
        private final String cpus;
        private boolean ended = true;

        Series(Csv csv, Jdk jdk, Case births, String cpus) {
            this.csv = csv;
            this.jdk = jdk;
            this.births = births;
            this.cpus = cpus;
        }

        /** Nanoseconds a birth, the median of the blocks. */
        double run(Load load, int pair, String agent) throws IOException, InterruptedException {
            Load.Outcome outcome = load.run(LIMIT_SECONDS);
            ended &= outcome.good();
            double nanos = Statistics.median(outcome.values("birth", 1));
            csv.row(jdk.version(), cpus, births.policy(), births.parent(), births.child(), pair, agent, nanos);
            return nanos;
        }
    }
}
