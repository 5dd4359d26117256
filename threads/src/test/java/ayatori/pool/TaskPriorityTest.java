package ayatori.pool;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import ayatori.sched.LinuxThread;
import ayatori.sched.Needs;
import ayatori.sched.PriorityLadder;
import ayatori.sched.Waiting;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What the kernel has for workers, read back from the kernel. Under static, priority p is RR 2p, and lends RR 2p - 1. */
class TaskPriorityTest {
    private final CountDownLatch gate = new CountDownLatch(1);
    private final List<ReusableThreadPool> pools = new ArrayList<>();

    @BeforeEach
    void privileged() throws Exception {
        Needs.realTime();
    }

    @AfterEach
    void close() {
        gate.countDown();
        pools.forEach(ReusableThreadPool::close);
    }

    private ReusableThreadPool pool(int threads) {
        ReusableThreadPool pool = ReusableThreadPool.builder()
                .maximumThreads(threads)
                .ladder(PriorityLadder.of(PriorityLadder.Policy.STATIC))
                .build();
        pools.add(pool);
        return pool;
    }

    /** The real-time value of the calling thread, as the kernel has it. */
    private static int value() {
        return LinuxThread.current().get().staticPriority();
    }

    /** The value at which a task of a priority runs, while nobody waits for it. */
    private static int valueIn(ReusableThreadPool pool, int priority) {
        TaskFuture<Integer> task = pool.submit(priority, TaskPriorityTest::value);
        Waiting.until("a task of priority " + priority, task::isDone);
        return task.resultNow();
    }

    private static void untilValue(LinuxThread thread, int value) {
        Waiting.until(thread + " at RR " + value, () -> thread.get().staticPriority() == value);
    }

    /** Blocks a worker until the gate opens; gives the worker's thread. */
    private final class Blocker {
        final AtomicReference<LinuxThread> thread = new AtomicReference<>();
        final TaskFuture<Integer> task;

        Blocker(ReusableThreadPool pool, int priority) {
            task = pool.submit(priority, () -> {
                thread.set(LinuxThread.current());
                gate.await();
                return value();
            });
            Waiting.until("the blocker", () -> thread.get() != null);
        }
    }

    /** Runs a wait in a thread of a Java priority; the thread itself stays an ordinary one. */
    private static <T> FutureTask<T> waiter(int priority, TaskFuture<T> task) {
        FutureTask<T> wait = new FutureTask<>(task::get);
        Thread.ofPlatform().priority(priority).start(wait);
        return wait;
    }

    @Test
    void aTaskRunsAtThePriorityGivenWithIt() throws Exception {
        ReusableThreadPool pool = pool(1);
        assertEquals(6, valueIn(pool, 3));
        assertEquals(20, valueIn(pool, 10));
        assertEquals(2, valueIn(pool, 1));
        assertEquals(1, pool.statistics().started(), "all in one thread");
    }

    @Test
    void orAtThatOfWhoSubmitsIt() throws Exception {
        ReusableThreadPool pool = pool(2);
        assertEquals(10, pool.submit(TaskPriorityTest::value).get());
        assertEquals(
                16,
                pool.submit(8, () -> pool.submit(TaskPriorityTest::value).get()).get());
    }

    @Test
    void aSleeperIsAtTheTasksLevelBeforeItWakes() throws Exception {
        ReusableThreadPool pool = pool(1);
        LinuxThread worker = pool.submit(6, LinuxThread::current).get();
        Waiting.until("the worker asleep", () -> pool.statistics().sleeping() == 1);
        assertEquals(12, worker.get().staticPriority());
        pool.execute(9, () -> {});
        assertEquals(18, worker.get().staticPriority());
    }

    @Test
    void theQueueIsInPriorityOrder() throws Exception {
        ReusableThreadPool pool = pool(1);
        new Blocker(pool, 10);
        List<Integer> order = Collections.synchronizedList(new ArrayList<>());
        for (int priority : new int[] {2, 7, 5, 7, 9, 2}) {
            pool.execute(priority, () -> order.add(priority));
        }
        assertEquals(6, pool.statistics().queued());
        gate.countDown();
        Waiting.until("all six", () -> order.size() == 6);
        assertEquals(List.of(9, 7, 7, 5, 2, 2), order);
    }

    @Test
    void aWorkerIsRaisedForWhatWaitsAlsoWhenALoanAboveThatEnds() throws Exception {
        ReusableThreadPool pool = pool(1);
        Blocker low = new Blocker(pool, 2);
        Thread waiter = Thread.ofPlatform().priority(9).start(new FutureTask<>(low.task::get));
        untilValue(low.thread.get(), 17);
        TaskFuture<Integer> urgent = pool.submit(7, TaskPriorityTest::value);
        waiter.interrupt();
        untilValue(low.thread.get(), 13);
        urgent.cancel(false);
        untilValue(low.thread.get(), 4);
        waiter.join();
    }

    @Test
    void ofQueuedTasksTheMostImportantOneRaisesTheOnlyWorker() throws Exception {
        ReusableThreadPool pool = pool(1);
        Blocker low = new Blocker(pool, 2);
        TaskFuture<Integer> urgent = pool.submit(7, TaskPriorityTest::value);
        untilValue(low.thread.get(), 13);
        TaskFuture<Integer> more = pool.submit(9, TaskPriorityTest::value);
        untilValue(low.thread.get(), 17);
        more.cancel(false);
        untilValue(low.thread.get(), 13);
        urgent.cancel(false);
        untilValue(low.thread.get(), 4);
    }

    @Test
    void aTaskThatIsLentLessThanBeforeKeepsThatPlace() throws Exception {
        ReusableThreadPool pool = pool(1);
        new Blocker(pool, 10);
        List<Integer> order = Collections.synchronizedList(new ArrayList<>());
        TaskFuture<Boolean> low = pool.submit(2, () -> order.add(2));
        FutureTask<Boolean> nine = new FutureTask<>(low::get);
        Thread givesUp = Thread.ofPlatform().priority(9).start(nine);
        Waiting.until("nine waits", () -> low.level() == 9);
        FutureTask<Boolean> eight = new FutureTask<>(low::get);
        Thread waits = Thread.ofPlatform().priority(8).start(eight);
        Waiting.until("eight waits", () -> waits.getState() == Thread.State.WAITING);
        givesUp.interrupt();
        Waiting.until("nine gone", () -> low.level() == 8);
        TaskFuture<Boolean> middle = pool.submit(5, () -> order.add(5));
        gate.countDown();
        assertTrue(eight.get());
        Waiting.until("all", middle::isDone);
        assertEquals(List.of(2, 5), order);
    }

    @Test
    void whoWaitsForARunningTaskLendsItsPriorityUntilItIsDone() throws Exception {
        ReusableThreadPool pool = pool(1);
        Blocker low = new Blocker(pool, 2);
        FutureTask<Integer> urgent = waiter(8, low.task);
        untilValue(low.thread.get(), 15);
        FutureTask<Integer> more = waiter(9, low.task);
        untilValue(low.thread.get(), 17);
        gate.countDown();
        assertEquals(17, urgent.get());
        assertEquals(17, more.get());
        assertEquals(4, valueIn(pool, 2), "nothing is left of it");
        assertEquals(2, pool.statistics().raises());
    }

    @Test
    void aLessImportantWaiterLendsNothing() throws Exception {
        ReusableThreadPool pool = pool(1);
        Blocker high = new Blocker(pool, 7);
        FutureTask<Integer> low = waiter(3, high.task);
        gate.countDown();
        assertEquals(14, low.get());
        assertEquals(0, pool.statistics().raises());
    }

    @Test
    void aTimeoutAndAnInterruptLetGo() throws Exception {
        ReusableThreadPool pool = pool(1);
        Blocker low = new Blocker(pool, 2);
        FutureTask<Integer> impatient = new FutureTask<>(() -> {
            assertThrows(TimeoutException.class, () -> low.task.get(50, TimeUnit.MILLISECONDS));
            return low.thread.get().get().staticPriority();
        });
        Thread.ofPlatform().priority(8).start(impatient);
        assertEquals(4, impatient.get());
        assertEquals(1, pool.statistics().raises());

        FutureTask<Integer> interrupted = new FutureTask<>(low.task::get);
        Thread thread = Thread.ofPlatform().priority(9).start(interrupted);
        untilValue(low.thread.get(), 17);
        thread.interrupt();
        untilValue(low.thread.get(), 4);
    }

    @Test
    void aQueuedTaskIsRaisedInTheQueueAndTheRunningOneWithIt() throws Exception {
        ReusableThreadPool pool = pool(1);
        Blocker low = new Blocker(pool, 2);
        List<String> order = Collections.synchronizedList(new ArrayList<>());
        pool.execute(2, () -> order.add("middle"));
        TaskFuture<Boolean> wanted = pool.submit(2, () -> order.add("wanted " + value()));
        assertEquals(4, low.thread.get().get().staticPriority());
        FutureTask<Boolean> urgent = waiter(8, wanted);
        untilValue(low.thread.get(), 15);
        gate.countDown();
        assertTrue(urgent.get());
        Waiting.until("both", () -> order.size() == 2);
        assertEquals(List.of("wanted 15", "middle"), order);
        untilValue(low.thread.get(), 4);
    }

    @Test
    void aTaskThatOutranksABusyWorkerRaisesItAtSubmission() throws Exception {
        ReusableThreadPool pool = pool(2);
        Blocker two = new Blocker(pool, 2);
        Blocker four = new Blocker(pool, 4);
        TaskFuture<Integer> urgent = pool.submit(9, TaskPriorityTest::value);
        untilValue(four.thread.get(), 17);
        assertEquals(4, two.thread.get().get().staticPriority(), "one is enough");
        assertTrue(urgent.cancel(false));
        untilValue(four.thread.get(), 8);
        TaskFuture<Integer> again = pool.submit(9, TaskPriorityTest::value);
        untilValue(four.thread.get(), 17);
        gate.countDown();
        assertEquals(18, again.get());
        Waiting.until("all asleep", () -> pool.statistics().running() == 0);
        // One of them ran the urgent task and sleeps at its level; nothing is lent any more.
        int fours = four.thread.get().get().staticPriority();
        int twos = two.thread.get().get().staticPriority();
        assertTrue((fours == 18 && twos == 4) || (fours == 8 && twos == 18), fours + ", " + twos);
    }

    @Test
    void aChainOfWaitsIsRaisedAsAWhole() throws Exception {
        ReusableThreadPool lower = pool(1);
        ReusableThreadPool middle = pool(1);
        ReusableThreadPool upper = pool(1);
        Blocker bottom = new Blocker(lower, 1);
        AtomicReference<LinuxThread> first = new AtomicReference<>();
        AtomicReference<LinuxThread> second = new AtomicReference<>();
        TaskFuture<Integer> one = middle.submit(2, () -> {
            first.set(LinuxThread.current());
            return bottom.task.get();
        });
        TaskFuture<Integer> two = upper.submit(3, () -> {
            second.set(LinuxThread.current());
            return one.get();
        });
        // each lends its own first
        untilValue(bottom.thread.get(), 5);
        FutureTask<Integer> urgent = waiter(10, two);
        untilValue(bottom.thread.get(), 19);
        assertEquals(19, first.get().get().staticPriority());
        assertEquals(19, second.get().get().staticPriority());
        gate.countDown();
        assertEquals(19, urgent.get());
        untilValue(bottom.thread.get(), 2);
        untilValue(first.get(), 4);
        untilValue(second.get(), 6);
    }

    @Test
    void aChainThatLetsGoFallsBackTogether() throws Exception {
        ReusableThreadPool pool = pool(2);
        Blocker bottom = new Blocker(pool, 1);
        TaskFuture<Integer> above = pool.submit(2, () -> bottom.task.get());
        untilValue(bottom.thread.get(), 3);
        FutureTask<Integer> urgent = new FutureTask<>(above::get);
        Thread thread = Thread.ofPlatform().priority(7).start(urgent);
        untilValue(bottom.thread.get(), 13);
        thread.interrupt();
        untilValue(bottom.thread.get(), 3);
        above.cancel(true);
        untilValue(bottom.thread.get(), 2);
    }

    @Test
    void aVirtualThreadLendsNothingAndCanCancelWhatOthersRaised() throws Exception {
        ReusableThreadPool pool = pool(1);
        Blocker low = new Blocker(pool, 1);
        TaskFuture<Integer> waiting = pool.submit(6, TaskPriorityTest::value);
        untilValue(low.thread.get(), 11);
        Thread.ofVirtual().start(() -> waiting.cancel(true)).join();
        untilValue(low.thread.get(), 2);
        Thread virtual = Thread.ofVirtual().start(low.task::join);
        Waiting.until("the virtual thread waits", () -> virtual.getState() == Thread.State.WAITING);
        assertEquals(2, low.thread.get().get().staticPriority());
        gate.countDown();
        virtual.join();
    }
}
