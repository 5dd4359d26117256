package ayatori.internal.shm;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import org.junit.jupiter.api.Test;

/** What clients can tell of whoever their bell will wake. */
class ServerPageTest {
    private static ServerPage page(int realTimeFrom, int... sleeping) throws IOException {
        ServerPage page = ServerPage.create("sleepers", ServerPage.RAISES, realTimeFrom);
        page.closeDescriptor();
        for (int priority : sleeping) {
            page.addSleeping(priority, 1);
        }
        return page;
    }

    private static void assertReadyUpTo(int highest, ServerPage page) {
        for (int priority = Thread.MIN_PRIORITY; priority <= Thread.MAX_PRIORITY; priority++) {
            assertEquals(priority <= highest, page.isReady(priority), "priority " + priority);
        }
    }

    @Test
    void ofRealTimeThreadsTheHighestCounts() throws Exception {
        assertReadyUpTo(8, page(1, 2, 8, 5));
        assertReadyUpTo(6, page(6, 2, 6));
    }

    @Test
    void ofOrdinaryThreadsTheLowest() throws Exception {
        assertReadyUpTo(2, page(Thread.MAX_PRIORITY + 1, 2, 8, 5));
        assertReadyUpTo(3, page(6, 3, 5));
    }

    @Test
    void whereNobodySleepsNobodyIsReady() throws Exception {
        ServerPage page = page(1);
        assertReadyUpTo(0, page);
        assertFalse(page.isAnySleeping());
        page.addSleeping(10, 1);
        assertTrue(page.isAnySleeping());
        page.addSleeping(10, -1);
        assertFalse(page.isAnySleeping());
        assertReadyUpTo(0, page);
    }
}
