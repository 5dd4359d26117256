package ayatori.bench;

import ayatori.bench.RunFolder.Csv;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Where the JVM's own threads should stand: each rung moved, the others left, under policy static. docs/placement.md has
 * the reading.
 */
final class PlacementExperiment implements Measurement {
    private static final long LIMIT_SECONDS = 20;
    private static final int TARGET = 250_000_000;
    private static final String BASE = "policy=static,runaway-limit=0";

    private static final List<String> VARIANTS = List.of(
            "",
            "compiler=0",
            "compiler=1",
            "compiler=13",
            "concurrent-gc=0",
            "concurrent-gc=13",
            "gc-worker=13",
            "vm-thread=13",
            "compiler=22,concurrent-gc=21",
            "compiler=24,concurrent-gc=24,gc-worker=24,vm-thread=24",
            "compiler=0,concurrent-gc=0,gc-worker=0,vm-thread=0");

    @Override
    public boolean run(Bench bench) throws IOException, InterruptedException {
        boolean ended = true;
        try (Csv csv = bench.folder().csv("placement", "jdk,what,collector,placement,repeat,value")) {
            for (Jdk jdk : bench.jdks()) {
                ended &= counters(bench, csv, jdk);
            }
            Jdk jdk = bench.newest();
            List<String> collectors = jdk.collectors();
            pauses(bench, csv, jdk, collectors);
            periodic(bench, csv, jdk, collectors);
        }
        return ended;
    }

    private static String options(String variant) {
        return variant.isEmpty() ? BASE : BASE + "," + variant;
    }

    private static String name(String variant) {
        return variant.isEmpty() ? "as chosen" : variant;
    }

    /** Rounds outside, variants inside: what else happens on the machine meets all of them alike. */
    private static boolean counters(Bench bench, Csv csv, Jdk jdk) throws IOException, InterruptedException {
        int rounds = bench.count(5, 1);
        Map<String, double[]> lasts = new LinkedHashMap<>();
        Map<String, double[]> tops = new LinkedHashMap<>();
        boolean ended = true;
        for (int round = 0; round < rounds; round++) {
            for (String variant : VARIANTS) {
                Load.Outcome outcome = Load.of(jdk, "Counters", TARGET)
                        .withJvm("-XX:+UseSerialGC")
                        .onCpu(Bench.oneCpu())
                        .withAgent(options(variant))
                        .run(LIMIT_SECONDS);
                ended &= outcome.good() || !variant.isEmpty();
                double[] ends = outcome.values("end", 2);
                double last = ends.length == 0 ? LIMIT_SECONDS * 1e3 : Statistics.quantile(1, ends) / 1e6;
                double top = ends.length == 0 ? LIMIT_SECONDS * 1e3 : ends[0] / 1e6;
                lasts.computeIfAbsent(variant, v -> new double[rounds])[round] = last;
                tops.computeIfAbsent(variant, v -> new double[rounds])[round] = top;
                csv.row(jdk.version(), "counters-all-ms", "Serial", name(variant), round, last);
                csv.row(jdk.version(), "counters-top-ms", "Serial", name(variant), round, top);
            }
        }
        Bench.say(
                "counters on one CPU, JDK %s, median ms until all have ended, and until the top thread has",
                jdk.label());
        for (String variant : VARIANTS) {
            Bench.say("  %-52s %8.0f %8.0f", name(variant), median(lasts, variant), median(tops, variant));
        }
        return ended;
    }

    private static void pauses(Bench bench, Csv csv, Jdk jdk, List<String> collectors)
            throws IOException, InterruptedException {
        Bench.say(
                "System.gc() at 10 beside a spinner at 7 on each CPU, JDK %s, median ms (idle in the same JVM)",
                jdk.label());
        Bench.say("  %-52s %s", "", String.join("  ", collectors));
        for (String variant : VARIANTS) {
            StringBuilder row = new StringBuilder();
            for (String collector : collectors) {
                Load.Outcome outcome = Load.of(jdk, "GcPauses", "spin", bench.count(2, 1), bench.count(4, 1))
                        .withJvm("-Xms1g", "-Xmx1g", "-XX:+Use" + collector + "GC")
                        .withAgent(options(variant))
                        .run(LIMIT_SECONDS);
                for (List<String> result : outcome.results()) {
                    csv.row(
                            jdk.version(),
                            "gc-ms-" + result.get(0),
                            collector,
                            name(variant),
                            0,
                            Double.parseDouble(result.get(1)) / 1e6);
                }
                row.append(
                        Statistics.median(outcome.values("spin", 1)) > 0
                                ? String.format(
                                        "%9.1f (%.1f)%s",
                                        Statistics.median(outcome.values("spin", 1)) / 1e6,
                                        Statistics.median(outcome.values("idle", 1)) / 1e6,
                                        outcome.ended() ? "" : "+")
                                : "     none ended");
            }
            Bench.say("  %-52s %s", name(variant), row);
        }
    }

    private static void periodic(Bench bench, Csv csv, Jdk jdk, List<String> collectors)
            throws IOException, InterruptedException {
        int rounds = bench.pairCount(3);
        for (String collector : collectors) {
            Map<String, double[]> p99 = new LinkedHashMap<>();
            Map<String, double[]> low = new LinkedHashMap<>();
            Map<String, double[]> middle = new LinkedHashMap<>();
            for (int round = 0; round < rounds; round++) {
                for (String variant : VARIANTS) {
                    Load.Outcome outcome = Load.of(jdk, "Periodic", bench.count(2, 1))
                            .withJvm("-Xms256m", "-Xmx256m", "-XX:+Use" + collector + "GC")
                            .withAgent(options(variant))
                            .run(LIMIT_SECONDS);
                    p99.computeIfAbsent(variant, v -> new double[rounds])[round] = outcome.value("late", 2) / 1e6;
                    low.computeIfAbsent(variant, v -> new double[rounds])[round] = outcome.value("done", 1);
                    middle.computeIfAbsent(variant, v -> new double[rounds])[round] = outcome.value("done", 2);
                    csv.row(
                            jdk.version(),
                            "late-p50-ms",
                            collector,
                            name(variant),
                            round,
                            outcome.value("late", 1) / 1e6);
                    csv.row(
                            jdk.version(),
                            "late-p99-ms",
                            collector,
                            name(variant),
                            round,
                            outcome.value("late", 2) / 1e6);
                    csv.row(
                            jdk.version(),
                            "late-max-ms",
                            collector,
                            name(variant),
                            round,
                            outcome.value("late", 3) / 1e6);
                    csv.row(jdk.version(), "done-at-5", collector, name(variant), round, outcome.value("done", 1));
                    csv.row(jdk.version(), "done-at-7", collector, name(variant), round, outcome.value("done", 2));
                }
            }
            Bench.say(
                    "1 ms period at 9 beside allocation at 5 and 7, JDK %s %s: p99 late ms; blocks/s at 7 and at 5",
                    jdk.label(), collector);
            for (String variant : VARIANTS) {
                Bench.say(
                        "  %-52s %8.3f %10.0f %10.0f",
                        name(variant), median(p99, variant), median(middle, variant), median(low, variant));
            }
        }
    }

    private static double median(Map<String, double[]> values, String variant) {
        return Statistics.median(values.getOrDefault(variant, new double[0]));
    }
}
