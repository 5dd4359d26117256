package ayatori.bench;

import ayatori.bench.RunFolder.Csv;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/**
 * The paper's evaluation (section 4): n threads created and joined one after another, against a pool that is built, used n
 * times and shut down. Lines are fitted by least squares; where they cross, re-use begins to pay.
 */
final class ReuseCost implements Measurement {
    private static final String THREADS = "threads";
    private static final List<String> JUDGED = List.of("ours-1", "ours-16");
    private static final Map<String, String> TITLES = new LinkedHashMap<>();

    static {
        TITLES.put(THREADS, "a new thread each");
        TITLES.put("ours-1", "our pool, 1 initial thread");
        TITLES.put("ours-16", "our pool, 16 initial threads");
        TITLES.put("tpe-1", "ThreadPoolExecutor, 1 thread");
    }

    private static final double BOUND = 2;
    private static final int MOST_USES = 100;
    private static final long LIMIT_SECONDS = 300;

    @Override
    public boolean run(Bench bench) throws IOException, InterruptedException {
        Jdk jdk = bench.ofLibrary();
        int rounds = bench.pairCount(5);
        int repeats = bench.count(51, 5);
        int[] uses = bench.shortened()
                ? new int[] {1, 2, 4, 8, 16, 32, 64, 100}
                : IntStream.rangeClosed(1, MOST_USES).toArray();
        // Nanoseconds by way, number of uses and round.
        Map<String, double[][]> nanos = new LinkedHashMap<>();
        try (Csv csv = bench.folder().csv("reuse-rounds", "jdk,round,way,uses,nanos,repeats")) {
            for (int round = 0; round < rounds; round++) {
                Load.Outcome outcome = load(bench, jdk, repeats, uses).run(LIMIT_SECONDS);
                if (!outcome.good()) {
                    throw new IOException("the uses did not end well: " + outcome.messages());
                }
                for (List<String> result : outcome.results()) {
                    int n = Integer.parseInt(result.get(2));
                    double value = Double.parseDouble(result.get(3));
                    nanos.computeIfAbsent(result.get(1), way -> new double[MOST_USES + 1][rounds])[n][round] = value;
                    csv.row(jdk.version(), round + 1, result.get(1), n, result.get(3), repeats);
                }
            }
        }
        Map<String, double[]> medians = new LinkedHashMap<>();
        nanos.forEach((way, byUses) -> medians.put(
                way,
                IntStream.of(uses)
                        .mapToDouble(n -> Statistics.median(byUses[n]))
                        .toArray()));
        boolean held = tell(bench, jdk, uses, medians, rounds, repeats);
        return held || bench.shortened();
    }

    private static Load load(Bench bench, Jdk jdk, int repeats, int[] uses) {
        List<Object> arguments = new ArrayList<>(List.of(bench.count(5000, 200), repeats));
        IntStream.of(uses).forEach(arguments::add);
        return Load.of(jdk, "Reuse", arguments.toArray())
                .withJvm("-XX:+UseG1GC", "-Xms512m", "-Xmx512m", "--enable-native-access=ALL-UNNAMED");
    }

    private static boolean tell(
            Bench bench, Jdk jdk, int[] uses, Map<String, double[]> medians, int rounds, int repeats)
            throws IOException {
        Bench.say(
                "JDK %s, n uses one after another with set-up and shut-down, µs by least squares over n = 1 … %d, medians of %d "
                        + "JVMs of %d repeats",
                jdk.label(), MOST_USES, rounds, repeats);
        double[] x = IntStream.of(uses).asDoubleStream().toArray();
        Map<String, Line> lines = new LinkedHashMap<>();
        try (Csv csv = bench.folder().csv("reuse", "way,title,uses,micros,fitted")) {
            for (Map.Entry<String, double[]> entry : medians.entrySet()) {
                String way = entry.getKey();
                double[] micros = java.util.Arrays.stream(entry.getValue())
                        .map(value -> value / 1e3)
                        .toArray();
                Line line = Line.fit(x, micros);
                lines.put(way, line);
                for (int i = 0; i < x.length; i++) {
                    csv.row(
                            way,
                            TITLES.getOrDefault(way, way),
                            uses[i],
                            micros[i],
                            line.constant() + line.slope() * x[i]);
                }
            }
        }
        boolean held = true;
        for (Map.Entry<String, Line> entry : lines.entrySet()) {
            String way = entry.getKey();
            Line line = entry.getValue();
            String judgement = "";
            if (!way.equals(THREADS)) {
                double breakEven = line.breakEven(lines.getOrDefault(THREADS, line));
                boolean good = breakEven <= BOUND;
                held &= good || !JUDGED.contains(way);
                judgement = String.format(
                        "; pays from %.2f uses on, as measured from %d%s",
                        Math.max(0, breakEven),
                        measuredBreakEven(uses, medians, way),
                        JUDGED.contains(way) ? String.format("; asked: <= %.0f %s", BOUND, Bench.held(good)) : "");
            }
            Bench.say(
                    "%-30s %7.1f + %5.2f n%s", TITLES.getOrDefault(way, way), line.constant(), line.slope(), judgement);
        }
        PlotPage.write(
                bench.folder(),
                "reuse.html",
                "reuse",
                "JDK " + jdk.version() + ", medians of " + rounds + " JVMs of " + repeats + " repeats each");
        return held;
    }

    /** The number of uses from which on the way took no longer than new threads; 0: never. */
    private static int measuredBreakEven(int[] uses, Map<String, double[]> medians, String way) {
        double[] ours = medians.getOrDefault(way, new double[0]);
        double[] threads = medians.getOrDefault(THREADS, new double[0]);
        int from = 0;
        for (int i = uses.length - 1; i >= 0 && ours[i] <= threads[i]; i--) {
            from = uses[i];
        }
        return from;
    }
}
