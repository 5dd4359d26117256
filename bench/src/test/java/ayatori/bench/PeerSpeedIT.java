package ayatori.bench;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code bench/run peers --short}: that everyone who is there has sent messages of all sizes; no figures. */
class PeerSpeedIT {
    private static final List<Integer> SIZES = List.of(8, 256, 4096, 65536, 1048576);

    @TempDir
    Path folder = Path.of("unset");

    @Test
    void messagesOfAllSizesAreMeasuredByEveryone() throws IOException, InterruptedException {
        assumeTrue(Runtime.getRuntime().availableProcessors() >= 2, "needs two CPUs");
        String output = Measured.bench("peers", "--short", "--out", folder.toString());
        List<String> ways = new ArrayList<>(List.of("JPI", "Aeron IPC", "PCJ"));
        if (!output.contains("MPJ Express is left out: ")) {
            ways.add("MPJ Express");
        }
        List<String> expected = new ArrayList<>();
        ways.forEach(way -> SIZES.forEach(bytes -> expected.add("1," + way + "," + bytes)));
        List<String> rows = Files.readAllLines(folder.resolve("peers-times.csv")).stream()
                .skip(1)
                .map(row -> row.replaceFirst("(,[^,]+){2}$", ""))
                .toList();
        assertEquals(expected.size(), rows.size(), output);
        assertEquals(new TreeSet<>(expected), new TreeSet<>(rows), output);
        for (int bytes : SIZES) {
            assertTrue(output.contains(" " + bytes + " B  JPI "), output);
        }
        assertTrue(Files.readString(folder.resolve("peers.html")).contains("to Aeron IPC,8 B,JPI,"), output);
    }
}
