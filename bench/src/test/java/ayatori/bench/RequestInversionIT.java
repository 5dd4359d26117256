package ayatori.bench;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code bench/run requests --short}: who is delayed by a middle thread, told from which of two is longer. */
class RequestInversionIT {
    private static final int RUNG_OF_VM_THREAD = 25;
    private static final int ROUNDS = 50;

    @TempDir
    Path folder;

    @Test
    void aMiddleThreadDelaysTheRequestUnlessTheServerIsRaisedWhenThatComes() throws IOException, InterruptedException {
        RealTime.assume(RUNG_OF_VM_THREAD);
        assumeTrue(Runtime.getRuntime().availableProcessors() >= 2, "SKIP: needs two CPUs");
        String output = Measured.bench("requests", "--short", "--out", folder.toString());
        List<String> rows = Files.readAllLines(folder.resolve("requests.csv"));
        boolean withoutRights = !output.contains("left out");
        assertEquals(1 + (6 + 2 + 2 + 2 + 2 + (withoutRights ? 4 : 0)) * ROUNDS, rows.size(), output);
        double set = call(rows, "agent", "VPSET");
        assertTrue(set < call(rows, "agent", "VPGET"), "VPGET waits for the middle thread");
        assertTrue(set < call(rows, "agent", "NONE"), "and so does a server without a protocol");
        if (withoutRights) {
            assertTrue(call(rows, "none", "VPSET") < call(rows, "none", "NONE"), "without any right, too");
        }
    }

    /** What an urgent call beside the middle thread took, median. */
    private static double call(List<String> rows, String rights, String protocol) {
        return Statistics.median(rows.stream()
                .filter(row -> row.matches(rights + "," + protocol + ",9,\\w+,\\d+,1000000,.*"))
                .mapToDouble(row -> Double.parseDouble(row.split(",", -1)[6]))
                .toArray());
    }
}
