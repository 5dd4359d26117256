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
    void operationsOnAThreadOfAnotherCpuHaveTheirEffect() throws IOException, InterruptedException {
        String output = run("intercore");
        // Eight ways of waking, four of raising, three calls.
        assertEquals(15, rows(output, "intercore.csv").size(), output);
        assertTrue(output.contains("one saved inter-core operation, a wake: "), output);
    }

    @Test
    void filesAreReadAndCopiedRightAndAMiddleThreadDelaysReadsUnlessByVpset() throws IOException, InterruptedException {
        assumeFalse(DiskQueue.of(Measured.ROOT).isNoDisk(), "SKIP: needs a disk below the project's folder");
        String output = run("files");
        assertTrue(output.contains(" 0 wrong; asked: 0 held"), output);
        List<String> rows = rows(output, "files-rounds.csv");
        double set = median(rows, 4, "VPSET:1:1:false", "middle", "1:50", "0");
        assertTrue(set < median(rows, 4, "VPGET:1:1:false", "middle", "1:50", "0"), "VPGET waits for it\n" + output);
        assertTrue(set < median(rows, 4, "NONE:1:1:false", "middle", "1:50", "0"), "so does no protocol\n" + output);
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
