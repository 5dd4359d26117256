package ayatori.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class BriefSpinTest {
    private final BriefSpin spin = new BriefSpin(10_000);
    private int looks;

    /** If it looks at all. */
    private boolean looksInVain() {
        looks = 0;
        assertFalse(spin.finds(() -> looks++ < 0, Deadline.FOREVER, false));
        return looks > 0;
    }

    private int waitsWithout() {
        int waits = 0;
        while (!looksInVain()) {
            waits++;
        }
        return waits;
    }

    @Test
    void itFindsWhatComes() {
        for (int i = 0; i < 100; i++) {
            looks = 0;
            assertTrue(spin.finds(() -> looks++ == 3, Deadline.FOREVER, false));
        }
    }

    @Test
    void whatIsInVainIsDoneLessAndLess() {
        assertTrue(looksInVain());
        List<Integer> without = new ArrayList<>();
        for (int i = 0; i < 7; i++) {
            without.add(waitsWithout());
        }
        assertEquals(List.of(1, 4, 16, 64, 128, 128, 128), without);
    }

    @Test
    void whatPaysAgainIsDoneMoreAndMore() {
        for (int i = 0; i < 4; i++) {
            waitsWithout();
        }
        List<Integer> without = new ArrayList<>();
        for (int i = 0; i < 8; i++) {
            int waits = 0;
            while (!spin.finds(() -> true, Deadline.FOREVER, false)) {
                waits++;
            }
            without.add(waits);
        }
        assertEquals(List.of(64, 32, 16, 8, 4, 2, 1, 0), without);
    }

    @Test
    void itHeedsADeadline() {
        assertFalse(spin.finds(() -> looks++ < 0, System.nanoTime(), false));
        assertEquals(1, looks);
    }

    @Test
    void aRealTimeThreadLooksInVainForAsLongAsItMay() {
        for (int i = 0; i < 5; ) {
            BriefSpin shortest = new BriefSpin(0);
            looks = 0;
            assertFalse(shortest.finds(() -> looks++ < 0, Deadline.FOREVER, true));
            assertTrue(looks <= 1, "no moment at all");
            i += looks; // none in a millisecond in which it sleeps
        }
    }

    @Test
    void aRealTimeThreadLooksInSomeWaitsOnly() {
        long begun = System.nanoTime();
        int found = 0;
        int waits = 0;
        for (; System.nanoTime() - begun < 20_000_000; waits++) {
            found += spin.finds(() -> true, Deadline.FOREVER, true) ? 1 : 0;
        }
        assertTrue(found > 0 && found < waits, found + " of " + waits);
    }
}
