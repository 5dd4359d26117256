package ayatori.pool;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** How pools end. */
class PoolShutdownTest {
    @Test
    void shutdownNowInterruptsTasksThatAreJustAboutToBegin() throws Exception {
        for (int i = 0; i < 1_000; i++) {
            ReusableThreadPool pool =
                    ReusableThreadPool.builder().maximumThreads(1).build();
            CountDownLatch never = new CountDownLatch(1);
            pool.execute(() -> assertThrows(InterruptedException.class, never::await));
            // at another moment each time
            for (int spins = 4 * i; spins > 0; spins--) {
                Thread.onSpinWait();
            }
            pool.shutdownNow();
            assertTrue(pool.awaitTermination(10, TimeUnit.SECONDS), "shutdown " + i + ": " + pool);
        }
    }

    @Test
    void allTasksAreCountedOnceThePoolHasEnded() throws Exception {
        for (int i = 0; i < 1_000; i++) {
            ReusableThreadPool pool =
                    ReusableThreadPool.builder().maximumThreads(4).build();
            for (int task = 0; task < 4; task++) {
                pool.execute(() -> {});
            }
            pool.shutdown();
            assertTrue(pool.awaitTermination(10, TimeUnit.SECONDS), pool::toString);
            assertEquals(4, pool.statistics().completed(), "shutdown " + i);
        }
    }
}
