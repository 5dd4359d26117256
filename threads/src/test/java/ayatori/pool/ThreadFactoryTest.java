package ayatori.pool;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import ayatori.sched.Waiting;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Factories that make no thread, or one that cannot be started: nothing is lost, nothing is counted that is not there. */
class ThreadFactoryTest {
    private final CountDownLatch gate = new CountDownLatch(1);
    private final AtomicInteger calls = new AtomicInteger();

    @AfterEach
    void open() {
        gate.countDown();
    }

    /** What a factory does with its n-th call, from 1 on. */
    private interface Plan {
        @Nullable
        Thread make(int call, Runnable work);
    }

    private ThreadFactory factory(Plan plan) {
        return work -> plan.make(calls.incrementAndGet(), work);
    }

    private static Thread ended() {
        Thread thread = new Thread(() -> {});
        thread.start();
        return thread;
    }

    private void await() {
        try {
            gate.await();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    private static void assertEnds(ReusableThreadPool pool) throws InterruptedException {
        pool.shutdown();
        assertTrue(pool.awaitTermination(10, TimeUnit.SECONDS), pool::toString);
        assertEquals(0, pool.statistics().total());
    }

    @Test
    void tasksWaitForTheThreadsThatAreThereIfTheFactoryMakesNoMore() throws Exception {
        ReusableThreadPool pool = ReusableThreadPool.builder()
                .maximumThreads(100)
                .threadFactory(factory((call, work) -> call > 1 ? null : new Thread(work)))
                .build();
        CountDownLatch done = new CountDownLatch(101);
        pool.execute(() -> {
            await();
            done.countDown();
        });
        for (int i = 0; i < 100; i++) {
            pool.execute(done::countDown);
        }
        assertEquals(1, pool.statistics().total());
        assertEquals(100, pool.statistics().queued());
        gate.countDown();
        assertTrue(done.await(10, TimeUnit.SECONDS), pool::toString);
        assertEnds(pool);
    }

    @Test
    void aTaskIsRejectedIfThereIsNoThreadAndNoneCanBeHad() throws Exception {
        ReusableThreadPool pool = ReusableThreadPool.builder()
                .threadFactory(factory((call, work) -> call == 1 ? null : new Thread(work)))
                .build();
        assertThrows(RejectedExecutionException.class, () -> pool.execute(() -> {}));
        assertEquals(0, pool.statistics().total());
        assertEquals(0, pool.statistics().queued());
        assertEquals("later", pool.submit(() -> "later").get(10, TimeUnit.SECONDS));
        assertEnds(pool);
    }

    @Test
    void whoeverSubmitsIsToldThatAThreadCannotBeStarted() throws Exception {
        ReusableThreadPool pool = ReusableThreadPool.builder()
                .threadFactory(factory((call, work) -> call == 2 ? ended() : new Thread(work)))
                .build();
        pool.execute(this::await);
        assertThrows(IllegalThreadStateException.class, () -> pool.execute(() -> {}));
        assertEquals(1, pool.statistics().total());
        assertEquals("later", pool.submit(() -> "later").get(10, TimeUnit.SECONDS));
        gate.countDown();
        assertEnds(pool);
    }

    @Test
    void anInitialThreadThatCannotBeStartedTakesNoOtherWithIt() throws Exception {
        List<Thread> made = new ArrayList<>();
        ReusableThreadPool pool = ReusableThreadPool.builder()
                .initialThreads(2)
                .maximumThreads(2)
                .threadFactory(factory((call, work) -> {
                    made.add(call == 1 ? ended() : new Thread(work));
                    return made.getLast();
                }))
                .build();
        // The thread that is made last is started first, and then starts the one before it.
        Waiting.until("the first to sleep", () -> made.getLast().getState() == Thread.State.WAITING);
        CountDownLatch begun = new CountDownLatch(1);
        pool.execute(() -> {
            begun.countDown();
            await();
        });
        assertTrue(begun.await(10, TimeUnit.SECONDS), pool::toString);
        assertThrows(IllegalThreadStateException.class, () -> pool.execute(() -> {}));
        assertEquals(1, pool.statistics().total());
        assertEquals("later", pool.submit(() -> "later").get(10, TimeUnit.SECONDS));
        gate.countDown();
        assertEnds(pool);
    }

    @Test
    void aPoolWhoseInitialThreadsCannotBeMadeLeavesNoGaugesBehind() throws Exception {
        ReusableThreadPoolBuilder builder = ReusableThreadPool.builder()
                .name("leaves no gauges")
                .managed(true)
                .initialThreads(2)
                .threadFactory(factory((call, work) -> call == 2 ? null : new Thread(work)));
        assertThrows(RejectedExecutionException.class, builder::build);
        ReusableThreadPool pool = builder.build();
        assertFalse(pool.isShutdown());
        assertEnds(pool);
    }
}
