package ayatori.bench;

import java.io.IOException;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The two million tasks of {@code bench/run tasks --short}, the million calls of {@code bench/run calls --short}, and those between
 * processes of {@code bench/run shared --short}.
 */
class StormIT {
    private static final int RUNG_OF_VM_THREAD = 25;

    @ParameterizedTest
    @ValueSource(strings = {"tasks", "calls", "shared"})
    void nothingIsLostAndEveryThreadIsBackAtItsOwnLevel(String what) throws IOException, InterruptedException {
        RealTime.assume(RUNG_OF_VM_THREAD);
        Measured.bench(
                what,
                "--short",
                "--out",
                Measured.ROOT.resolve("bench/target/storm-test").toString());
    }
}
