package ayatori.pool;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import ayatori.sched.Waiting;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Threads that do their work in the pool. */
class StandInTest {
    private final CountDownLatch gate = new CountDownLatch(1);
    private final List<ReusableThreadPool> pools = new ArrayList<>();

    @AfterEach
    void close() {
        gate.countDown();
        pools.forEach(ReusableThreadPool::close);
    }

    private ReusableThreadPool pool(ReusableThreadPoolBuilder builder) {
        ReusableThreadPool pool = builder.name("stood-for").build();
        pools.add(pool);
        return pool;
    }

    private static void start(ThreadFactory factory, Runnable work) {
        Thread thread = factory.newThread(work);
        assertTrue(thread.isVirtual());
        assertEquals(Thread.State.NEW, thread.getState());
        thread.start();
    }

    /** A task that keeps a worker until the gate opens. */
    private void block(ReusableThreadPool pool) {
        CountDownLatch begun = new CountDownLatch(1);
        var unused = pool.submit(() -> {
            begun.countDown();
            gate.await();
            return null;
        });
        Waiting.until("the blocker", () -> begun.getCount() == 0);
    }

    @Test
    void theWorkIsDoneByAWorkerAtThePriorityOfWhoMadeTheThread() throws Exception {
        ReusableThreadPool pool = pool(ReusableThreadPool.builder());
        List<String> places = Collections.synchronizedList(new ArrayList<>());
        Runnable work = () -> places.add(Thread.currentThread().getName() + " at "
                + Thread.currentThread().getPriority());
        Thread thread = pool.asThreadFactory(8).newThread(work);
        thread.start();
        thread.join();
        Waiting.until("the worker asleep", () -> pool.statistics().sleeping() == 1);
        Thread.ofPlatform()
                .priority(3)
                .start(() -> start(pool.asThreadFactory(), work))
                .join();
        Waiting.until("both", () -> places.size() == 2);
        assertEquals(List.of("stood-for-1 at 8", "stood-for-1 at 3"), places);
        assertThrows(IllegalArgumentException.class, () -> pool.asThreadFactory(11));
    }

    @Test
    void theThreadEndsWithItsWork() throws Exception {
        ReusableThreadPool pool = pool(ReusableThreadPool.builder());
        Thread thread = pool.asThreadFactory().newThread(() -> {
            try {
                gate.await();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        });
        thread.start();
        Waiting.until("the work", () -> pool.statistics().running() == 1);
        Waiting.until("the thread waits", () -> thread.getState() == Thread.State.WAITING);
        gate.countDown();
        thread.join();
        Waiting.until("the worker asleep", () -> pool.statistics().sleeping() == 1);
    }

    @Test
    void interruptsReachTheWorkerAndNotItsNextTask() throws Exception {
        ReusableThreadPool pool = pool(ReusableThreadPool.builder().maximumThreads(1));
        CountDownLatch begun = new CountDownLatch(1);
        CountDownLatch first = new CountDownLatch(1);
        AtomicReference<@Nullable String> seen = new AtomicReference<>();
        Thread thread = pool.asThreadFactory().newThread(() -> {
            begun.countDown();
            boolean one = interruptedInWait();
            first.countDown();
            seen.set(one + " " + interruptedInWait());
        });
        thread.start();
        begun.await();
        thread.interrupt();
        first.await();
        thread.interrupt();
        thread.join();
        assertEquals("true true", seen.get());
        assertFalse(pool.submit(() -> Thread.currentThread().isInterrupted()).get());
    }

    private boolean interruptedInWait() {
        try {
            gate.await();
            return false;
        } catch (InterruptedException e) {
            return true;
        }
    }

    @Test
    void workThatNoWorkerHasBegunIsTakenBackByAnInterrupt() throws Exception {
        ReusableThreadPool pool = pool(ReusableThreadPool.builder().maximumThreads(1));
        block(pool);
        AtomicBoolean ran = new AtomicBoolean();
        Thread thread = pool.asThreadFactory().newThread(() -> ran.set(true));
        thread.start();
        Waiting.until("the work in the queue", () -> pool.statistics().queued() == 1);
        thread.interrupt();
        thread.join();
        assertEquals(0, pool.statistics().queued());
        gate.countDown();
        pool.submit(() -> {}).get();
        assertFalse(ran.get());
    }

    @Test
    void whatThePoolRefusesOrDropsIsDoneByTheThreadItself() throws Exception {
        for (RejectionPolicy policy : List.of(RejectionPolicy.ABORT, RejectionPolicy.DISCARD_LEAST)) {
            CountDownLatch held = new CountDownLatch(1);
            ReusableThreadPool pool = ReusableThreadPool.builder()
                    .maximumThreads(1)
                    .queueCapacity(1)
                    .rejection(policy)
                    .build();
            try (pool) {
                var unused = pool.submit(() -> {
                    held.await();
                    return null;
                });
                AtomicReference<@Nullable Thread> byWhom = new AtomicReference<>();
                Thread queued = pool.asThreadFactory(2).newThread(() -> byWhom.set(Thread.currentThread()));
                Thread refused = pool.asThreadFactory(3).newThread(() -> byWhom.set(Thread.currentThread()));
                queued.start();
                Waiting.until("the first in the queue", () -> pool.statistics().queued() == 1);
                refused.start();
                Thread self = policy == RejectionPolicy.ABORT ? refused : queued;
                self.join();
                assertEquals(self, byWhom.get());
                held.countDown();
                (self == queued ? refused : queued).join();
                assertFalse(byWhom.get() == self, "the other was done by a worker");
            }
        }
    }

    @Test
    void whatTheWorkThrowsIsTheThreadsUncaughtException() throws Exception {
        ReusableThreadPool pool = pool(ReusableThreadPool.builder());
        AtomicReference<@Nullable Throwable> uncaught = new AtomicReference<>();
        IllegalStateException thrown = new IllegalStateException("of the work");
        Thread thread = pool.asThreadFactory().newThread(() -> {
            throw thrown;
        });
        thread.setUncaughtExceptionHandler((of, what) -> uncaught.set(what));
        thread.start();
        thread.join();
        assertEquals(thrown, uncaught.get());
    }

    @Test
    void aPoolThatIsShutDownMakesNone() {
        ReusableThreadPool pool = pool(ReusableThreadPool.builder());
        ThreadFactory factory = pool.asThreadFactory();
        pool.shutdown();
        assertNull(factory.newThread(() -> {}));
    }
}
