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
 * Collective operations by JPI, with threads or JVMs as ranks, and by MPI in C, with processes: what they take at each number of
 * ranks and size, out of the same buffers again and again or out of more than caches hold. Each round starts fresh ones, and who is measured takes turns. All get the same results, by their checksums. MPICH only where each
 * rank has a CPU of its own: elsewhere its ranks spin until the kernel takes the CPU from them, some milliseconds each time.
 */
final class CollectiveSpeed implements Measurement {
    private static final int ROUNDS = 10;
    private static final int BUDGET_MILLIS = 40;
    private static final int SHORT_BUDGET_MILLIS = 1;
    private static final int WARM_UP_MILLIS = 6000;
    /** For the compilers of each, which share the CPUs with all ranks: what they have not done yet costs ten times as long. */
    private static final int WARM_UP_MILLIS_A_JVM = 4000;

    private static final long LIMIT_SECONDS = 600;
    private static final double AT_MOST = 1.0;

    private static final String PROGRAM = "collectives";
    private static final String THREADS = "JPI, threads";
    private static final String JVMS = "JPI, JVMs";

    /** How many ranks, and the most bytes. */
    private record Shape(int ranks, int largest) {
        boolean suits(String way) {
            return !way.equals(Mpi.MPICH.label())
                    || ranks <= Runtime.getRuntime().availableProcessors();
        }
    }

    private static final List<Shape> SHAPES =
            List.of(new Shape(2, 1 << 20), new Shape(4, 1 << 20), new Shape(8, 32 << 10), new Shape(16, 32 << 10));
    private static final List<Shape> SHORT_SHAPES = List.of(new Shape(2, 256), new Shape(4, 256));

    /** Someone who is measured. */
    private record Way(String name, Run run) {}

    @FunctionalInterface
    private interface Run {
        Load.Outcome outcome(Shape shape) throws IOException, InterruptedException;
    }

    /** What is measured. */
    private record Cell(int ranks, String mode, String operation, int bytes) {}

    /** Medians, microseconds, by cell, way and round. */
    private final Map<Cell, Map<String, List<Measured>>> values = new LinkedHashMap<>();

    private final Map<Cell, String> sums = new LinkedHashMap<>();

    @Override
    public boolean run(Bench bench) throws IOException, InterruptedException {
        Jdk jdk = bench.ofLibrary();
        List<Way> turn = new ArrayList<>();
        turn.add(new Way(THREADS, shape -> jpi(bench, jdk, shape, 1)));
        turn.add(new Way(JVMS, shape -> jpi(bench, jdk, shape, shape.ranks())));
        List<Mpi> mpis = Mpi.withProgram(PROGRAM);
        int budget = bench.count(BUDGET_MILLIS, SHORT_BUDGET_MILLIS);
        for (Mpi mpi : mpis) {
            turn.add(new Way(
                    mpi.label(), shape -> mpi.run(PROGRAM, shape.ranks(), LIMIT_SECONDS, budget, shape.largest())));
        }
        int rounds = bench.pairCount(ROUNDS);
        Bench.say(
                "JDK %s: µs an operation, mean over the ranks; medians of %d rounds, by the distance of two CPUs",
                jdk.label(), rounds);
        boolean good = true;
        try (Csv csv = bench.folder()
                .csv("collectives-times", "round,way,ranks,mode,collective,bytes,median_us,p10_us,line_ns")) {
            for (int round = 1; round <= rounds; round++) {
                for (Shape shape : bench.shortened() ? SHORT_SHAPES : SHAPES) {
                    for (Way way : turn) {
                        good &= !shape.suits(way.name()) || measure(way, shape, round, csv);
                    }
                }
                Collections.rotate(turn, 1);
            }
        }
        boolean held = say(bench, mpis);
        return good && (held || bench.shortened());
    }

    private static Load.Outcome jpi(Bench bench, Jdk jdk, Shape shape, int jvms)
            throws IOException, InterruptedException {
        return Load.of(
                        jdk,
                        "jpi.JRun",
                        "-np",
                        jvms,
                        "-nt",
                        shape.ranks(),
                        MessageSpeed.HEAP,
                        "ayatori.bench.load.CollectiveTimes",
                        bench.count(BUDGET_MILLIS, SHORT_BUDGET_MILLIS),
                        bench.count(WARM_UP_MILLIS + jvms * WARM_UP_MILLIS_A_JVM, 0),
                        shape.largest())
                .run(LIMIT_SECONDS);
    }

    private boolean measure(Way way, Shape shape, int round, Csv csv) throws IOException, InterruptedException {
        Load.Outcome outcome = way.run().outcome(shape);
        boolean same = true;
        int rows = 0;
        for (List<String> fields : outcome.results()) {
            if (fields.getFirst().equals("library")) {
                continue;
            }
            Cell cell = new Cell(shape.ranks(), fields.get(0), fields.get(1), Integer.parseInt(fields.get(2)));
            double median = Double.parseDouble(fields.get(3));
            double line = Double.parseDouble(fields.get(6));
            csv.row(
                    round,
                    way.name(),
                    shape.ranks(),
                    cell.mode(),
                    cell.operation(),
                    cell.bytes(),
                    median,
                    Double.parseDouble(fields.get(4)),
                    Double.isNaN(line) ? "" : (Object) line);
            values.computeIfAbsent(cell, c -> new LinkedHashMap<>())
                    .computeIfAbsent(way.name(), w -> new ArrayList<>())
                    .add(new Measured(round, median, Distance.of(line)));
            String sum = fields.get(5);
            if (!sums.computeIfAbsent(cell, c -> sum).equals(sum)) {
                Bench.say("%s has got another result in %s than others", way.name(), cell);
                same = false;
            }
            rows++;
        }
        if (outcome.good() && rows > 0) {
            return same;
        }
        Bench.say(
                "%s, %d ranks, has not ended well in round %d: %s",
                way.name(), shape.ranks(), round, String.join("; ", outcome.messages()));
        return false;
    }

    private boolean say(Bench bench, List<Mpi> mpis) throws IOException {
        int missed = 0;
        int asked = 0;
        try (Csv csv = bench.folder().csv("collectives", "panel,group,series,value,unit")) {
            for (Map.Entry<Cell, Map<String, List<Measured>>> entry : values.entrySet()) {
                for (String way : List.of(THREADS, JVMS)) {
                    for (Distance distance :
                            Measured.distances(entry.getValue().getOrDefault(way, List.of()).stream())) {
                        double ratio = say(entry.getKey(), way, distance, entry.getValue(), mpis, csv);
                        asked += Double.isNaN(ratio) ? 0 : 1;
                        missed += ratio > AT_MOST ? 1 : 0;
                    }
                }
            }
        }
        PlotPage.write(bench.folder(), "bars.html", "collectives", "Collective operations of JPI beside Open MPI");
        Bench.say(
                "asked: each <= %.1f × Open MPI: %d of %d missed %s", AT_MOST, missed, asked, Bench.held(missed == 0));
        return missed == 0;
    }

    /** What was measured between CPUs of one distance. */
    private static double say(
            Cell cell,
            String way,
            @Nullable Distance distance,
            Map<String, List<Measured>> ways,
            List<Mpi> mpis,
            Csv csv)
            throws IOException {
        double ours = Measured.middle(ways, way, distance);
        StringBuilder line = new StringBuilder("%2d ranks %-13s %8d B, %-6s  %s %10.2f"
                .formatted(cell.ranks(), cell.operation(), cell.bytes(), cell.mode(), way, ours));
        for (Mpi mpi : mpis) {
            double theirs = Measured.middle(ways, mpi.label(), distance);
            if (!Double.isNaN(theirs)) {
                line.append("  %s %10.2f".formatted(mpi.label(), theirs));
            }
        }
        String where = distance == null ? "" : ", CPUs " + distance.label();
        double ratio = ours / Measured.middle(ways, Mpi.OPEN_MPI.label(), distance);
        if (Double.isNaN(ratio)) {
            Bench.say("%s%s", line, where);
            return ratio;
        }
        String panel = "%d ranks, %s%s, %s, to Open MPI".formatted(cell.ranks(), way, where, cell.mode());
        csv.row(panel, cell.operation(), size(cell.bytes()), ratio, "times as long");
        Bench.say(
                "%s  ratio %.2f worst %.2f %s%s",
                line, ratio, worst(ways, way, distance), Bench.held(ratio <= AT_MOST), where);
        return ratio;
    }

    /** The highest ratio to Open MPI in the same round; NaN if none met the same distance in the same round. */
    private static double worst(Map<String, List<Measured>> ways, String way, @Nullable Distance distance) {
        double worst = Double.NaN;
        for (Measured ours : ways.getOrDefault(way, List.of())) {
            for (Measured theirs : ways.getOrDefault(Mpi.OPEN_MPI.label(), List.of())) {
                if (ours.round() == theirs.round() && ours.distance() == distance && theirs.distance() == distance) {
                    double ratio = ours.value() / theirs.value();
                    worst = Double.isNaN(worst) ? ratio : Math.max(worst, ratio);
                }
            }
        }
        return worst;
    }

    private static String size(int bytes) {
        return bytes >= 1 << 20 ? (bytes >> 20) + " MB" : bytes >= 1 << 10 ? (bytes >> 10) + " KB" : bytes + " B";
    }
}
