package ayatori.pool;

import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;

/** A pool is shut down while a task is submitted: the task runs or is rejected, and the pool ends. Second: whether it did. */
@JCStressTest
@Outcome(id = "1, 1", expect = Expect.ACCEPTABLE, desc = "the task ran")
@Outcome(id = "0, 1", expect = Expect.ACCEPTABLE, desc = "the task was rejected")
@State
public class ShutdownMeetsSubmit {
    private final ReusableThreadPool pool = ReusableThreadPool.builder()
            .maximumThreads(1)
            .initialThreads(1)
            .threadFactory(Thread.ofPlatform().daemon().factory())
            .build();
    private volatile int ran;
    private volatile int expected = 1;

    @Actor
    public void submit() {
        try {
            pool.execute(() -> ran = 1);
        } catch (RejectedExecutionException e) {
            expected = 0;
        }
    }

    @Actor
    public void shutdown() {
        pool.shutdown();
    }

    @Arbiter
    public void ended(II_Result result) {
        try {
            result.r2 = pool.awaitTermination(10, TimeUnit.SECONDS) ? 1 : 0;
        } catch (InterruptedException e) {
            result.r2 = -1;
        }
        result.r1 = ran == expected ? ran : -1;
    }
}
