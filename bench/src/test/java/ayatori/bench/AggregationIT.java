package ayatori.bench;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

/** {@code papers/004-thread-aggregation/run --short}: two BEAMs under each of some ways, in the guest and on this host. */
class AggregationIT {
    private static final Path PAPER = Measured.ROOT.resolve("papers/004-thread-aggregation");

    private static void assertWays(List<String> ways, String word, String file)
            throws IOException, InterruptedException {
        RealTime.assume(1);
        assumeTrue(Files.exists(Path.of("/usr/bin/erlc")), "no erlc: apt-get install erlang-base");
        String output = Measured.run(PAPER.resolve("run"), word, "--short");
        List<String> kept =
                Files.readAllLines(PAPER.resolve(Measured.kept(output)).resolve(file));
        assertEquals(
                ways,
                kept.stream()
                        .skip(1)
                        .map(line -> line.split(",", -1)[2])
                        .sorted()
                        .toList(),
                output);
        assertTrue(output.contains("gained on EEVDF"), output);
    }

    @Test
    void inTheGuest() throws IOException, InterruptedException {
        assertWays(List.of("always", "eevdf", "fifo"), "guest", "aggregation-beam.csv");
    }

    @Test
    void onThisHost() throws IOException, InterruptedException {
        assertWays(List.of("eevdf", "plain", "slice"), "host", "aggregation-beam-host.csv");
    }
}
