package ayatori.bench;

import ayatori.bench.ReadingRun.Cell;
import ayatori.bench.ReadingRun.Reading;
import ayatori.bench.RunFolder.Csv;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * The paper's figures 6 and 7: what an urgent reader of files takes, alone and beside a backup of low priority, by protocol;
 * and, which the paper does not have, with a thread of middling priority on the servers' CPU too. The servers are in the reader's
 * JVM, and in three processes, as they are in the paper.
 */
final class FileReadings implements Measurement {
    private static final List<String> PROTOCOLS = List.of("NONE", "VPGET", "VPSET");
    /** Where the servers are, by what follows the protocol in the name of a variant: one thread a server, as in the paper. */
    private static final Map<String, String> SERVERS = new LinkedHashMap<>();

    private static final Map<String, String> READINGS = new LinkedHashMap<>();
    private static final Map<String, String> BACKGROUNDS = new LinkedHashMap<>();

    static {
        SERVERS.put(":1:1:false", "one JVM");
        SERVERS.put(ReadingRun.IN_PROCESSES, "three processes");
        READINGS.put("1:50", "one file 50 times");
        READINGS.put("50:1", "50 files once each");
        BACKGROUNDS.put("none", "alone");
        BACKGROUNDS.put("backup", "beside a backup");
        BACKGROUNDS.put("middle", "beside backup, middle thread");
    }

    private static final List<Long> COMPUTE_NANOS = List.of(0L, 50_000L);
    private static final int ROUNDS = 50;
    private static final int SHORT_ROUNDS = 3;

    @Override
    public boolean run(Bench bench) throws IOException, InterruptedException {
        if (!ReadingRun.isPossible()) {
            return false;
        }
        int rounds = bench.count(ROUNDS, SHORT_ROUNDS);
        ReadingRun run = ReadingRun.of(
                bench,
                new ReadingRun.Plan(
                        rounds,
                        1,
                        SERVERS.keySet().stream()
                                .flatMap(where -> PROTOCOLS.stream().map(protocol -> protocol + where))
                                .collect(Collectors.joining(",")),
                        String.join(",", BACKGROUNDS.keySet()),
                        String.join(",", READINGS.keySet()),
                        "0,50000"),
                "files-rounds");
        Bench.say("50 reads of 4 KB through three servers, ms, medians of %d rounds", rounds);
        try (Csv csv = bench.folder().csv("files", "panel,group,series,servers,value,unit,slowest_ms,rounds")) {
            for (Map.Entry<String, String> reading : READINGS.entrySet()) {
                for (long nanos : COMPUTE_NANOS) {
                    for (Map.Entry<String, String> background : BACKGROUNDS.entrySet()) {
                        for (Map.Entry<String, String> servers : SERVERS.entrySet()) {
                            tell(csv, run, servers, reading, background, nanos, rounds);
                        }
                    }
                }
            }
        }
        PlotPage.write(
                bench.folder(),
                "bars.html",
                "files",
                "50 reads of 4 KB by an urgent thread, through three servers on another CPU; JDK "
                        + bench.newest().version());
        return run.isRight();
    }

    private static void tell(
            Csv csv,
            ReadingRun run,
            Map.Entry<String, String> servers,
            Map.Entry<String, String> reading,
            Map.Entry<String, String> background,
            long nanos,
            int rounds)
            throws IOException {
        StringBuilder line = new StringBuilder(String.format(
                Locale.ROOT,
                "  %-18s  %2d µs after each  %-28s  %-15s",
                reading.getValue(),
                nanos / 1000,
                background.getValue(),
                servers.getValue()));
        for (String protocol : PROTOCOLS) {
            Cell cell = new Cell(protocol + servers.getKey(), background.getKey(), reading.getKey(), nanos);
            double total = run.median(cell, Reading::total);
            line.append(String.format(Locale.ROOT, "  %s %6.2f", protocol, total));
            csv.row(
                    reading.getValue(),
                    background.getValue() + ", " + nanos / 1000 + " µs",
                    protocol,
                    servers.getValue(),
                    total,
                    "ms",
                    run.median(cell, Reading::slowest),
                    rounds);
        }
        Bench.say("%s", line);
    }
}
