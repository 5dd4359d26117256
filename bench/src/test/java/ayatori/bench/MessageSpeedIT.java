package ayatori.bench;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * {@code bench/run messages --short}, {@code osu}, {@code urgent}, {@code jacobi} and {@code collectives}: that everyone who is there
 * has done everything; no figures.
 */
class MessageSpeedIT {
    private static final Map<String, String> COMPILERS =
            new TreeMap<>(Map.of("MPICH", "mpicc.mpich", "Open MPI", "mpicc.openmpi"));
    private static final int SIZES = 25;

    private final List<String> here = new ArrayList<>();

    @TempDir
    Path folder = Path.of("unset");

    @BeforeEach
    void findMpis() {
        COMPILERS.forEach((name, compiler) -> {
            if (Files.isExecutable(Path.of("/usr/bin", compiler))) {
                here.add(name);
            }
        });
        assumeTrue(!here.isEmpty(), "needs an MPI: apt-get install mpich libmpich-dev openmpi-bin libopenmpi-dev");
        assumeTrue(Runtime.getRuntime().availableProcessors() >= 2, "needs two CPUs");
    }

    @Test
    void messagesOfAllSizesAreMeasured() throws IOException, InterruptedException {
        String output = Measured.bench("messages", "--short", "--out", folder.toString());
        List<String> expected = new ArrayList<>();
        addSizes(expected, "JPI,two JVMs or processes", "hot", "varied", "arrays");
        addSizes(expected, "JPI,two threads", "reference", "hot", "isolated", "copy-new", "copy");
        addSizes(expected, "JPI,two threads that park", "reference");
        here.forEach(name -> addSizes(expected, name + ",two JVMs or processes", "hot", "varied"));
        List<String> records = new ArrayList<>();
        List<String> rows = new ArrayList<>();
        for (String line : Files.readAllLines(folder.resolve("messages.csv")).subList(1, rowCount("messages.csv"))) {
            String row = line.replaceFirst("^1,", "").replaceFirst("(,[^,]*){3}$", "");
            (row.matches(".*,(record|fory).*") ? records : rows).add(row);
        }
        assertEquals(new TreeSet<>(expected), new TreeSet<>(rows), output);
        assertEquals(expected.size(), rows.size(), output);
        assertEquals(4, records.size(), output);
        assertTrue(Files.readString(folder.resolve("messages.html")).contains("JPI,two threads,reference,"), output);
    }

    private static void addSizes(List<String> expected, String who, String... modes) {
        for (String mode : modes) {
            for (int i = 0; i < SIZES; i++) {
                expected.add(who + "," + mode + "," + (1 << i));
            }
        }
    }

    private int rowCount(String csv) throws IOException {
        return Files.readAllLines(folder.resolve(csv)).size();
    }

    @Test
    void everyoneSolvesTheHeatProblemInEveryShape() throws IOException, InterruptedException {
        String output = Measured.bench("jacobi", "--short", "--out", folder.toString());
        // A header, and two solves in each of six shapes.
        assertEquals(1 + 2 * 6 * (1 + here.size()), rowCount("jacobi-solves.csv"), output);
        assertEquals(
                6,
                output.lines()
                        .filter(line -> line.matches("\\(\\d×\\d\\) JPI .*"))
                        .count(),
                output);
    }

    @Test
    void everyoneDoesEachCollectiveOperation() throws IOException, InterruptedException {
        String output = Measured.bench("collectives", "--short", "--out", folder.toString());
        int cells = 1 + 10 * 2 * 2; // a barrier, and ten others in two sizes, out of hot and varied buffers
        int ofMpis = cells * here.size() + (here.contains("Open MPI") ? cells : 0);
        // Of two ranks and of four, by threads and by JVMs.
        assertEquals(1 + 2 * 2 * cells + ofMpis, rowCount("collectives-times.csv"), output);
        assertEquals(
                2L * 2 * cells,
                output.lines().filter(line -> line.contains(" ranks ")).count(),
                output);
    }

    @Test
    void urgentMessagesOvertakeALargeOne() throws IOException, InterruptedException {
        String output = Measured.bench("urgent", "--short", "--out", folder.toString());
        assertEquals(1 + 2, rowCount("urgent.csv"), output);
        assertTrue(output.lines().anyMatch(line -> line.startsWith("two JVMs, CPUs ")), output);
    }

    @Test
    void everyoneDoesWhatTheOsuBenchmarksMeasure() throws IOException, InterruptedException {
        String output = Measured.bench("osu", "--short", "--out", folder.toString());
        int ofOnePair = 4 * 3; // modes and sizes
        int ofTwoPairs = 2 * 3;
        int ofMpis = ofOnePair * here.size() + (here.contains("Open MPI") ? ofTwoPairs : 0);
        assertEquals(1 + 2 * (ofOnePair + ofTwoPairs) + ofMpis, rowCount("osu-values.csv"), output);
        // The CPUs may have been of another distance for each, and then nothing is compared.
        Map.of("one pair", ofOnePair, "2 pairs", ofTwoPairs)
                .forEach((pairs, rows) -> assertEquals(
                        rows.longValue(),
                        output.lines()
                                .filter(line -> line.matches(pairs + " .* JPI, JVMs [0-9.]+ .*"))
                                .count(),
                        output));
        assertTrue(
                output.lines()
                        .filter(line -> line.matches("(one pair|2 pairs) .* JPI, JVMs .* Open MPI .*"))
                        .allMatch(line -> line.contains("ratio of JPI, JVMs ")),
                output);
    }
}
