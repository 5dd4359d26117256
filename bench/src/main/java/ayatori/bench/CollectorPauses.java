package ayatori.bench;

import ayatori.bench.RunFolder.Csv;
import java.io.IOException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * {@code System.gc()} from the top thread, beside lower threads on every CPU and on an idle machine. The two alternate in
 * one JVM. Stock and the naive mapping are there for contrast, with fewer collections.
 */
final class CollectorPauses implements Measurement {
    private static final double BOUND = 2;
    private static final long LIMIT_SECONDS = 40;
    /** The naive mapping may never end. */
    private static final long CONTRAST_LIMIT_SECONDS = 12;

    private static final List<String> LOADS = List.of("spin", "native", "critical");

    @Override
    public boolean run(Bench bench) throws IOException, InterruptedException {
        boolean held = true;
        Bench.say(
                "System.gc() at priority 10, 200 MB live, median ms; idle and loaded alternate in one JVM; asked: <= %.0f",
                BOUND);
        Bench.say(
                "%-3s %-10s %-8s | %8s %8s %6s %-6s | stock: %6s %8s | placement=off: loaded",
                "JDK", "collector", "beside", "idle", "loaded", "ratio", "", "idle", "loaded");
        try (Csv csv = bench.folder().csv("gc", "jdk,collector,load,agent,situation,nanos")) {
            for (Jdk jdk : bench.jdks()) {
                for (String collector : jdk.collectors()) {
                    for (String load : LOADS) {
                        held &= compare(bench, csv, jdk, collector, load);
                    }
                }
            }
        }
        return held;
    }

    private static boolean compare(Bench bench, Csv csv, Jdk jdk, String collector, String load)
            throws IOException, InterruptedException {
        int turns = bench.count(3, 1);
        Load.Outcome ours = run(
                csv, jdk, collector, load, "policy=static,runaway-limit=0", turns, bench.count(5, 2), LIMIT_SECONDS);
        Load.Outcome stock = run(csv, jdk, collector, load, null, 1, 3, LIMIT_SECONDS);
        Load.Outcome naive =
                run(csv, jdk, collector, load, "policy=static,placement=off", 1, 3, CONTRAST_LIMIT_SECONDS);
        double idle = millis(ours, "idle");
        double loaded = millis(ours, load);
        boolean good = ours.good() && loaded / idle <= BOUND;
        Bench.say(
                "%-3s %-10s %-8s | %8.1f %8.1f %6.2f %-6s | %13.1f %8.1f | %s",
                jdk.label(),
                collector,
                load,
                idle,
                loaded,
                loaded / idle,
                Bench.held(good),
                millis(stock, "idle"),
                millis(stock, load),
                naive.ended()
                        ? String.format("%.1f", millis(naive, load))
                        : notEnded(naive, load, CONTRAST_LIMIT_SECONDS));
        if (!ours.ended()) {
            Bench.say("    with the agent: %s", notEnded(ours, load, LIMIT_SECONDS));
        }
        return good;
    }

    private static Load.Outcome run(
            Csv csv,
            Jdk jdk,
            String collector,
            String load,
            @Nullable String agent,
            int turns,
            int collections,
            long limit)
            throws IOException, InterruptedException {
        Load.Outcome outcome = Load.of(jdk, "GcPauses", load, turns, collections)
                .withJvm("-Xms1g", "-Xmx1g", "-XX:+Use" + collector + "GC")
                .withAgent(agent)
                .run(limit);
        for (List<String> result : outcome.results()) {
            csv.row(jdk.version(), collector, load, agent == null ? "stock" : agent, result.get(0), result.get(1));
        }
        if (!outcome.ended()) {
            csv.row(jdk.version(), collector, load, agent == null ? "stock" : agent, "killed", limit * 1_000_000_000);
        }
        return outcome;
    }

    private static String notEnded(Load.Outcome outcome, String load, long limit) {
        return "did not end in " + limit + " s (" + outcome.values(load, 1).length + " collections beside " + load
                + ")";
    }

    private static double millis(Load.Outcome outcome, String situation) {
        return Statistics.median(outcome.values(situation, 1)) / 1e6;
    }
}
