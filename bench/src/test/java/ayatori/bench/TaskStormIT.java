package ayatori.bench;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/** The two million tasks of {@code bench/run tasks --short}. */
class TaskStormIT {
    private static final int RUNG_OF_VM_THREAD = 25;

    @Test
    void noTaskIsLostAndEveryWorkerIsBackAtItsOwnLevel() throws IOException, InterruptedException {
        RealTime.assume(RUNG_OF_VM_THREAD);
        Path root = Path.of(System.getProperty("ayatori.root"));
        Process storm = new ProcessBuilder(
                        root.resolve("bench/run").toString(),
                        "tasks",
                        "--short",
                        "--out",
                        root.resolve("bench/target/storm-test").toString())
                .redirectErrorStream(true)
                .start();
        storm.getOutputStream().close();
        String output = new String(storm.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertEquals(0, storm.waitFor(), output);
    }
}
