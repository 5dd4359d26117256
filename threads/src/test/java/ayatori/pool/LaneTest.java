package ayatori.pool;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import ayatori.sched.Waiting;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;

/** Where tasks wait: one lane, and which of several a worker serves. */
class LaneTest {
    private static final int PRIORITY = 5;
    /** More than the three smallest segments hold. */
    private static final int MANY = 1000;

    private static final ReusableThreadPool POOL = ReusableThreadPool.builder().build();

    /** A task that knows where it stands in the order of its submitter. */
    private record Numbered(int submitter, int number) implements Runnable {
        @Override
        public void run() {}
    }

    @AfterAll
    static void close() {
        POOL.close();
    }

    private static TaskFuture<?> task() {
        return new TaskFuture<>(POOL, (Runnable) () -> {}, PRIORITY, false);
    }

    private static TaskFuture<?> task(int submitter, int number) {
        return new TaskFuture<>(POOL, new Numbered(submitter, number), PRIORITY, true);
    }

    @Test
    void tasksComeOutInTheOrderInWhichTheyCameIn() {
        Lane lane = new Lane(PRIORITY);
        Lane.Place place = new Lane.Place();
        List<TaskFuture<?>> in = new ArrayList<>();
        List<TaskFuture<?>> out = new ArrayList<>();
        for (int i = 0; i < MANY; i++) {
            TaskFuture<?> task = task();
            in.add(task);
            assertTrue(lane.offer(task), "nobody else is there");
            if (i % 3 == 0) {
                out.add(lane.poll(null, place, true));
            }
        }
        List<TaskFuture<?>> seen = new ArrayList<>();
        assertNull(lane.find(task -> !seen.add(task)), "shown all, and none was right");
        assertEquals(in.subList(out.size(), MANY), seen);
        assertSame(seen.get(1), lane.find(task -> task != seen.get(0)), "the first that is right");
        while (!lane.isEmpty()) {
            out.add(lane.poll(null, place, true));
        }
        assertEquals(in, out);
        assertNull(lane.poll(null, place, true));
        assertNull(lane.poll(null, new Lane.Place(), true), "nor for who comes new");
    }

    @Test
    void whatHasBeenTakenElsewhereOrIsNoLongerRaisedIsLeftOut() {
        Lane lane = new Lane(PRIORITY);
        TaskFuture<?> cancelled = task();
        TaskFuture<?> last = task();
        lane.offer(cancelled);
        lane.offer(last);
        cancelled.cancel(false);
        assertEquals(last, lane.poll(null, new Lane.Place(), false));
        TaskFuture<?> lowered = task();
        Lane higher = new Lane(PRIORITY + 1);
        higher.offer(lowered);
        assertNull(higher.poll(null, new Lane.Place(), true));
        assertTrue(higher.isEmpty());
        assertTrue(lowered.waits(), "in the lane of its own priority");
    }

    @Test
    void eachTaskIsTakenOnceAndEachSubmittersInOrder() throws Exception {
        int submitters = 3;
        int tasks = 100_000;
        Lane lane = new Lane(PRIORITY);
        AtomicInteger submitting = new AtomicInteger(submitters);
        List<FutureTask<Integer>> takers = new ArrayList<>();
        for (int i = 0; i < 2; i++) {
            takers.add(new FutureTask<>(() -> {
                int[] last = {-1, -1, -1};
                int taken = 0;
                Lane.Place place = new Lane.Place();
                while (true) {
                    boolean over = submitting.get() == 0;
                    TaskFuture<?> task = lane.poll(null, place, true);
                    if (task != null) {
                        Numbered numbered = (Numbered) task.given();
                        assertTrue(last[numbered.submitter()] < numbered.number());
                        last[numbered.submitter()] = numbered.number();
                        taken++;
                    } else if (over) {
                        return taken;
                    }
                }
            }));
            Thread.ofPlatform().start(takers.getLast());
        }
        for (int i = 0; i < submitters; i++) {
            int submitter = i;
            Thread.ofPlatform().start(() -> {
                for (int number = 0; number < tasks; number++) {
                    lane.offer(task(submitter, number));
                }
                submitting.decrementAndGet();
            });
        }
        assertEquals(submitters * tasks, takers.get(0).get() + takers.get(1).get());
        assertTrue(lane.isEmpty());
    }

    /** Submitters that have met get lanes of their own, but not those of a pool of one thread. */
    @Test
    void onePoolThreadRunsEqualTasksInTheirOrderWhoeverSubmits() throws Exception {
        ConcurrentLinkedQueue<Integer> ran = new ConcurrentLinkedQueue<>();
        try (ReusableThreadPool pool =
                ReusableThreadPool.builder().maximumThreads(1).build()) {
            CountDownLatch gate = new CountDownLatch(1);
            pool.execute(() -> awaitUninterrupted(gate));
            List<Thread> flood = new ArrayList<>();
            for (int i = 0; i < 4; i++) {
                flood.add(Thread.ofPlatform().start(() -> {
                    for (int j = 0; j < 10_000; j++) {
                        pool.execute(() -> {});
                    }
                }));
            }
            for (Thread thread : flood) {
                thread.join();
            }
            for (int i = 0; i < 100; i++) { // by a hundred threads, one after the other
                int number = i;
                Thread.ofPlatform()
                        .start(() -> pool.execute(() -> ran.add(number)))
                        .join();
            }
            gate.countDown();
        }
        List<Integer> inOrder = new ArrayList<>();
        for (int i = 0; i < 100; i++) {
            inOrder.add(i);
        }
        assertEquals(inOrder, List.copyOf(ran));
    }

    private static void awaitUninterrupted(CountDownLatch gate) {
        try {
            gate.await();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    void aWorkerLeavesALaneThatIsNeverEmpty() {
        Turn turn = new Turn();
        turn.taken(3, 8);
        assertEquals(3, turn.lane());
        Waiting.until("the next lane", () -> {
            turn.taken(3, 8);
            return turn.lane() == 4;
        });
    }
}
