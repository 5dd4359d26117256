package ayatori.bench;

import ayatori.bench.RunFolder.Csv;
import java.io.IOException;
import java.util.List;

/**
 * What the agent costs a real load, as the ratio of throughputs with it and without, in pairs of JVMs whose order
 * alternates. CPU time an operation is told too: it is less disturbed by what else runs on the machine.
 */
final class AgentCost implements Measurement {
    private static final double BOUND = 0.99;
    private static final long LIMIT_SECONDS = 90;
    private static final int MILLIS = 4000;

    /** Threads' priorities: all the same, as where nobody uses priorities, and three levels. */
    private record Use(String name, String priorities) {}

    private static final List<Use> USES = List.of(new Use("none", "5:5:5:5"), new Use("in use", "7:5:5:3"));

    /**
     * A program, and when it has been compiled: on stock JVMs, whose compilers share the CPUs with four busy threads. Measured
     * earlier, the figure is how soon the compilers get a CPU: Lucene's throughput with the agent was 1.6 and 2.1 times stock
     * after 8 s, on 2 CPUs.
     */
    private record Program(String name, String main, int warmUpMillis, int pairs) {}

    private static final List<Program> PROGRAMS =
            List.of(new Program("h2", "Transfers", 8000, 24), new Program("lucene", "Searches", 60_000, 8));

    @Override
    public boolean run(Bench bench) throws IOException, InterruptedException {
        boolean held = true;
        Bench.say("throughput with the agent (policy=mixed) over without; asked: >= %.2f", BOUND);
        try (Csv csv =
                bench.folder().csv("cost", "jdk,program,priorities,pair,agent,operations_per_s,cpu_ns_per_operation")) {
            for (Program program : PROGRAMS) {
                for (Use use : USES) {
                    held &= compare(bench, csv, bench.newest(), program, use);
                }
            }
        }
        return held;
    }

    private static boolean compare(Bench bench, Csv csv, Jdk jdk, Program program, Use use)
            throws IOException, InterruptedException {
        int pairs = bench.pairCount(program.pairs());
        double[] rates = new double[pairs];
        double[] costs = new double[pairs];
        double[] with = new double[pairs];
        double[] without = new double[pairs];
        Load stock = Load.of(
                        jdk,
                        program.main(),
                        use.priorities(),
                        bench.count(program.warmUpMillis(), 300),
                        bench.count(MILLIS, 300))
                .withJvm("-Xms1g", "-Xmx1g", "-XX:+UseG1GC");
        Load ours = stock.withAgent("policy=mixed");
        boolean ended = true;
        for (int i = 0; i < pairs; i++) {
            boolean stockFirst = i % 2 == 0;
            Load.Outcome first = (stockFirst ? stock : ours).run(LIMIT_SECONDS);
            Load.Outcome second = (stockFirst ? ours : stock).run(LIMIT_SECONDS);
            Load.Outcome agent = stockFirst ? second : first;
            Load.Outcome plain = stockFirst ? first : second;
            ended &= first.good() && second.good();
            with[i] = agent.value("throughput", 1);
            without[i] = plain.value("throughput", 1);
            rates[i] = with[i] / without[i];
            costs[i] = agent.value("throughput", 2) / plain.value("throughput", 2);
            csv.row(jdk.version(), program.name(), use.priorities(), i, "mixed", with[i], agent.value("throughput", 2));
            csv.row(
                    jdk.version(),
                    program.name(),
                    use.priorities(),
                    i,
                    "stock",
                    without[i],
                    plain.value("throughput", 2));
        }
        Statistics.Estimate rate = Statistics.trimmedRatio(rates);
        Statistics.Estimate cost = Statistics.trimmedRatio(costs);
        boolean good = ended && rate.middle() >= BOUND;
        Bench.say(
                "JDK %s %-6s priorities %-6s (%s): %.0f/s against %.0f/s, ratio %.4f [%.4f, %.4f] of %d pairs %s; CPU time an "
                        + "operation %.4f [%.4f, %.4f]",
                jdk.label(),
                program.name(),
                use.name(),
                use.priorities(),
                Statistics.median(with),
                Statistics.median(without),
                rate.middle(),
                rate.low(),
                rate.high(),
                pairs,
                bench.shortened() ? "" : Bench.held(good),
                cost.middle(),
                cost.low(),
                cost.high());
        return ended && (good || bench.shortened());
    }
}
