package ayatori.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * {@code bench/run [WORD …] [--short] [--jdk N] [--pairs N] [--out DIR]}: the measurements behind what the README claims. Exit code 1
 * if a bound is missed, 2 for a user's mistake.
 *
 * @param shortened a smoke test: few repetitions, figures that mean little
 * @param jdks the JDKs to measure
 * @param pairs how many pairs of JVMs; empty: as many as the measurement thinks right
 */
record Bench(boolean shortened, List<Jdk> jdks, Optional<Integer> pairs, RunFolder folder) {
    private static final int OLDEST_OF_LIBRARY = 25;
    private static final Map<String, Measurement> MEASUREMENTS = new LinkedHashMap<>();

    static {
        MEASUREMENTS.put("gc", new CollectorPauses());
        MEASUREMENTS.put("yield", new YieldLoops());
        MEASUREMENTS.put("cost", new AgentCost());
        MEASUREMENTS.put("birth", new BirthCost());
        MEASUREMENTS.put("soak", new Soak());
        MEASUREMENTS.put("top", new TopCost());
        MEASUREMENTS.put("guard", new GuardCost());
        MEASUREMENTS.put("hiccup", new HiccupMeter());
        MEASUREMENTS.put("deadline", new DeadlineMisses());
        MEASUREMENTS.put("inversion", new PoolInversion());
        MEASUREMENTS.put("requests", new RequestInversion());
        MEASUREMENTS.put("processes", new ProcessRequests());
        MEASUREMENTS.put("roundtrip", new RoundTrips());
        MEASUREMENTS.put("messages", new MessageSpeed());
        MEASUREMENTS.put("osu", new OsuSpeed());
        MEASUREMENTS.put("peers", new PeerSpeed());
        MEASUREMENTS.put("urgent", new UrgentMessages());
        MEASUREMENTS.put("collectives", new CollectiveSpeed());
        MEASUREMENTS.put("jacobi", new JacobiSpeed());
        MEASUREMENTS.put("nas", new NasKernels());
        MEASUREMENTS.put("cases", new SixCases());
        MEASUREMENTS.put("intercore", new IntercoreCost());
        MEASUREMENTS.put("files", new FileReadings());
        MEASUREMENTS.put("ioprio", new IoPriorities());
        MEASUREMENTS.put("tasks", new Storm("tasks", "TaskStorm", 100_000_000, 2_000_000));
        MEASUREMENTS.put("calls", new Storm("calls", "CallStorm", 50_000_000, 1_000_000));
        MEASUREMENTS.put("shared", new Storm("shared", "SharedStorm", 50_000_000, 150_000));
        MEASUREMENTS.put("messages-soak", new MessageSoak());
        MEASUREMENTS.put("server", new LoadedServers());
        MEASUREMENTS.put("pool", new PoolSpeed());
        MEASUREMENTS.put("reuse", new ReuseCost());
        MEASUREMENTS.put("reclaim", new ThreadReclaiming());
        MEASUREMENTS.put("aggregation", AggregationExperiment.inGuest());
        MEASUREMENTS.put("aggregation-jvms", AggregationExperiment.jvmsInGuest());
        MEASUREMENTS.put("aggregation-probe", AggregationExperiment.probeInGuest());
        MEASUREMENTS.put("aggregation-long", AggregationExperiment.longInGuest());
        MEASUREMENTS.put("aggregation-untagged", AggregationExperiment.untaggedInGuest());
        MEASUREMENTS.put("aggregation-jobs", AggregationExperiment.jobsInGuest());
        MEASUREMENTS.put("aggregation-host", AggregationExperiment.onHost());
        MEASUREMENTS.put("aggregation-cost", new AggregationCost());
        MEASUREMENTS.put("churn", new SchedulerChurn());
        MEASUREMENTS.put("placement", new PlacementExperiment());
    }

    public static void main(String[] arguments) throws IOException, InterruptedException {
        List<String> words = new ArrayList<>();
        boolean shortened = false;
        Optional<Integer> feature = Optional.empty();
        Optional<Integer> pairs = Optional.empty();
        Path out = Path.of(
                property("root"),
                "bench/target/runs",
                LocalDate.now(ZoneOffset.UTC).toString());
        for (int i = 0; i < arguments.length; i++) {
            boolean more = i + 1 < arguments.length;
            switch (arguments[i]) {
                case "--short" -> shortened = true;
                case "--jdk" -> feature = Optional.of(number("--jdk", more ? arguments[++i] : ""));
                case "--pairs" -> pairs = Optional.of(number("--pairs", more ? arguments[++i] : ""));
                case "--out" -> out = Path.of(more ? arguments[++i] : "");
                default -> {
                    if (!MEASUREMENTS.containsKey(arguments[i])) {
                        throw mistake("'" + arguments[i] + "'");
                    }
                    words.add(arguments[i]);
                }
            }
        }
        // Who ends a measurement early leaves no load of it, and no guest.
        Runtime.getRuntime()
                .addShutdownHook(
                        new Thread(() -> ProcessHandle.current().descendants().forEach(ProcessHandle::destroy)));
        Optional<Integer> wanted = feature;
        List<Jdk> jdks = Jdk.installed().stream()
                .filter(jdk -> wanted.isEmpty() || wanted.get().equals(jdk.feature()))
                .toList();
        if (jdks.isEmpty()) {
            throw mistake("no JDK " + wanted.map(String::valueOf).orElse("17 or later") + " on this host");
        }
        RunFolder folder = new RunFolder(out);
        folder.host(jdks, String.join(" ", prepend("bench/run", arguments)).replaceAll(" --out \\S+", ""));
        System.exit(new Bench(shortened, jdks, pairs, folder).measure(words.isEmpty() ? MEASUREMENTS.keySet() : words));
    }

    private static int number(String option, String value) {
        if (!value.matches("[1-9]\\d{0,2}")) {
            throw mistake(option + " '" + value + "'");
        }
        return Integer.parseInt(value);
    }

    private static List<String> prepend(String first, String[] rest) {
        List<String> all = new ArrayList<>(List.of(rest));
        all.addFirst(first);
        return all;
    }

    private static IllegalStateException mistake(String what) {
        System.err.println("bench/run: " + what + ": use bench/run [" + String.join("|", MEASUREMENTS.keySet())
                + "] … [--short] [--jdk N] [--pairs N] [--out DIR]");
        System.exit(2);
        return new IllegalStateException("exits before");
    }

    private int measure(Iterable<String> words) throws IOException, InterruptedException {
        boolean held = true;
        for (String word : words) {
            System.out.printf("== %s%s%n", word, shortened ? " (short: a smoke test, not a measurement)" : "");
            Measurement measurement = MEASUREMENTS.get(word);
            held &= measurement != null && measurement.run(this);
        }
        return held ? 0 : 1;
    }

    /** The newest JDK. */
    Jdk newest() {
        return jdks.getLast();
    }

    /** The newest JDK, which must be one that the library runs on. */
    Jdk ofLibrary() throws IOException {
        if (newest().feature() < OLDEST_OF_LIBRARY) {
            throw new IOException(
                    "the library needs a JDK " + OLDEST_OF_LIBRARY + " or later, not " + newest().version());
        }
        return newest();
    }

    /** The first number, or the second in a smoke test. */
    int count(int full, int shortCount) {
        return shortened ? shortCount : full;
    }

    @SuppressWarnings("AnnotateFormatMethod") // its annotation is of a library that we do not have
    static void say(String format, Object... values) {
        System.out.println(String.format(Locale.ROOT, format, values));
        System.out.flush();
    }

    /** How many pairs: what the user says, else the first number, or one in a smoke test. */
    int pairCount(int full) {
        return pairs.orElse(count(full, 1));
    }

    /** A verdict as text. */
    static String held(boolean held) {
        return held ? "held" : "MISSED";
    }

    static String agentLibrary() {
        return property("agent");
    }

    /** Where a JVM that crashes tells of it; not among the results, since it is full of paths. */
    static String crashFile() {
        return property("root") + "/bench/target/crash-%p.log";
    }

    /** A folder for what is not kept, on the project's own disk. */
    static Path scratch() {
        return Path.of(property("root"), "bench/target");
    }

    /** The command ayatori of the archive as it was made last. */
    static Path command() throws IOException {
        Path dist = root().resolve("dist");
        try (var homes = Files.list(dist)) {
            return homes.map(home -> home.resolve("bin/ayatori"))
                    .filter(Files::isExecutable)
                    .findFirst()
                    .orElseThrow(() -> new IOException("no archive in " + dist + ": make dist"));
        }
    }

    static String agentVersion() {
        return property("version");
    }

    static String loadClassPath() {
        return property("loads");
    }

    /** Where the project is. */
    static Path root() {
        return Path.of(property("root"));
    }

    /** The CPU for what runs on one: the last, which seldom serves interrupts. */
    static int oneCpu() {
        return Runtime.getRuntime().availableProcessors() - 1;
    }

    private static String property(String name) {
        String value = System.getProperty("ayatori.bench." + name);
        if (value == null) {
            throw new IllegalStateException("start by bench/run: no ayatori.bench." + name);
        }
        return value;
    }
}
