package ayatori.bench;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Short forms of the pool's measurements: what they ran and kept, and the verdicts that do not depend on time. */
class PoolMeasurementsIT {
    private static final Path PAPER = Measured.ROOT.resolve("papers/003-reusable-threads");

    @TempDir
    Path folder = Path.of("unset");

    @Test
    void threadsAreReclaimedWithin200SubmissionsAndASwingStartsNone() throws IOException, InterruptedException {
        String output = Measured.run(PAPER.resolve("run"), "reclaim", "--short");
        assertEquals(List.of("held", "held"), verdicts(output, "asked: <= 200 "), output);
        assertEquals(List.of("held", "held"), verdicts(output, "asked: < 1 "), output);
        Path kept = PAPER.resolve(Measured.kept(output));
        assertTrue(Files.readString(kept.resolve("reclaim.csv")).contains("swing-50,paper-1,"), output);
        assertEquals(
                1 + 2 * 3, Files.readAllLines(kept.resolve("reclaim-sums.csv")).size());
    }

    @Test
    void linesAreFittedToUsesOfThreads() throws IOException, InterruptedException {
        String output = Measured.run(PAPER.resolve("run"), "reuse", "--short");
        assertTrue(output.contains("our pool, 16 initial threads"), output);
        assertEquals(2, verdicts(output, "asked: <= 2 ").size(), output);
        // Four ways, eight numbers of uses.
        assertEquals(
                1 + 4 * 8,
                Files.readAllLines(PAPER.resolve(Measured.kept(output)).resolve("reuse.csv"))
                        .size());
    }

    @Test
    void everyPoolRunsItsTasksOnWorkers() throws IOException, InterruptedException {
        Measured.bench("pool", "--short", "--out", folder.toString());
        // Two shapes, three pools; a task that ran elsewhere would have ended its JVM.
        assertEquals(1 + 2 * 3, Files.readAllLines(folder.resolve("pool.csv")).size());
    }

    /** The words that follow what was asked. */
    private static List<String> verdicts(String output, String asked) {
        return output.lines()
                .filter(line -> line.contains(asked))
                .map(line -> line.substring(line.indexOf(asked) + asked.length()))
                .toList();
    }
}
