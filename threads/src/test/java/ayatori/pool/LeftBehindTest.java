package ayatori.pool;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import org.junit.jupiter.api.Test;

/** What a task does to its thread is over with the task. */
class LeftBehindTest {
    private static ReusableThreadPool one() {
        return ReusableThreadPool.builder().maximumThreads(1).build();
    }

    @Test
    @SuppressWarnings("ThreadPriorityCheck") // what a task should not do, and does
    void aPriorityThatATaskGaveItsThread() throws Exception {
        try (ReusableThreadPool pool = one()) {
            pool.submit(4, () -> Thread.currentThread().setPriority(9)).get();
            assertEquals(
                    4,
                    pool.submit(4, () -> Thread.currentThread().getPriority()).get());
        }
    }

    @Test
    void anInterruptThatATaskGaveItsThread() throws Exception {
        try (ReusableThreadPool pool = one()) {
            pool.submit(() -> Thread.currentThread().interrupt()).get();
            assertFalse(
                    pool.submit(() -> Thread.currentThread().isInterrupted()).get());
        }
    }
}
