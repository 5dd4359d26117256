package ayatori.bench;

import java.io.IOException;
import org.junit.jupiter.api.Test;

/** The two million tasks of {@code bench/run tasks --short}. */
class TaskStormIT {
    private static final int RUNG_OF_VM_THREAD = 25;

    @Test
    void noTaskIsLostAndEveryWorkerIsBackAtItsOwnLevel() throws IOException, InterruptedException {
        RealTime.assume(RUNG_OF_VM_THREAD);
        Measured.bench(
                "tasks",
                "--short",
                "--out",
                Measured.ROOT.resolve("bench/target/storm-test").toString());
    }
}
