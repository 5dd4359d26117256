package ayatori.pool;

import ayatori.sched.LinuxThread;
import ayatori.sched.Needs;
import ayatori.sched.PriorityLadder;
import ayatori.sched.Waiting;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;

/**
 * A worker goes down to a low task while a more important one is submitted: whichever comes first, the worker is raised for that,
 * or runs it first. It does not work at the low level while the other waits.
 */
class FallingWorkerTest {
    private static final int ROUNDS = 4000;
    private static final int LATEST_NANOS = 60_000;
    /** The rank of what priority 7 lends; more, where a low task has been handed over while that of priority 9 was queued. */
    private static final int RAISED = 113;

    private final AtomicInteger held = new AtomicInteger();
    private final AtomicInteger released = new AtomicInteger();
    private volatile LinuxThread worker = LinuxThread.current();

    private void hold() {
        worker = LinuxThread.current();
        int number = held.incrementAndGet();
        while (released.get() < number) {
            LockSupport.parkNanos(20_000);
        }
    }

    @Test
    void aWorkerThatGoesDownIsRaised() throws Exception {
        Needs.realTime();
        try (ReusableThreadPool pool = ReusableThreadPool.builder()
                .maximumThreads(1)
                .ladder(PriorityLadder.of(PriorityLadder.Policy.STATIC))
                .build()) {
            try {
                for (int round = 1; round <= ROUNDS; round++) {
                    int number = round;
                    Future<?> high = pool.submit(9, () -> {});
                    Future<?> low = pool.submit(2, this::hold);
                    long until =
                            System.nanoTime() + RandomGenerator.getDefault().nextInt(LATEST_NANOS);
                    while (System.nanoTime() < until) {
                        Thread.onSpinWait();
                    }
                    Future<?> middle = pool.submit(7, () -> {});
                    Waiting.until("low", () -> held.get() == number);
                    Waiting.until("raised, round " + number, () -> middle.isDone() || worker.effectiveRank() >= RAISED);
                    released.set(number);
                    high.get();
                    low.get();
                    middle.get();
                }
            } finally {
                released.set(Integer.MAX_VALUE);
            }
        }
    }
}
