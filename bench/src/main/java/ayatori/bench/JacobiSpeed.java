package ayatori.bench;

import ayatori.bench.RunFolder.Csv;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The paper's figure 10: the heat in a square of 512 × 512 points, by JPI in nodes × threads, where a node is a JVM, and by MPI in
 * as many processes. The same iterations, and the same result to the last bit. Speed is that of the quickest but first solve.
 */
final class JacobiSpeed implements Measurement {
    private static final int ROUNDS = 10;
    private static final int ITERATIONS = 2000;
    /** Where ranks share CPUs: MPICH takes a hundred times as long then. */
    private static final int SHARED_ITERATIONS = 250;

    private static final int SHORT_ITERATIONS = 100;
    /** As long as the compilers of the JVMs take, which share the CPUs with the ranks: for all of them, and a JVM besides. */
    private static final int SECONDS = 3;

    private static final int SECONDS_A_JVM = 4;

    /** The first one warms up. */
    private static final int LEAST_SOLVES = 2;

    private static final long LIMIT_SECONDS = 300;
    private static final double AT_LEAST = 1.0;

    private static final String PROGRAM = "jacobi";

    /** How many nodes, and threads of each. Something is asked only where nobody shares a CPU. */
    private record Shape(int nodes, int threads, boolean asked) {
        String label() {
            return "(" + nodes + "×" + threads + ")";
        }

        int ranks() {
            return nodes * threads;
        }

        int iterations(Bench bench) {
            boolean ownCpus = ranks() <= Runtime.getRuntime().availableProcessors();
            return bench.count(ownCpus ? ITERATIONS : SHARED_ITERATIONS, SHORT_ITERATIONS);
        }

        int seconds(Bench bench) {
            return bench.count(SECONDS + nodes * SECONDS_A_JVM, 0);
        }
    }

    private static final List<Shape> SHAPES = List.of(
            new Shape(1, 1, true),
            new Shape(1, 2, true),
            new Shape(2, 1, true),
            new Shape(2, 2, false),
            new Shape(4, 1, false),
            new Shape(4, 2, false));

    /** Someone who solves it. */
    private record Way(String name, Run run) {}

    @FunctionalInterface
    private interface Run {
        Load.Outcome solve(Shape shape) throws IOException, InterruptedException;
    }

    /** Seconds of an iteration by way and round. */
    private static final class Times {
        private final Map<String, Map<Integer, Double>> seconds = new LinkedHashMap<>();

        void add(String way, int round, double one) {
            seconds.computeIfAbsent(way, w -> new LinkedHashMap<>()).put(round, one);
        }

        double middle(String way) {
            return Statistics.median(seconds.getOrDefault(way, Map.of()).values());
        }

        /** How many times as fast, each round for itself. */
        double[] speed(String ours, String other) {
            List<Double> ratios = new ArrayList<>();
            seconds.getOrDefault(ours, Map.of()).forEach((round, one) -> {
                Double others = seconds.getOrDefault(other, Map.of()).get(round);
                if (others != null) {
                    ratios.add(others / one);
                }
            });
            return ratios.stream().mapToDouble(Double::doubleValue).toArray();
        }
    }

    @Override
    public boolean run(Bench bench) throws IOException, InterruptedException {
        Jdk jdk = bench.ofLibrary();
        List<Way> turn = new ArrayList<>();
        turn.add(new Way(
                MessageSpeed.JPI,
                shape -> Load.of(
                                jdk,
                                "jpi.JRun",
                                "-np",
                                shape.nodes(),
                                "-nt",
                                shape.ranks(),
                                "ayatori.bench.load.Jacobi",
                                shape.iterations(bench),
                                shape.seconds(bench))
                        .run(LIMIT_SECONDS)));
        for (Mpi mpi : Mpi.withProgram(PROGRAM)) {
            turn.add(new Way(
                    mpi.label(),
                    shape -> mpi.run(
                            PROGRAM, shape.ranks(), LIMIT_SECONDS, shape.iterations(bench), shape.seconds(bench))));
        }
        int rounds = bench.pairCount(ROUNDS);
        Bench.say(
                "JDK %s: µs an iteration over 512 × 512 doubles, (nodes × threads); medians of %d rounds",
                jdk.label(), rounds);
        boolean good = true;
        Map<Shape, Times> times = new LinkedHashMap<>();
        Map<Integer, String> sums = new LinkedHashMap<>();
        try (Csv csv = bench.folder().csv("jacobi-solves", "round,way,nodes,threads,iterations,solve,seconds")) {
            for (int round = 1; round <= rounds; round++) {
                for (Shape shape : SHAPES) {
                    for (Way way : turn) {
                        Times kept = times.computeIfAbsent(shape, s -> new Times());
                        good &= measure(shape, way, round, shape.iterations(bench), kept, sums, csv);
                    }
                }
                Collections.rotate(turn, 1);
            }
        }
        boolean held = say(bench, times);
        return good && (held || bench.shortened());
    }

    /** @param sums the result after so many iterations, as soon as one has it; the others have to get the same */
    private static boolean measure(
            Shape shape, Way way, int round, int iterations, Times times, Map<Integer, String> sums, Csv csv)
            throws IOException, InterruptedException {
        Load.Outcome outcome = way.run().solve(shape);
        double[] seconds = outcome.values("solve", 1);
        String sum = outcome.results().stream()
                .filter(fields -> fields.getFirst().equals("sum"))
                .map(fields -> String.join(" ", fields))
                .findFirst()
                .orElse("none");
        if (!outcome.good() || seconds.length < LEAST_SOLVES) {
            Bench.say(
                    "%s %s has not ended well in round %d: %s",
                    way.name(), shape.label(), round, String.join("; ", outcome.messages()));
            return false;
        }
        double best = Double.POSITIVE_INFINITY;
        for (int i = 0; i < seconds.length; i++) {
            csv.row(round, way.name(), shape.nodes(), shape.threads(), iterations, i, seconds[i]);
            best = i == 0 ? best : Math.min(best, seconds[i]);
        }
        times.add(way.name(), round, best / iterations);
        String others = sums.computeIfAbsent(iterations, i -> sum);
        if (!others.equals(sum)) {
            Bench.say("%s %s has got %s in round %d, others %s", way.name(), shape.label(), sum, round, others);
            return false;
        }
        return true;
    }

    private static boolean say(Bench bench, Map<Shape, Times> all) throws IOException {
        boolean held = true;
        try (Csv csv = bench.folder().csv("jacobi", "panel,group,series,value,unit")) {
            for (Map.Entry<Shape, Times> entry : all.entrySet()) {
                held &= say(entry.getKey(), entry.getValue(), csv);
            }
        }
        PlotPage.write(bench.folder(), "bars.html", "jacobi", "The paper's figure 10, a JVM as a node");
        return held;
    }

    private static boolean say(Shape shape, Times times, Csv csv) throws IOException {
        List<String> columns = new ArrayList<>();
        for (String way : times.seconds.keySet()) {
            columns.add("%s %.1f".formatted(way, times.middle(way) * 1e6));
            csv.row("time", shape.label(), way, times.middle(way) * 1e6, "µs an iteration");
        }
        boolean held = true;
        for (Mpi mpi : Mpi.values()) {
            double[] speeds = times.speed(MessageSpeed.JPI, mpi.label());
            if (speeds.length == 0) {
                continue;
            }
            double speed = Statistics.median(speeds);
            csv.row("speed of JPI", shape.label(), "to " + mpi.label(), speed, "times");
            boolean asked = shape.asked() && mpi == Mpi.MPICH;
            held &= !asked || speed >= AT_LEAST;
            columns.add("speed to %s %.2f%s"
                    .formatted(
                            mpi.label(),
                            speed,
                            asked ? " asked: >= %.1f %s".formatted(AT_LEAST, Bench.held(speed >= AT_LEAST)) : ""));
        }
        Bench.say("%s %s", shape.label(), String.join(", ", columns));
        return held;
    }
}
