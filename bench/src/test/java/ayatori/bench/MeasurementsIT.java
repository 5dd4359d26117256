package ayatori.bench;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Short forms of measurements: what they ran, by the kernel's account, and what they kept; no figures. */
class MeasurementsIT {
    private static final int RUNG_OF_WITNESS = 29;

    @TempDir
    Path folder = Path.of("unset");

    @BeforeEach
    void realTime() throws IOException, InterruptedException {
        RealTime.assume(RUNG_OF_WITNESS);
    }

    @Test
    void thePapersDeadlinesAreMeasuredAtTheLevelsThatTheyClaim() throws IOException, InterruptedException {
        Path paper = Measured.ROOT.resolve("papers/000-thread-priorities");
        String output = Measured.run(paper.resolve("run"), "deadline", "--short", "--jdk", newestJdk());
        assertTrue(output.contains("Strings for each of the paper's objects"), output);
        String kept = Measured.kept(output);
        List<Map<String, String>> rows = rows(paper.resolve(kept).resolve("deadline-jdk" + newestJdk() + ".csv"));
        // Both without and beside a hog, four ways, four threads.
        assertEquals(2 * 4 * 4, rows.size());
        assertEquals("[nice 0]", levels(rows, "stock-0"));
        assertEquals("[nice -1, nice -3, nice 1, nice 3]", levels(rows, "stock-1"));
        assertEquals("[RR 12, RR 16, RR 4, RR 8]", levels(rows, "naive"));
        assertEquals("[RR 12, RR 16, RR 4, RR 8]", levels(rows, "static"));
        for (Map<String, String> row : rows) {
            long missed = number(row, "missed") + number(row, "lost_to_host");
            assertTrue(missed >= 0 && missed <= number(row, "periods"), row.toString());
        }
    }

    @Test
    void hiccupsAreMeasuredInEveryWay() throws IOException, InterruptedException {
        Measured.bench("hiccup", "--short", "--jdk", newestJdk(), "--out", folder.toString());
        List<Map<String, String>> rows = rows(folder.resolve("hiccup.csv"));
        for (String hogs : List.of("same JVM", "other process")) {
            for (String way : List.of("stock", "mixed", "static")) {
                long counted = rows.stream()
                        .filter(row -> hogs.equals(row.get("hogs")) && way.equals(row.get("way")))
                        .mapToLong(row -> number(row, "count"))
                        .max()
                        .orElse(0);
                // A sleep lasts a millisecond at least; one that lasts longer counts for those that it kept from
                // beginning.
                assertTrue(counted > 0, hogs + ", " + way + ": " + counted + " sleeps");
            }
        }
    }

    private static String newestJdk() {
        return Integer.toString(Runtime.version().feature());
    }

    private static List<Map<String, String>> rows(Path csv) throws IOException {
        List<String> lines = Files.readAllLines(csv);
        String[] names = lines.getFirst().split(",", -1);
        List<Map<String, String>> rows = new ArrayList<>();
        for (String line : lines.subList(1, lines.size())) {
            Map<String, String> row = new HashMap<>();
            String[] values = line.split(",", -1);
            for (int column = 0; column < names.length; column++) {
                row.put(names[column], values[column]);
            }
            rows.add(row);
        }
        return rows;
    }

    private static String levels(List<Map<String, String>> rows, String way) {
        TreeSet<String> levels = new TreeSet<>();
        rows.stream().filter(row -> way.equals(row.get("way"))).forEach(row -> levels.add(row.get("level")));
        return levels.toString();
    }

    private static long number(Map<String, String> row, String name) {
        return Long.parseLong(row.getOrDefault(name, ""));
    }
}
