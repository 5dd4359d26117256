package ayatori.bench;

import ayatori.bench.RunFolder.Csv;
import ayatori.bench.load.Distance;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What the point-to-point programs of the OSU micro-benchmarks measure, for JPI with JVMs or threads as ranks and for MPI in C:
 * latency, bandwidth with a window of 64 messages, the same both ways, and messages a second; of one pair and of two. Each round
 * starts fresh ranks, and who is measured takes turns. JVMs are to be better than the better MPI; nothing is asked where ranks
 * share CPUs, and there MPICH is left out: it spins.
 */
final class OsuSpeed implements Measurement {
    private static final int ROUNDS = 10;
    private static final int BUDGET_MILLIS = 100;
    private static final int SHORT_BUDGET_MILLIS = 1;
    private static final int WARM_UP_MILLIS = 8000;
    private static final int LARGEST_BYTES = 1 << 20;
    private static final int SHORT_LARGEST_BYTES = 64;
    private static final long LIMIT_SECONDS = 300;
    private static final double AT_MOST = 1.0;

    private static final String PROGRAM = "point_to_point";
    private static final String JVMS = "JPI, JVMs";
    private static final String THREADS = "JPI, threads";

    private static final Map<String, String> UNITS =
            Map.of("latency", "µs", "bandwidth", "MB/s", "bidirectional", "MB/s", "rate", "messages/s");

    /** How many ranks, and what they do. */
    private record Shape(int ranks, List<String> modes) {
        String label() {
            return ranks == 2 ? "one pair" : ranks / 2 + " pairs";
        }

        boolean ownCpus() {
            return ranks <= Runtime.getRuntime().availableProcessors();
        }
    }

    private static final List<Shape> SHAPES = List.of(
            new Shape(2, List.of("latency", "bandwidth", "bidirectional", "rate")),
            new Shape(4, List.of("latency", "rate")));

    /** Someone who is measured. */
    private record Way(String name, Run run) {}

    @FunctionalInterface
    private interface Run {
        Load.Outcome outcome(Shape shape) throws IOException, InterruptedException;
    }

    /** What is measured. */
    private record Cell(Shape shape, String mode, int bytes) {
        /** From something of which less is better to how many times as much of it ours is. */
        double ratio(double ours, double others) {
            return mode.equals("latency") ? ours / others : others / ours;
        }
    }

    /** By cell, way and round. */
    private final Map<Cell, Map<String, List<Measured>>> values = new LinkedHashMap<>();

    private int asked;
    private int missed;

    @Override
    public boolean run(Bench bench) throws IOException, InterruptedException {
        Jdk jdk = bench.ofLibrary();
        List<Mpi> mpis = Mpi.withProgram(PROGRAM);
        List<Way> turn = new ArrayList<>();
        turn.add(new Way(JVMS, shape -> jpi(bench, jdk, shape, shape.ranks())));
        turn.add(new Way(THREADS, shape -> jpi(bench, jdk, shape, 1)));
        for (Mpi mpi : mpis) {
            turn.add(new Way(mpi.label(), shape -> {
                List<Object> words = new ArrayList<>(List.of(budget(bench), largest(bench)));
                words.addAll(shape.modes());
                return mpi.run(PROGRAM, shape.ranks(), LIMIT_SECONDS, words.toArray());
            }));
        }
        int rounds = bench.pairCount(ROUNDS);
        Bench.say("JDK %s: medians of %d rounds, by the distance of two CPUs", jdk.label(), rounds);
        boolean good = true;
        try (Csv csv = bench.folder().csv("osu-values", "round,way,ranks,mode,bytes,value,unit,line_ns")) {
            for (int round = 1; round <= rounds; round++) {
                for (Shape shape : SHAPES) {
                    for (Way way : turn) {
                        boolean left = way.name().equals(Mpi.MPICH.label()) && !shape.ownCpus();
                        good &= left || measure(way, shape, round, csv);
                    }
                }
                Collections.rotate(turn, 1);
            }
        }
        boolean held = say(bench, mpis);
        return good && (held || bench.shortened());
    }

    private static int budget(Bench bench) {
        return bench.count(BUDGET_MILLIS, SHORT_BUDGET_MILLIS);
    }

    private static int largest(Bench bench) {
        return bench.count(LARGEST_BYTES, SHORT_LARGEST_BYTES);
    }

    private static Load.Outcome jpi(Bench bench, Jdk jdk, Shape shape, int jvms)
            throws IOException, InterruptedException {
        List<Object> words = new ArrayList<>(List.of("-np", jvms, "-nt", shape.ranks(), MessageSpeed.HEAP));
        words.add("ayatori.bench.load.PointToPoint");
        words.add(budget(bench));
        words.add(bench.count(WARM_UP_MILLIS, 0));
        words.add(largest(bench));
        words.addAll(shape.modes());
        return Load.of(jdk, "jpi.JRun", words.toArray()).run(LIMIT_SECONDS);
    }

    private boolean measure(Way way, Shape shape, int round, Csv csv) throws IOException, InterruptedException {
        Load.Outcome outcome = way.run().outcome(shape);
        int rows = 0;
        for (List<String> fields : outcome.results()) {
            if (fields.getFirst().equals("library")) {
                continue;
            }
            Cell cell = new Cell(shape, fields.get(0), Integer.parseInt(fields.get(1)));
            double value = Double.parseDouble(fields.get(2));
            double line = Double.parseDouble(fields.get(3));
            csv.row(
                    round,
                    way.name(),
                    shape.ranks(),
                    cell.mode(),
                    cell.bytes(),
                    value,
                    unit(cell),
                    Double.isNaN(line) ? "" : (Object) line);
            values.computeIfAbsent(cell, c -> new LinkedHashMap<>())
                    .computeIfAbsent(way.name(), w -> new ArrayList<>())
                    .add(new Measured(round, value, Distance.of(line)));
            rows++;
        }
        if (outcome.good() && rows > 0) {
            return true;
        }
        Bench.say(
                "%s, %s, has not ended well in round %d: %s",
                way.name(), shape.label(), round, String.join("; ", outcome.messages()));
        return false;
    }

    private static String unit(Cell cell) {
        return UNITS.getOrDefault(cell.mode(), "");
    }

    private boolean say(Bench bench, List<Mpi> mpis) throws IOException {
        try (Csv csv = bench.folder().csv("osu", "panel,group,series,value,unit")) {
            for (Map.Entry<Cell, Map<String, List<Measured>>> entry : values.entrySet()) {
                for (Distance distance :
                        Measured.distances(entry.getValue().values().stream().flatMap(List::stream))) {
                    say(entry.getKey(), distance, entry.getValue(), mpis, csv);
                }
            }
        }
        PlotPage.write(
                bench.folder(), "bars.html", "osu", "JPI beside the better MPI in C: 1 is as good, less is better");
        Bench.say(
                "asked of JVMs with CPUs of their own: each <= %.1f: %d of %d missed %s",
                AT_MOST, missed, asked, Bench.held(missed == 0));
        return missed == 0;
    }

    /** What was measured between CPUs of one distance. */
    private void say(Cell cell, @Nullable Distance distance, Map<String, List<Measured>> ways, List<Mpi> mpis, Csv csv)
            throws IOException {
        String where = distance == null ? "" : ", CPUs " + distance.label();
        StringBuilder line =
                new StringBuilder("%-8s %-13s %8d B".formatted(cell.shape().label(), cell.mode(), cell.bytes()));
        ways.keySet().stream()
                .filter(way -> !Double.isNaN(Measured.middle(ways, way, distance)))
                .sorted()
                .forEach(way -> line.append("  %s %.2f".formatted(way, Measured.middle(ways, way, distance))));
        line.append(" ").append(unit(cell));
        for (String way : List.of(JVMS, THREADS)) {
            double ratio = mpis.stream()
                    .mapToDouble(mpi -> cell.ratio(
                            Measured.middle(ways, way, distance), Measured.middle(ways, mpi.label(), distance)))
                    .filter(one -> !Double.isNaN(one))
                    .max()
                    .orElse(Double.NaN);
            if (Double.isNaN(ratio)) {
                continue;
            }
            line.append("  ratio of %s %.2f".formatted(way, ratio));
            if (way.equals(JVMS) && cell.shape().ownCpus()) {
                asked++;
                missed += ratio <= AT_MOST ? 0 : 1;
                line.append(" ").append(Bench.held(ratio <= AT_MOST));
            }
            csv.row(
                    "%s, %s%s".formatted(cell.mode(), cell.shape().label(), where),
                    cell.bytes() + " B",
                    way,
                    ratio,
                    "times the better MPI");
        }
        Bench.say("%s%s", line, where);
    }
}
