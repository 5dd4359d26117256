package ayatori.bench;

import ayatori.bench.RunFolder.Csv;
import ayatori.bench.load.ProcessCpu;
import ayatori.bench.load.Submissions;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;
import org.openjdk.jmh.runner.options.VerboseMode;

/**
 * What a pool takes for a task, by JMH: {@code submit().get()}, and tasks submitted {@link Submissions#BATCH} at a time; ours
 * against ThreadPoolExecutor and ForkJoinPool with as many workers. The pools take turns, a JVM each, and a ratio is the
 * median over the rounds.
 */
final class PoolSpeed implements Measurement {
    private static final String OURS = "ayatori";
    private static final String TPE = "tpe";
    private static final String FJP = "fjp";
    private static final List<String> POOLS = List.of(OURS, TPE, FJP);
    private static final List<String> SHAPES = List.of("roundTrip", "oneWay");
    private static final List<Integer> SUBMITTERS = List.of(1, 2, 8);
    private static final List<Integer> FEW_SUBMITTERS = List.of(2);

    private static final double WALL_TO_TPE = 0.8;
    private static final double WALL_TO_FJP = 1.0;
    private static final double CPU_TO_TPE = 1.0;

    /** The second last is for JMH itself. */
    private static final String[] JVM = {
        "-XX:+UseG1GC",
        "-Xms512m",
        "-Xmx512m",
        "--sun-misc-unsafe-memory-access=allow",
        "--enable-native-access=ALL-UNNAMED"
    };

    /** Nanoseconds an operation. */
    private record Cost(double wall, double cpu) {}

    @Override
    public boolean run(Bench bench) throws IOException, InterruptedException {
        Jdk jdk = bench.ofLibrary();
        int rounds = bench.pairCount(5);
        Bench.say(
                "JDK %s: ns a task, wall and CPU of the whole process, by ayatori, ThreadPoolExecutor (LinkedBlockingQueue) and "
                        + "ForkJoinPool, %d workers each; medians of %d rounds",
                jdk.label(), Runtime.getRuntime().availableProcessors(), rounds);
        boolean held = true;
        Map<String, Map<String, List<Cost>>> costs = new LinkedHashMap<>();
        try (Csv csv = bench.folder().csv("pool", "jdk,shape,submitters,round,pool,workers,wall_nanos,cpu_nanos")) {
            for (int round = 1; round <= rounds; round++) {
                measureAll(bench, jdk, csv, round, costs);
            }
        }
        for (Map.Entry<String, Map<String, List<Cost>>> entry : costs.entrySet()) {
            held &= verdict(entry.getKey(), entry.getValue());
        }
        return held || bench.shortened();
    }

    private static void measureAll(Bench bench, Jdk jdk, Csv csv, int round, Map<String, Map<String, List<Cost>>> costs)
            throws IOException {
        List<String> turn = new ArrayList<>(POOLS);
        Collections.rotate(turn, round);
        for (String shape : SHAPES) {
            for (int submitters : bench.shortened() ? FEW_SUBMITTERS : SUBMITTERS) {
                String what = "%-9s %d submitting".formatted(shape, submitters);
                for (String pool : turn) {
                    Cost cost = measure(bench, jdk, shape, submitters, pool);
                    costs.computeIfAbsent(what, w -> new LinkedHashMap<>())
                            .computeIfAbsent(pool, p -> new ArrayList<>())
                            .add(cost);
                    csv.row(
                            jdk.version(),
                            shape,
                            submitters,
                            round,
                            pool,
                            Runtime.getRuntime().availableProcessors(),
                            cost.wall(),
                            cost.cpu());
                }
            }
        }
    }

    private static Cost measure(Bench bench, Jdk jdk, String shape, int submitters, String pool) throws IOException {
        TimeValue time = TimeValue.milliseconds(bench.count(1000, 100));
        var options = new OptionsBuilder()
                .include("\\." + Submissions.class.getSimpleName() + "\\." + shape + "$")
                .param("pool", pool)
                .threads(submitters)
                .jvm(jdk.java())
                .jvmArgs(JVM)
                .forks(1)
                .warmupIterations(bench.count(4, 1))
                .warmupTime(time)
                .measurementIterations(bench.count(4, 1))
                .measurementTime(time)
                .timeout(TimeValue.seconds(60))
                .addProfiler(ProcessCpu.class)
                .shouldFailOnError(true)
                .verbosity(VerboseMode.SILENT)
                .build();
        try {
            RunResult result = new Runner(options).runSingle();
            double perSecond = result.getPrimaryResult().getScore();
            var cpu = Objects.requireNonNull(result.getSecondaryResults().get(ProcessCpu.NAME));
            return new Cost(TimeUnit.SECONDS.toNanos(1) / perSecond, cpu.getScore());
        } catch (RunnerException e) {
            throw new IOException(shape + " of " + pool + " did not end well", e);
        }
    }

    private static boolean verdict(String what, Map<String, List<Cost>> costs) {
        Ratio tpe = ratio(costs, TPE);
        Ratio fjp = ratio(costs, FJP);
        boolean quick = tpe.wall() <= WALL_TO_TPE;
        boolean quicker = fjp.wall() <= WALL_TO_FJP;
        boolean frugal = tpe.cpu() <= CPU_TO_TPE;
        StringBuilder row = new StringBuilder();
        for (String pool : POOLS) {
            Cost middle = middle(costs.getOrDefault(pool, List.of()));
            row.append(String.format("  %s %6.0f/%6.0f", pool, middle.wall(), middle.cpu()));
        }
        Bench.say("%s %s", what, row);
        Bench.say(
                "%s   wall to tpe %.2f asked: <= %.1f %s; wall to fjp %.2f asked: <= %.1f %s; CPU to tpe %.2f asked: <= %.1f %s",
                " ".repeat(what.length()),
                tpe.wall(),
                WALL_TO_TPE,
                Bench.held(quick),
                fjp.wall(),
                WALL_TO_FJP,
                Bench.held(quicker),
                tpe.cpu(),
                CPU_TO_TPE,
                Bench.held(frugal));
        return quick && quicker && frugal;
    }

    private record Ratio(double wall, double cpu) {}

    /** Ours to another's: the median over rounds. */
    private static Ratio ratio(Map<String, List<Cost>> costs, String other) {
        List<Cost> ours = costs.getOrDefault(OURS, List.of());
        List<Cost> theirs = costs.getOrDefault(other, List.of());
        double[] walls = new double[ours.size()];
        double[] cpus = new double[ours.size()];
        for (int i = 0; i < walls.length; i++) {
            walls[i] = ours.get(i).wall() / theirs.get(i).wall();
            cpus[i] = ours.get(i).cpu() / theirs.get(i).cpu();
        }
        return new Ratio(Statistics.median(walls), Statistics.median(cpus));
    }

    private static Cost middle(List<Cost> costs) {
        return new Cost(
                Statistics.median(costs.stream().mapToDouble(Cost::wall).toArray()),
                Statistics.median(costs.stream().mapToDouble(Cost::cpu).toArray()));
    }
}
