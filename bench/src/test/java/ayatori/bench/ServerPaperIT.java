package ayatori.bench;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeFalse;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Short forms of the paper's measurements: what they ran and kept, what was read, and who is delayed by whom; no figures. */
class ServerPaperIT {
    private static final Path PAPER = Measured.ROOT.resolve("papers/002-server-priority");
    private static final int RUNG_OF_VM_THREAD = 25;
    private static final int ROUNDS = 20;
    private static final int READING_ROUNDS = 3;
    private static final List<String> PROTOCOLS = List.of("NONE", "VPGET", "VPSET");

    @BeforeEach
    void realTimeOnTwoCpus() throws IOException, InterruptedException {
        RealTime.assume(RUNG_OF_VM_THREAD);
        assumeTrue(Runtime.getRuntime().availableProcessors() >= 2, "SKIP: needs two CPUs");
    }

    private static String run(String word) throws IOException, InterruptedException {
        return Measured.run(PAPER.resolve("run"), word, "--short");
    }

    private static List<String> rows(String output, String file) throws IOException {
        List<String> lines =
                Files.readAllLines(PAPER.resolve(Measured.kept(output)).resolve(file));
        return lines.subList(1, lines.size());
    }

    /** Median of a column over the rows with these first fields. */
    private static double median(List<String> rows, int column, String... fields) {
        String start = String.join(",", fields) + ",";
        return Statistics.median(rows.stream()
                .filter(row -> row.startsWith(start))
                .mapToDouble(row -> Double.parseDouble(row.split(",", -1)[column]))
                .toArray());
    }

    @Test
    void inTheSixCasesARequestWakesAndRaisesAsTheTableSaysAndWaitsForTheMiddleThreadUnlessByVpset()
            throws IOException, InterruptedException {
        List<String> rows = rows(run("cases"), "cases-rounds.csv");
        // Six cases, three protocols, three amounts of AP_o's work.
        assertEquals(6 * 3 * 3 * ROUNDS, rows.size());
        for (int number = 1; number <= 6; number++) {
            boolean above = number != 1 && number != 4;
            for (String protocol : PROTOCOLS) {
                String named = "case " + number + " by " + protocol;
                String[] cell = {Integer.toString(number), protocol, "1000000"};
                assertEquals(number > 3 ? 1 : 0, median(rows, 6, cell), "wakes, " + named);
                assertEquals(above && protocol.equals("VPSET") ? 1 : 0, median(rows, 7, cell), "raises, " + named);
                boolean inverted = (number == 3 || number == 6) && !protocol.equals("VPSET");
                // Of 1 ms that AP_o computes.
                assertEquals(inverted, median(rows, 5, cell) > 500_000, "AP_o first, " + named);
            }
        }
    }

    @Test
    void operationsOnAThreadOfAnotherCpuHaveTheirEffectAndToWakeAndRaiseIsOneInterrupt()
            throws IOException, InterruptedException {
        String output = run("intercore");
        // Eight ways of waking, four of raising, three calls.
        assertEquals(15, rows(output, "intercore.csv").size(), output);
        assertTrue(output.contains("one saved inter-core operation, a wake: "), output);
        List<String> interrupts = rows(output, "intercore-interrupts.csv");
        // Medians: a machine that is busy adds others to single ones. A CPU that computes hears of nothing without one.
        assertEquals(0, interrupts(interrupts, "leave one alone that runs,nobody"), output);
        for (String operation : List.of(
                "wake (futex),a low thread",
                "raise then wake,a low thread",
                "raise then wake,a middle thread",
                "call that raises and wakes the server,a low thread")) {
            assertEquals(1, interrupts(interrupts, operation), operation + "\n" + output);
        }
    }

    /** Of the servers' CPU by others in an operation, a median. */
    private static double interrupts(List<String> rows, String operation) {
        return Statistics.median(rows.stream()
                .filter(row -> row.startsWith(operation + ","))
                .map(row -> row.split(",", -1))
                .mapToDouble(fields -> Double.parseDouble(fields[2]) + Double.parseDouble(fields[3]))
                .toArray());
    }

    @Test
    void filesAreReadAndCopiedRightAndAReadPreemptsTheMiddleThreadByVpsetAlone()
            throws IOException, InterruptedException {
        assumeFalse(DiskQueue.of(Measured.ROOT).isNoDisk(), "SKIP: needs a disk below the project's folder");
        String output = run("files");
        assertTrue(output.contains(" 0 wrong; asked: 0 held"), output);
        List<String> rows = rows(output, "files-rounds.csv");
        // Three protocols in one JVM and in three processes, three backgrounds, two readings, two amounts of computing.
        assertEquals(3 * 2 * 3 * 2 * 2 * READING_ROUNDS, rows.size());
        // 50 reads each, and on each service's disk 50 files that were read and 100 copies.
        assertTrue(output.contains("of " + (50 * rows.size() + 3 * 2 * 150) + " reads and files on the disk"), output);
        // Counted rather than timed: how long a read takes is the disk's affair too.
        for (String servers : List.of(":1:1:false", ":processes")) {
            double set = preemptions(rows, "VPSET" + servers);
            for (String protocol : List.of("NONE", "VPGET")) {
                double without = preemptions(rows, protocol + servers);
                assertTrue(
                        set > 2 * without,
                        servers + ": VPSET " + set + ", " + protocol + " " + without + "\n" + output);
            }
        }
    }

    /** How often somebody took the CPU from the middle thread, all rounds of a variant together. */
    private static double preemptions(List<String> rows, String variant) {
        return rows.stream()
                .filter(row -> row.startsWith(variant + ",middle,"))
                .mapToDouble(row -> Double.parseDouble(row.substring(row.lastIndexOf(',') + 1)))
                .sum();
    }

    @Test
    void filesAreReadAndCopiedRightBySeveralDiskServersWhoseIoPriorityChanges()
            throws IOException, InterruptedException {
        assumeFalse(DiskQueue.of(Measured.ROOT).isNoDisk(), "SKIP: needs a disk below the project's folder");
        String output = run("ioprio");
        assertTrue(output.contains(" 0 wrong; asked: 0 held"), output);
        // Three numbers of servers, with and without, alone and beside a backup, all and the slowest.
        assertEquals(3 * 2 * 2 * 2, rows(output, "ioprio.csv").size());
    }
}
