package jpi;

import jpi.soak.StormPlayer;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * A storm of random messages among ranks, some of which share a JVM: none is lost, doubled, corrupted, or out of order within its
 * source, tag and priority. {@code bench/run messages-soak} goes on with it for long.
 */
final class MessageSoakTest {
    private static final int ROUNDS = 4;
    private static final long SEED = 1;

    @ParameterizedTest
    @CsvSource({
        "8, 1, false, 45000",
        "8, 2, false, 10000",
        "8, 3, false, 45000",
        "4, 4, false, 20000",
        "8, 3, true, 15000",
        "8, 8, false, 10000"
    })
    void noneIsLost(int ranks, int workers, boolean virtual, int messages) {
        Ranks.Body body = handle -> {
            StormPlayer player = new StormPlayer(handle.COMM_WORLD, SEED);
            for (int round = 0; round < ROUNDS; round++) {
                player.play(messages / ROUNDS);
            }
        };
        if (virtual) {
            Ranks.runVirtualApart(ranks, workers, body);
        } else {
            Ranks.runApart(ranks, workers, body);
        }
    }
}
