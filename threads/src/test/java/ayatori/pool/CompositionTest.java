package ayatori.pool;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import ayatori.sched.Waiting;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The pool as an executor of CompletableFuture, and its own futures as CompletableFutures. */
class CompositionTest {
    private final ReusableThreadPool pool =
            ReusableThreadPool.builder().name("stages").maximumThreads(4).build();
    private final CountDownLatch gate = new CountDownLatch(1);

    @AfterEach
    void close() {
        gate.countDown();
        pool.close();
    }

    /** Where the calling thread is, and at which Java priority it runs. */
    private static String place() {
        Thread thread = Thread.currentThread();
        return thread.getName().replaceFirst("-\\d+$", "") + " at " + thread.getPriority();
    }

    private String placeOnceOpen() throws InterruptedException {
        gate.await();
        return place();
    }

    private String awaitGate() {
        try {
            gate.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        return place();
    }

    @Test
    void aStageGivenToThePoolRunsAtThePriorityOfWhoSubmitsIt() throws Exception {
        assertEquals(
                "stages at 5",
                CompletableFuture.supplyAsync(CompositionTest::place, pool).join());
        FutureTask<String> urgent = new FutureTask<>(() ->
                CompletableFuture.supplyAsync(CompositionTest::place, pool).join());
        Thread.ofPlatform().priority(8).start(urgent);
        assertEquals("stages at 8", urgent.get());
        assertEquals(
                "stages at 2",
                CompletableFuture.supplyAsync(CompositionTest::place, task -> pool.execute(2, task))
                        .join());
    }

    @Test
    void anAsynchronousStageThatFollowsRunsAtThePriorityOfWhatItFollows() {
        CompletableFuture<String> chain = CompletableFuture.supplyAsync(this::awaitGate, task -> pool.execute(3, task))
                .thenApplyAsync(before -> before + ", " + place(), pool)
                .thenApplyAsync(before -> before + ", " + place(), pool);
        gate.countDown();
        assertEquals("stages at 3, stages at 3, stages at 3", chain.join());
    }

    @Test
    void stagesOfATaskThatAreToldNoExecutorRunInThePoolToTheLast() throws Exception {
        TaskFuture<String> task = pool.submit(7, this::placeOnceOpen);
        CompletableFuture<String> chain = task.thenApplyAsync(before -> before + ", " + place())
                .thenCompose(before -> CompletableFuture.completedFuture(before))
                .thenApplyAsync(before -> before + ", " + place());
        gate.countDown();
        assertEquals("stages at 7, stages at 7, stages at 7", chain.get());
    }

    @Test
    void aStageThatFollowsADoneTaskIsSubmittedByWhoAddsIt() throws Exception {
        TaskFuture<String> task = pool.submit(7, CompositionTest::place);
        assertEquals("stages at 7", task.get());
        assertEquals("stages at 5", task.thenApplyAsync(before -> place()).get());
    }

    @Test
    void joinLendsAsGetDoes() throws Exception {
        TaskFuture<String> task = pool.submit(2, this::placeOnceOpen);
        FutureTask<String> urgent = new FutureTask<>(task::join);
        Thread.ofPlatform().priority(9).start(urgent);
        Waiting.until("the task at 9", () -> task.level() == 9);
        assertEquals(2, task.priority());
        gate.countDown();
        assertEquals("stages at 2", urgent.get());
        assertEquals(1, pool.statistics().raises());
        assertEquals(2, task.level());
    }

    @Test
    void whoWaitsForAStageLendsNothingToTheTask() throws Exception {
        TaskFuture<String> task = pool.submit(2, this::placeOnceOpen);
        FutureTask<String> urgent = new FutureTask<>(task.thenApply(before -> before)::join);
        Thread thread = Thread.ofPlatform().priority(9).start(urgent);
        Waiting.until("the waiter waits", () -> thread.getState() == Thread.State.WAITING);
        assertEquals(2, task.level());
        gate.countDown();
        assertEquals("stages at 2", urgent.get());
        assertEquals(0, pool.statistics().raises());
    }

    @Test
    void joinsOfManyTasksHaveAllResults() {
        CompletableFuture<?>[] tasks = new CompletableFuture<?>[100];
        for (int i = 0; i < tasks.length; i++) {
            int number = i;
            tasks[i] = pool.submit(1 + i % 10, () -> number);
        }
        CompletableFuture.allOf(tasks).join();
        for (int i = 0; i < tasks.length; i++) {
            assertEquals(i, tasks[i].join());
        }
        assertTrue(pool.statistics().total() <= 4);
    }
}
