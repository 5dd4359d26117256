package ayatori.bench;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code bench/run nas --short}: each kernel gets the published result, in one JVM and in two; no figures. */
class NasKernelsIT {
    private static final List<String> KERNELS = List.of("EP", "IS", "CG", "MG", "FT");

    @TempDir
    Path folder = Path.of("unset");

    @Test
    void everyKernelGetsThePublishedResult() throws IOException, InterruptedException {
        String output = Measured.bench("nas", "--short", "--out", folder.toString());
        List<String> expected = KERNELS.stream()
                .flatMap(kernel -> List.of("1," + kernel + ",S,1,2,0,true", "1," + kernel + ",S,2,1,0,true").stream())
                .toList();
        List<String> rows = Files.readAllLines(folder.resolve("nas-runs.csv")).stream()
                .skip(1)
                .map(row -> row.replaceFirst(",[^,]+,[^,]+(,\\w+)$", "$1"))
                .toList();
        assertEquals(expected, rows, output);
        assertEquals(
                expected.size(),
                output.lines()
                        .filter(line -> line.endsWith("verification passed"))
                        .count(),
                output);
    }
}
