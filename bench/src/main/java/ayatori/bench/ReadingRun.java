package ayatori.bench;

import ayatori.bench.RunFolder.Csv;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.ToDoubleFunction;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Readings through the file service, by the load FileReading in a JVM of its own, clients on one CPU and servers on another; where
 * the servers are processes, these are JVMs like it, by the load ServerProcess. All are under the agent's policy static.
 *
 * @param wrong reads and files on the disk that were something else than they should be
 * @param checked all of them
 */
record ReadingRun(List<Reading> readings, int wrong, int checked) {
    private static final int CLIENTS_CPU = 0;
    private static final int READS = 50;
    /** After a protocol: a variant of which the servers are processes of their own. */
    static final String IN_PROCESSES = ":processes";
    /**
     * Code of C2 is taken back when a guess was wrong. Who calls it meanwhile spins until that is done; if a lower thread on the
     * same CPU does it, for ever.
     */
    private static final String WITHOUT_SPECULATION = "-XX:TieredStopAtLevel=1";

    private static final long LIMIT_SECONDS = 900;
    /** In one run of very many a reader spun for ten seconds, in spite of that; for what, is not known. */
    private static final int MOST_TRIES = 2;

    /** What is measured: the load's last arguments, lists with commas. */
    record Plan(int rounds, int copiers, String variants, String backgrounds, String readings, String computeNanos) {
        /** Those by which servers in processes of their own are to serve. */
        List<String> protocolsOfProcesses() {
            return Stream.of(variants.split(",", -1))
                    .filter(variant -> variant.endsWith(IN_PROCESSES))
                    .map(variant -> variant.substring(0, variant.length() - IN_PROCESSES.length()))
                    .toList();
        }
    }

    /** Under the same conditions. */
    record Cell(String variant, String background, String reading, long computeNanos) {}

    /** One reading; milliseconds. */
    record Reading(Cell cell, double total, double slowest, double copied) {}

    /** If the machine has what this needs; says what it lacks. */
    static boolean isPossible() throws IOException {
        if (Bench.oneCpu() == CLIENTS_CPU) {
            Bench.say("needs two CPUs");
            return false;
        }
        DiskQueue disk = DiskQueue.of(Bench.scratch());
        Bench.say("disk: %s", disk);
        if (disk.isNoDisk()) {
            Bench.say("needs a disk below the project's folder, and finds %s", disk.fileSystem());
            return false;
        }
        return true;
    }

    /**
     * Measures, and keeps the raw results.
     *
     * @param name of the CSV file
     */
    static ReadingRun of(Bench bench, Plan plan, String name) throws IOException, InterruptedException {
        for (int i = 1; i <= MOST_TRIES; i++) {
            Load.Outcome outcome = measure(bench, plan);
            if (outcome != null) {
                return keep(bench, outcome, name);
            }
            Bench.say("the readings were not real-time to the end%s", i < MOST_TRIES ? ": once more" : "");
        }
        throw new IOException("a thread ran away each time; leave the machine alone, and repeat");
    }

    /** With disks of its own. Null: the agent's guard has made all threads ordinary ones. */
    private static Load.@Nullable Outcome measure(Bench bench, Plan plan) throws IOException, InterruptedException {
        Path folder = Files.createTempDirectory(Bench.scratch(), "disk");
        try {
            return measure(bench, plan, folder);
        } finally {
            try (var files = Files.list(folder)) {
                for (Path file : files.toList()) {
                    Files.delete(file);
                }
            }
            Files.delete(folder);
        }
    }

    private static Load.@Nullable Outcome measure(Bench bench, Plan plan, Path folder)
            throws IOException, InterruptedException {
        try (FileServers servers = FileServers.start(bench, folder, plan.protocolsOfProcesses())) {
            Load.Outcome outcome = load(
                            bench,
                            "FileReading",
                            folder,
                            servers.place(),
                            plan.rounds(),
                            CLIENTS_CPU,
                            Bench.oneCpu(),
                            plan.copiers(),
                            plan.variants(),
                            plan.backgrounds(),
                            plan.readings(),
                            plan.computeNanos())
                    .run(LIMIT_SECONDS);
            List<String> messages = new ArrayList<>(outcome.messages());
            messages.addAll(servers.messages());
            if (!outcome.good()) {
                throw new IOException("the readings did not end well: " + messages);
            }
            messages.stream().limit(10).forEach(line -> Bench.say("  %s", line));
            return messages.stream().anyMatch(line -> line.contains("runaway guard")) ? null : outcome;
        }
    }

    /** A program of the file service, as each of them is started. */
    static Load load(Bench bench, String program, Object... arguments) throws IOException {
        return Load.of(bench.ofLibrary(), "ayatori.bench.files." + program, arguments)
                .withJvm("--enable-native-access=ALL-UNNAMED", "-XX:+UseSerialGC", WITHOUT_SPECULATION)
                .withAgent("policy=static");
    }

    private static ReadingRun keep(Bench bench, Load.Outcome outcome, String name) throws IOException {
        List<Reading> readings = new ArrayList<>();
        int wrong = 0;
        int checked = 0;
        try (Csv csv = bench.folder()
                .csv(name, "variant,background,reading,compute_ns,total_ns,slowest_ns,copied,wrong,middle_preempted")) {
            for (List<String> fields : outcome.results()) {
                if (fields.get(0).equals("check")) {
                    checked += Integer.parseInt(fields.get(2));
                    wrong += Integer.parseInt(fields.get(3));
                    continue;
                }
                csv.row(fields.subList(1, fields.size()).toArray());
                readings.add(new Reading(
                        new Cell(fields.get(1), fields.get(2), fields.get(3), Long.parseLong(fields.get(4))),
                        Double.parseDouble(fields.get(5)) / 1e6,
                        Double.parseDouble(fields.get(6)) / 1e6,
                        Double.parseDouble(fields.get(7))));
                checked += READS;
                wrong += Integer.parseInt(fields.get(8));
            }
        }
        return new ReadingRun(readings, wrong, checked);
    }

    double median(Cell cell, ToDoubleFunction<Reading> part) {
        return Statistics.median(readings.stream()
                .filter(reading -> reading.cell().equals(cell))
                .mapToDouble(part)
                .toArray());
    }

    /** Judges if all was what it should be. */
    boolean isRight() {
        boolean right = wrong == 0 && checked > 0;
        Bench.say("of %d reads and files on the disk %d wrong; asked: 0 %s", checked, wrong, Bench.held(right));
        return right;
    }
}
