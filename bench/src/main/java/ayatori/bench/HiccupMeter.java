package ayatori.bench;

import ayatori.bench.RunFolder.Csv;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * How much longer than a millisecond a sleep of a millisecond takes a thread of the top priority, as jHiccup asks, beside
 * one thread a CPU that computes: of the same JVM at the default priority, and of another, ordinary process.
 */
final class HiccupMeter implements Measurement {
    private static final double BOUND = 10;
    private static final long LIMIT_SECONDS = 60;
    private static final List<String> PERCENTILES = List.of("50.0", "99.0", "99.9", "100.0");
    private static final String DECISIVE = "99.9";

    /** Options of the agent by what they are called; "" for stock. */
    private static final Map<String, String> WAYS = new LinkedHashMap<>();

    static {
        WAYS.put("stock", "");
        WAYS.put("mixed", "policy=mixed,runaway-limit=0");
        WAYS.put("static", "policy=static,runaway-limit=0");
    }

    @Override
    public boolean run(Bench bench) throws IOException, InterruptedException {
        boolean held = true;
        int cpus = Runtime.getRuntime().availableProcessors();
        Bench.say(
                "surplus of a sleep of 1 ms at priority 10 beside %d threads that compute, µs, median over JVMs; asked: "
                        + "p%s at least %.0f times lower than stock",
                cpus, DECISIVE, BOUND);
        try (Csv csv = bench.folder().csv("hiccup", "jdk,hogs,way,round,percentile,nanos,count")) {
            for (Jdk jdk : bench.jdks()) {
                for (String hogs : List.of("same JVM", "other process")) {
                    held &= compare(bench, csv, jdk, hogs, cpus);
                }
            }
        }
        return held || bench.shortened();
    }

    private static boolean compare(Bench bench, Csv csv, Jdk jdk, String hogs, int cpus)
            throws IOException, InterruptedException {
        int rounds = bench.pairCount(5);
        Map<String, Map<String, double[]>> values = new LinkedHashMap<>();
        for (int round = 0; round < rounds; round++) {
            for (String way : WAYS.keySet()) {
                Load.Outcome outcome = measure(bench, jdk, way, hogs, cpus);
                for (List<String> result : outcome.results()) {
                    if (result.get(0).equals("raw")) {
                        csv.row(jdk.version(), hogs, way, round + 1, result.get(1), result.get(2), result.get(3));
                    } else {
                        values.computeIfAbsent(way, w -> new LinkedHashMap<>())
                                        .computeIfAbsent(result.get(1), p -> new double[rounds])[round] =
                                Double.parseDouble(result.get(2)) / 1e3;
                    }
                }
            }
        }
        boolean held = true;
        double stock = median(values, "stock", DECISIVE);
        for (String way : WAYS.keySet()) {
            StringBuilder row = new StringBuilder();
            for (String percentile : PERCENTILES) {
                row.append(String.format(
                        " %s %8.0f",
                        percentile.equals("100.0") ? "max" : "p" + percentile.replace(".0", ""),
                        median(values, way, percentile)));
            }
            double ratio = stock / median(values, way, DECISIVE);
            boolean good = way.equals("stock") || ratio >= BOUND;
            held &= good;
            Bench.say(
                    "JDK %s, hogs in the %-13s %-6s %s  %s",
                    jdk.label(),
                    hogs,
                    way,
                    row,
                    way.equals("stock") ? "" : String.format("p%s 1/%.1f %s", DECISIVE, ratio, Bench.held(good)));
        }
        return held;
    }

    private static double median(Map<String, Map<String, double[]>> values, String way, String percentile) {
        return Statistics.median(values.getOrDefault(way, Map.of()).getOrDefault(percentile, new double[0]));
    }

    @SuppressWarnings("try") // the hogs need only be there
    private static Load.Outcome measure(Bench bench, Jdk jdk, String way, String hogs, int cpus)
            throws IOException, InterruptedException {
        boolean same = hogs.equals("same JVM");
        String options = WAYS.getOrDefault(way, "");
        Load load = Load.of(jdk, "Hiccups", bench.count(8, 1), same ? cpus : 0, bench.count(1000, 200))
                .withJvm("-Xmx64m", "-XX:+UseSerialGC")
                .withAgent(options.isEmpty() ? null : options);
        try (@Nullable HogProcess beside = same ? null : HogProcess.start(jdk, cpus)) {
            Load.Outcome outcome = load.run(LIMIT_SECONDS);
            if (!outcome.good()) {
                throw new IOException(way + " did not end well: " + outcome.messages());
            }
            return outcome;
        }
    }
}
