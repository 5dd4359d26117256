package ayatori.bench;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/** The half minute of {@code bench/run soak}: starts, ends, priorities and collections leave every thread where it belongs. */
class SoakIT {
    private static final int RUNG_OF_VM_THREAD = 25;

    @Test
    void everyThreadIsWhereTheLadderSaysAfterAStorm() throws IOException, InterruptedException {
        RealTime.assume(RUNG_OF_VM_THREAD);
        Path root = Path.of(System.getProperty("ayatori.root"));
        Process soak = new ProcessBuilder(
                        root.resolve("bench/run").toString(),
                        "soak",
                        "--short",
                        "--out",
                        root.resolve("bench/target/soak-test").toString())
                .redirectErrorStream(true)
                .start();
        soak.getOutputStream().close();
        String output = new String(soak.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertEquals(0, soak.waitFor(), output);
    }
}
