package ayatori.pool;

import java.util.concurrent.CancellationException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.III_Result;

/**
 * One thread cancels a task, with an interrupt, while a worker takes, runs or ends it. First: runs. Second: whether the future
 * is cancelled. Third: whether the worker's next task found itself interrupted.
 */
@JCStressTest
@Outcome(id = "0, 1, 0", expect = Expect.ACCEPTABLE, desc = "cancelled before it began")
@Outcome(id = "1, 1, 0", expect = Expect.ACCEPTABLE, desc = "cancelled while it ran")
@Outcome(id = "1, 0, 0", expect = Expect.ACCEPTABLE, desc = "too late to cancel")
@State
public class CancelMeetsRun {
    private static final ReusableThreadPool POOL = ReusableThreadPool.builder()
            .maximumThreads(1)
            .threadFactory(Thread.ofPlatform().daemon().factory())
            .build();

    private final AtomicInteger runs = new AtomicInteger();
    private final TaskFuture<?> future = new TaskFuture<>(POOL, (Runnable) runs::incrementAndGet, 5, false);

    @Actor
    public void submit() {
        POOL.execute(future);
    }

    @Actor
    public void cancel() {
        future.cancel(true);
    }

    @Arbiter
    public void outcome(III_Result result) {
        result.r3 = next();
        result.r1 = runs.get();
        try {
            future.get(10, TimeUnit.SECONDS);
        } catch (CancellationException e) {
            result.r2 = 1;
        } catch (Exception e) {
            result.r2 = -1;
        }
    }

    /** The only worker runs this after the other task. */
    private static int next() {
        try {
            return POOL.submit(() -> Thread.currentThread().isInterrupted() ? 1 : 0)
                    .get(10, TimeUnit.SECONDS);
        } catch (Exception e) {
            return -1;
        }
    }
}
