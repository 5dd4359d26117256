package ayatori.bench;

import static java.nio.charset.StandardCharsets.UTF_8;

import ayatori.bench.RunFolder.Csv;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;

/**
 * Many random messages among ranks, by the storm of JPI's own tests: none is lost, doubled, corrupted, or out of order within its
 * source, tag and priority, or the program fails; and the heaps of its JVMs do not grow.
 */
final class MessageSoak implements Measurement {
    private static final long MESSAGES = 100_000_000;
    private static final long SHORT_MESSAGES = 60_000;
    private static final int ROUNDS = 20;
    private static final int SHORT_ROUNDS = 4;
    /** Round after which all is loaded, compiled and has its usual size. */
    private static final int WARM_PART = 4;

    private static final long SECONDS_A_MILLION = 400;
    private static final long LEAST_SECONDS = 120;
    private static final long LOOK_SECONDS = 5;

    /** Of what was in use when it was warm, and beside that. */
    private static final double HEAP_AT_MOST = 1.25;

    private static final long HEAP_BESIDE = 8L << 20;

    private static final String PROGRAM = "jpi.soak.MessageStorm";
    private static final String PROGRESS = "progress,";

    /**
     * One run.
     *
     * @param share of the messages, per cent
     */
    private record Setting(String label, List<String> options, int share) {}

    private static final List<Setting> SETTINGS = List.of(
            new Setting("8 ranks in 3 JVMs", List.of("-np", "3", "-nt", "8"), 40),
            new Setting("8 ranks in one JVM", List.of("-nt", "8"), 30),
            new Setting("4 JVMs of one rank", List.of("-np", "4", "-nt", "4"), 15),
            new Setting("8 virtual threads in 3 JVMs", List.of("-np", "3", "-nt", "8", "-vt"), 15));

    @Override
    public boolean run(Bench bench) throws IOException, InterruptedException {
        long all = bench.shortened() ? SHORT_MESSAGES : MESSAGES;
        boolean held = true;
        try (Csv csv = bench.folder().csv("messages-soak", "setting,kind,name,round,value")) {
            for (Setting setting : SETTINGS) {
                held &= run(bench, setting, all / 100 * setting.share(), csv);
            }
        }
        return held;
    }

    private static boolean run(Bench bench, Setting setting, long messages, Csv csv)
            throws IOException, InterruptedException {
        int rounds = bench.count(ROUNDS, SHORT_ROUNDS);
        long seed = System.nanoTime();
        Bench.say("%s: %,d messages, seed %d", setting.label(), messages, seed);
        List<Object> words = new ArrayList<>(setting.options());
        words.addAll(List.of("-J-Xmx512m", PROGRAM, messages, rounds, seed));
        Load load = Load.of(bench.ofLibrary(), "jpi.JRun", words.toArray());
        Load.Outcome outcome = run(load, LEAST_SECONDS + messages * SECONDS_A_MILLION / 1_000_000);
        csv.row(setting.label(), "count", "messages", rounds, messages);
        boolean flawless = outcome.good();
        outcome.messages().stream()
                .filter(line -> !line.startsWith(PROGRESS))
                .limit(10)
                .forEach(line -> Bench.say("  %s", line));
        Bench.say(
                "  asked: none lost, doubled, corrupted or out of order %s%s",
                Bench.held(flawless), outcome.ended() ? "" : ": it did not end");
        return heapIsFlat(setting, rounds, outcome, csv) && flawless;
    }

    /** Runs it to its end, or kills it at the limit; meanwhile says how far it is. */
    private static Load.Outcome run(Load load, long limitSeconds) throws IOException, InterruptedException {
        Path output = Files.createTempFile("ayatori-bench", ".out");
        try {
            Process process = load.start(output);
            boolean ended = false;
            String said = "";
            long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(limitSeconds);
            try {
                process.getOutputStream().close();
                while (!ended && System.nanoTime() < end) {
                    ended = process.waitFor(LOOK_SECONDS, TimeUnit.SECONDS);
                    said = sayProgress(output, said);
                }
            } finally {
                process.destroyForcibly();
            }
            return Load.outcome(ended, process.waitFor(), output);
        } finally {
            Files.delete(output);
        }
    }

    private static String sayProgress(Path output, String said) throws IOException {
        String last = Files.readString(output, UTF_8)
                .lines()
                .filter(line -> line.matches(PROGRESS + "\\d+"))
                .reduce(said, (_, later) -> later);
        if (!last.equals(said)) {
            Bench.say("  %,d messages", Long.parseLong(last.substring(PROGRESS.length())));
        }
        return last;
    }

    /** Of each JVM: what is in use after the last round, beside what was as soon as it was warm. */
    private static boolean heapIsFlat(Setting setting, int rounds, Load.Outcome outcome, Csv csv) throws IOException {
        Map<Integer, Map<Integer, Long>> heaps = new TreeMap<>();
        long givenUp = 0;
        for (List<String> fields : outcome.results()) {
            if (fields.getFirst().equals("heap")) {
                int round = Integer.parseInt(fields.get(2));
                long bytes = Long.parseLong(fields.get(3));
                heaps.computeIfAbsent(Integer.parseInt(fields.get(1)), r -> new TreeMap<>())
                        .put(round, bytes);
                csv.row(setting.label(), "heap", "JVM of rank " + fields.get(1), round, bytes);
            } else {
                givenUp += Long.parseLong(fields.get(2));
            }
        }
        csv.row(setting.label(), "count", "receives given up", rounds, givenUp);
        boolean all = !heaps.isEmpty();
        List<String> columns = new ArrayList<>();
        for (Map<Integer, Long> rows : heaps.values()) {
            long warm = rows.getOrDefault(rounds / WARM_PART, 0L);
            long last = rows.getOrDefault(rounds, Long.MAX_VALUE);
            all &= last <= HEAP_AT_MOST * warm + HEAP_BESIDE;
            columns.add("%.1f to %.1f MB".formatted(warm / 1e6, last / 1e6));
        }
        Bench.say(
                "  %,d receives given up; heap in use: %s; asked: <= %.2f × + %d MB %s",
                givenUp, String.join(", ", columns), HEAP_AT_MOST, HEAP_BESIDE >> 20, Bench.held(all));
        return all;
    }
}
