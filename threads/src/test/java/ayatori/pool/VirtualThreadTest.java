package ayatori.pool;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import ayatori.sched.LinuxThread;
import ayatori.sched.Needs;
import ayatori.sched.PriorityLadder;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import org.junit.jupiter.api.Test;

/** Virtual threads as users of a pool. */
class VirtualThreadTest {
    @Test
    void aVirtualThreadIsNoWorker() {
        try (ReusableThreadPool pool = ReusableThreadPool.builder()
                .threadFactory(Thread.ofVirtual().factory())
                .build()) {
            assertThrows(IllegalStateException.class, () -> pool.execute(3, () -> {}));
            assertEquals(0, pool.statistics().total());
        }
    }

    /** It raises the worker that is to finish soonest, in a lock that only platform threads can have. */
    @Test
    void aVirtualThreadSubmitsToAPoolWhoseThreadsAreAllBusy() throws Exception {
        Needs.realTime();
        CountDownLatch gate = new CountDownLatch(1);
        ReusableThreadPool pool = ReusableThreadPool.builder()
                .maximumThreads(1)
                .ladder(PriorityLadder.of(PriorityLadder.Policy.STATIC))
                .build();
        try (pool) {
            FutureTask<LinuxThread> worker = new FutureTask<>(LinuxThread::current);
            pool.execute(3, () -> {
                worker.run();
                try {
                    gate.await();
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                }
            });
            LinuxThread thread = worker.get();
            FutureTask<TaskFuture<Integer>> submit = new FutureTask<>(() -> pool.submit(8, () -> 1));
            Thread.ofVirtual().start(submit);
            TaskFuture<Integer> urgent = submit.get();
            assertEquals(15, thread.get().staticPriority());
            gate.countDown();
            assertEquals(1, urgent.get());
        } finally {
            gate.countDown();
        }
    }
}
