package ayatori.pool;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import ayatori.sched.Waiting;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

class ReusableThreadPoolTest {
    private static void untilAsleep(ReusableThreadPool pool) {
        Waiting.until("all asleep", () -> pool.statistics().running() == 0);
    }

    /** Keeps workers busy until it is opened. */
    private static final class Gate implements Runnable {
        final CountDownLatch open = new CountDownLatch(1);
        final AtomicInteger inside = new AtomicInteger();

        @Override
        public void run() {
            inside.incrementAndGet();
            try {
                open.await();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }

        void keep(ReusableThreadPool pool, int workers) {
            for (int i = 0; i < workers; i++) {
                pool.execute(this);
            }
            Waiting.until(workers + " busy workers", () -> inside.get() == workers);
        }
    }

    @Test
    void aSleepingThreadIsUsedAgainTheLastToFallAsleepFirst() throws Exception {
        try (ReusableThreadPool pool = ReusableThreadPool.builder().bias(10).build()) {
            Gate gate = new Gate();
            gate.keep(pool, 3);
            gate.open.countDown();
            untilAsleep(pool);
            Thread first = pool.submit(Thread::currentThread).get();
            for (int i = 0; i < 100; i++) {
                untilAsleep(pool);
                assertSame(first, pool.submit(Thread::currentThread).get());
            }
            PoolStatistics now = pool.statistics();
            assertEquals(3, now.started());
            assertEquals(104, now.completed());
            assertEquals(3, now.total());
        }
    }

    @Test
    void initialThreadsSleepFromTheStartAndEndWhetherTheyEverRanOrNot() throws Exception {
        List<Thread> threads = new ArrayList<>();
        ReusableThreadPool pool = ReusableThreadPool.builder()
                .initialThreads(50)
                .bias(100)
                .threadFactory(task -> {
                    threads.add(Thread.ofPlatform().unstarted(task));
                    return threads.getLast();
                })
                .build();
        PoolStatistics now = pool.statistics();
        assertEquals(50, now.total());
        assertEquals(50, now.sleeping());
        assertEquals(0, now.running());
        Waiting.until("all threads", () -> threads.stream().noneMatch(thread -> thread.getState() == Thread.State.NEW));
        pool.close();
        assertEquals(0, pool.statistics().total());
        assertTrue(pool.isTerminated());
        ReusableThreadPool unused =
                ReusableThreadPool.builder().initialThreads(50).build();
        assertEquals(7, unused.submit(() -> 7).get());
        unused.close();
        assertEquals(0, unused.statistics().total());
    }

    @Test
    void startsThreadsUpToTheMaximumAndThenQueues() throws Exception {
        try (ReusableThreadPool pool =
                ReusableThreadPool.builder().maximumThreads(2).queueCapacity(3).build()) {
            Gate gate = new Gate();
            gate.keep(pool, 2);
            List<TaskFuture<Integer>> queued = new ArrayList<>();
            for (int i = 0; i < 3; i++) {
                int number = i;
                queued.add(pool.submit(() -> number));
            }
            assertEquals(3, pool.statistics().queued());
            RejectedExecutionException rejected =
                    assertThrows(RejectedExecutionException.class, () -> pool.execute(() -> {}));
            assertTrue(String.valueOf(rejected.getMessage()).contains("3 tasks queued"), rejected.toString());
            assertTrue(queued.get(1).cancel(false));
            assertEquals(2, pool.statistics().queued());
            TaskFuture<Integer> instead = pool.submit(() -> 9);
            gate.open.countDown();
            assertEquals(0, queued.get(0).get());
            assertThrows(CancellationException.class, () -> queued.get(1).get());
            assertEquals(2, queued.get(2).get());
            assertEquals(9, instead.get());
            assertEquals(1, pool.statistics().rejected());
        }
    }

    @Test
    void theOtherWaysToReject() throws Exception {
        AtomicReference<Thread> ranIn = new AtomicReference<>();
        Gate gate = new Gate();
        try (ReusableThreadPool pool = ReusableThreadPool.builder()
                .maximumThreads(1)
                .queueCapacity(0)
                .rejection(RejectionPolicy.CALLER_RUNS)
                .build()) {
            gate.keep(pool, 1);
            pool.execute(() -> ranIn.set(Thread.currentThread()));
            assertSame(Thread.currentThread(), ranIn.get());
            assertSame(
                    Thread.currentThread(), pool.submit(Thread::currentThread).get());
            gate.open.countDown();
        }
        Gate other = new Gate();
        try (ReusableThreadPool pool = ReusableThreadPool.builder()
                .maximumThreads(1)
                .queueCapacity(2)
                .rejection(RejectionPolicy.DISCARD_LEAST)
                .build()) {
            other.keep(pool, 1);
            TaskFuture<Integer> low = pool.submit(2, () -> 1);
            TaskFuture<Integer> high = pool.submit(8, () -> 2);
            TaskFuture<Integer> middle = pool.submit(5, () -> 3);
            assertTrue(low.isCancelled());
            other.open.countDown();
            assertEquals(2, high.get());
            assertEquals(3, middle.get());
        }
    }

    @Test
    void whatTheQueueHasNoRoomForNeverMakesRoom() throws Exception {
        Gate gate = new Gate();
        try (ReusableThreadPool pool = ReusableThreadPool.builder()
                .maximumThreads(1)
                .queueCapacity(1)
                .rejection(RejectionPolicy.DISCARD)
                .build()) {
            gate.keep(pool, 1);
            TaskFuture<Integer> queued = pool.submit(() -> 1);
            TaskFuture<Integer> discarded = pool.submit(() -> 2);
            assertTrue(discarded.cancel(false));
            TaskFuture<Integer> discardedToo = pool.submit(() -> 3);
            int size = pool.statistics().queued();
            gate.open.countDown();
            assertEquals(1, size);
            assertEquals(1, queued.get());
            assertFalse(discardedToo.isDone());
        }
    }

    @Test
    void anExceptionOfATaskIsItsResultOrGoesToTheHandlerAndTheThreadGoesOn() throws Exception {
        AtomicReference<Throwable> handled = new AtomicReference<>();
        try (ReusableThreadPool pool = ReusableThreadPool.builder()
                .threadFactory(Thread.ofPlatform()
                        .uncaughtExceptionHandler((thread, thrown) -> handled.set(thrown))
                        .factory())
                .build()) {
            Thread worker = pool.submit(Thread::currentThread).get();
            untilAsleep(pool);
            ExecutionException thrown = assertThrows(
                    ExecutionException.class,
                    () -> pool.submit(() -> {
                                throw new java.io.IOException("of the task");
                            })
                            .get());
            assertInstanceOf(java.io.IOException.class, thrown.getCause());
            untilAsleep(pool);
            pool.execute(() -> {
                throw new IllegalStateException("nobody asks");
            });
            Waiting.until("the handler", () -> handled.get() instanceof IllegalStateException);
            untilAsleep(pool);
            assertSame(worker, pool.submit(Thread::currentThread).get());
        }
    }

    @Test
    void aCancelledTaskIsInterruptedAndTheNextOneIsNot() throws Exception {
        try (ReusableThreadPool pool =
                ReusableThreadPool.builder().maximumThreads(1).build()) {
            CountDownLatch begun = new CountDownLatch(1);
            AtomicReference<Boolean> interrupted = new AtomicReference<>();
            TaskFuture<?> endless = pool.submit(() -> {
                begun.countDown();
                try {
                    new CountDownLatch(1).await();
                } catch (InterruptedException e) {
                    interrupted.set(true);
                }
            });
            begun.await();
            assertTrue(endless.cancel(true));
            assertFalse(
                    pool.submit(() -> Thread.currentThread().isInterrupted()).get());
            assertEquals(true, interrupted.get());
        }
    }

    @Test
    void shutdownNowGivesBackWhatWasNeverRun() throws Exception {
        ReusableThreadPool pool = ReusableThreadPool.builder().maximumThreads(1).build();
        Gate gate = new Gate();
        gate.keep(pool, 1);
        Runnable plain = () -> {};
        pool.execute(3, plain);
        TaskFuture<Integer> future = pool.submit(9, () -> 1);
        assertEquals(List.of(future, plain), pool.shutdownNow());
        assertTrue(pool.awaitTermination(30, TimeUnit.SECONDS));
        assertThrows(RejectedExecutionException.class, () -> pool.submit(() -> 1));
        assertFalse(future.isDone());
    }

    @Test
    void aRealBurstIsDownToThePlayWithin200Tasks() throws Exception {
        try (ReusableThreadPool pool =
                ReusableThreadPool.builder().maximumThreads(64).build()) {
            Gate gate = new Gate();
            gate.keep(pool, 64);
            gate.open.countDown();
            untilAsleep(pool);
            int tasks = 0;
            while (pool.statistics().sleeping() > pool.statistics().play() && tasks < 1000) {
                pool.submit(() -> {}).get();
                untilAsleep(pool);
                tasks++;
            }
            assertTrue(tasks <= 200, "took " + tasks);
            Waiting.until(
                    "the last reclaim is counted",
                    () -> { // a moment after the thread has gone
                        PoolStatistics now = pool.statistics();
                        return now.started() - now.reclaimed() == now.total();
                    });
        }
    }

    /** Each task waits for all the others: one that is left in the queue while a thread could be had would block them all. */
    @Test
    void whatAllThreadsAreNeededForGetsThemAll() throws Exception {
        try (ReusableThreadPool pool =
                ReusableThreadPool.builder().maximumThreads(4).build()) {
            for (int round = 0; round < 5_000; round++) {
                CountDownLatch all = new CountDownLatch(4);
                Callable<Boolean> meet = () -> {
                    all.countDown();
                    return all.await(10, TimeUnit.SECONDS);
                };
                List<TaskFuture<Boolean>> tasks = new ArrayList<>();
                for (int i = 0; i < 4; i++) {
                    tasks.add(pool.submit(meet));
                }
                for (TaskFuture<Boolean> task : tasks) {
                    assertTrue(task.get(), "round " + round + ", " + pool);
                }
                // One worker is just looking for more when the next four come.
                assertEquals(0, pool.submit(() -> 0).get());
            }
        }
    }
}
