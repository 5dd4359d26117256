package ayatori.bench;

import ayatori.bench.RunFolder.Csv;
import java.io.IOException;
import java.util.List;

/**
 * Thread create, start and join, with the agent and on the stock JVM, in pairs of JVMs. On one CPU this is what the births
 * themselves cost; on all, also where the kernel puts the child: a real-time one wakes on another CPU, a stock one, on a
 * machine with other work, beside its parent.
 */
final class BirthCost implements Measurement {
    private static final long LIMIT_SECONDS = 60;
    private static final double SAME_BOUND = 1.1;
    private static final double DIFFERENT_BOUND = 1.3;

    private record Case(String policy, int parent, int child) {
        double bound() {
            return parent == child ? SAME_BOUND : DIFFERENT_BOUND;
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
        double[] ratios = new double[pairs];
        double[] with = new double[pairs];
        double[] without = new double[pairs];
        Load stock = Load.of(jdk, "Births", births.parent(), births.child(), 10, bench.count(200, 20));
        if (oneCpu) {
            stock = stock.onCpu(Bench.oneCpu());
        }
        String cpus = oneCpu ? "one" : "all";
        Load ours = stock.withAgent("policy=" + births.policy());
        boolean ended = true;
        for (int i = 0; i < pairs; i++) {
            boolean stockFirst = i % 2 == 0;
            Load.Outcome first = (stockFirst ? stock : ours).run(LIMIT_SECONDS);
            Load.Outcome second = (stockFirst ? ours : stock).run(LIMIT_SECONDS);
            ended &= first.good() && second.good();
            with[i] = Statistics.median((stockFirst ? second : first).values("birth", 1));
            without[i] = Statistics.median((stockFirst ? first : second).values("birth", 1));
            ratios[i] = with[i] / without[i];
            csv.row(jdk.version(), cpus, births.policy(), births.parent(), births.child(), i, births.policy(), with[i]);
            csv.row(jdk.version(), cpus, births.policy(), births.parent(), births.child(), i, "stock", without[i]);
        }
        double ratio = Statistics.median(ratios);
        boolean good = ended && ratio <= births.bound();
        Bench.say(
                "JDK %s %s CPU %-6s %d starts %d: %6.1f against %6.1f, ratio %.3f of %d pairs; asked: <= %.1f %s",
                jdk.label(),
                cpus,
                births.policy(),
                births.parent(),
                births.child(),
                Statistics.median(with) / 1e3,
                Statistics.median(without) / 1e3,
                ratio,
                pairs,
                births.bound(),
                bench.shortened() ? "" : Bench.held(good));
        return ended && (good || bench.shortened());
    }
}
