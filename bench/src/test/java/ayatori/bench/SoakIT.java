package ayatori.bench;

import java.io.IOException;
import org.junit.jupiter.api.Test;

/** The half minute of {@code bench/run soak}: starts, ends, priorities and collections leave every thread where it belongs. */
class SoakIT {
    private static final int RUNG_OF_VM_THREAD = 25;

    @Test
    void everyThreadIsWhereTheLadderSaysAfterAStorm() throws IOException, InterruptedException {
        RealTime.assume(RUNG_OF_VM_THREAD);
        Measured.bench(
                "soak",
                "--short",
                "--out",
                Measured.ROOT.resolve("bench/target/soak-test").toString());
    }
}
