package jpi;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import jpi.internal.engine.Rank;
import jpi.internal.engine.Turn;
import jpi.internal.shm.Assembly;
import org.junit.jupiter.api.Test;

/** Which operation has which place. */
class TurnsTest {
    private final Turns turns = new Turns(0);

    @Test
    void thoseBeforeHaveToHaveEnded() {
        assertTrue(turns.has(1));
        assertFalse(turns.has(1 + Assembly.PLACES));
        turns.end(1);
        assertTrue(turns.has(1 + Assembly.PLACES));
        assertFalse(turns.has(1));
    }

    @Test
    void theyMayEndInAnyOrder() {
        turns.end(2 * Assembly.PLACES);
        turns.end(Assembly.PLACES);
        assertTrue(turns.has(0));
        assertFalse(turns.has(3 * Assembly.PLACES));
        turns.end(0);
        assertTrue(turns.has(3 * Assembly.PLACES));
    }

    @Test
    void whoWaitsIsTold() {
        Ranks.run(1, handle -> {
            Rank rank = Rank.current();
            assertNull(turns.of(2, rank));
            Turn turn = turns.of(2 + Assembly.PLACES, rank);
            assertNotNull(turn);
            turns.end(1);
            assertFalse(turn.isDone());
            Thread.ofPlatform().start(() -> turns.end(2));
            rank.await(turn);
            assertTrue(turn.isDone());
        });
    }

    @Test
    void numbersBeginAgain() {
        Turns late = new Turns(Integer.MAX_VALUE - Assembly.PLACES + 1);
        late.end(Integer.MAX_VALUE);
        assertTrue(late.has(Assembly.PLACES - 1));
        assertFalse(late.has(0), "the one before has not ended");
    }
}
