package ayatori.bench;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code bench/run messages-soak --short}: random messages between real JVMs; none lost, doubled, mixed up or out of order. */
class MessageSoakIT {
    /** JVMs of the four runs. */
    private static final int JVMS = 3 + 1 + 4 + 3;

    private static final int ROUNDS = 4;

    @TempDir
    Path folder = Path.of("unset");

    @Test
    void noMessageIsLostAndNoHeapGrows() throws IOException, InterruptedException {
        String output = Measured.bench("messages-soak", "--short", "--out", folder.toString());
        List<String> rows = Files.readAllLines(folder.resolve("messages-soak.csv"));
        assertEquals(
                JVMS * ROUNDS,
                rows.stream().filter(row -> row.contains(",heap,")).count(),
                output);
        assertTrue(rows.contains("8 ranks in 3 JVMs,count,messages,4,24000"), output);
    }
}
