package jpi.internal.launch;

import jpi.JApplication;
import jpi.internal.launch.StartedRun.Result;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A rank ends all. */
class AbortIT extends JRunCase {
    /** Rank 1 does, the others wait for it. */
    static final class Aborts extends JApplication {
        @Override
        public void Jmain(String[] args) {
            if (JPI.COMM_WORLD.rank() == 1) {
                JPI.COMM_WORLD.abort(Integer.parseInt(args[0]));
            }
            JPI.COMM_WORLD.recv(1, 0);
        }
    }

    /** Rank 1 does, although it has finished. */
    static final class FinishesAndAborts extends JApplication {
        @Override
        public void Jmain(String[] args) {
            if (JPI.COMM_WORLD.rank() == 1) {
                JPI.setFinished(true);
                JPI.COMM_WORLD.abort(7);
            }
            JPI.COMM_WORLD.recv(1, 0);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"-np", "-nt"})
    void aRankThatHasFinishedEndsThemToo(String together) throws Exception {
        assertFailure(run(together, "2", name(FinishesAndAborts.class)), 7, "rank 1 called abort(7)");
    }

    @ParameterizedTest
    @CsvSource({"-np, 7, 7", "-nt, 256, 1"})
    void allRanksEnd(String together, String code, int shown) throws Exception {
        Result result = run(together, "3", name(Aborts.class), code);
        assertFailure(result, shown, "rank 1 called abort(" + shown + ")");
    }
}
