package ayatori.bench;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * {@code bench/run processes --short}: who is delayed by a middle thread, told from which of two is longer, and who raises the
 * server, told from the client's counters.
 */
class ProcessRequestsIT {
    private static final int RUNG_OF_VM_THREAD = 25;
    private static final int ROUNDS = 50;

    @TempDir
    Path folder;

    @Test
    void aServerInAnotherProcessIsRaisedWhoeverHasTheRightToDoSo() throws IOException, InterruptedException {
        RealTime.assume(RUNG_OF_VM_THREAD);
        assumeTrue(Runtime.getRuntime().availableProcessors() >= 2, "SKIP: needs two CPUs");
        String output = Measured.bench("processes", "--short", "--out", folder.toString());
        List<String> rows = Files.readAllLines(folder.resolve("processes.csv"));
        boolean withoutRights = !output.contains("left out");
        assertEquals(1 + (10 + 4 + 4 + 3 + 3 + 2 + (withoutRights ? 6 : 0)) * ROUNDS, rows.size(), output);
        for (String way : List.of("VPSET:kernel:1", "VPSET:server:1", "VPSET:server:2")) {
            assertTrue(call(rows, "agent", way) < call(rows, "agent", "NONE:kernel:1"), way + " raises the server");
            assertEquals("0,0", raises(rows, "agent", way), way + ": the server is ready by itself");
        }
        assertTrue(call(rows, "agent", "VPSET:kernel:1") < call(rows, "agent", "VPGET:kernel:1"), "VPGET does so late");
        if (withoutRights) {
            assertTrue(
                    call(rows, "none", "VPSET:kernel:1") < call(rows, "none", "NONE:kernel:1"),
                    "without any right, too");
            assertEquals("0,1", raises(rows, "none", "VPSET:kernel:1"), "the client lends in each call");
        }
        for (String way : List.of(
                "agent,VPSET:kernel:1", "agent,VPSET:server:1", "agent,VPSET:server:2", "none,VPSET:kernel:1")) {
            if (withoutRights || way.startsWith("agent")) {
                assertEquals(1, interrupts(way), way + ": to wake the server and to raise it is one interrupt");
            }
        }
        assertFalse(output.contains("NaN"), output);
    }

    /** Of the server's CPU by others, in an urgent call beside the middle thread, median. */
    private double interrupts(String way) throws IOException {
        return Statistics.median(Files.readAllLines(folder.resolve("processes-interrupts.csv")).stream()
                .filter(row -> row.startsWith(way + ","))
                .mapToDouble(row -> Double.parseDouble(row.substring(way.length() + 1)))
                .toArray());
    }

    /** What an urgent call beside the middle thread took, median. */
    private static double call(List<String> rows, String rights, String way) {
        return median(rows, rights, way, "1000000", 6);
    }

    /** How often the client of an urgent call with nobody in the way ordered the server up, and how often it lent, medians. */
    private static String raises(List<String> rows, String rights, String way) {
        return String.format("%.0f,%.0f", median(rows, rights, way, "0", 8), median(rows, rights, way, "0", 9));
    }

    private static double median(List<String> rows, String rights, String way, String middle, int column) {
        return Statistics.median(rows.stream()
                .map(row -> row.split(",", -1))
                .filter(fields -> fields[0].equals(rights)
                        && fields[1].equals(way)
                        && fields[2].equals("9")
                        && fields[5].equals(middle))
                .mapToDouble(fields -> Double.parseDouble(fields[column]))
                .toArray());
    }
}
