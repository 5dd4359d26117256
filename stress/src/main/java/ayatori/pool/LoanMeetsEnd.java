package ayatori.pool;

import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.III_Result;

/**
 * A more important thread begins to wait for a task while that is in the queue, begins, or ends: nothing of what it lends stays
 * behind. First: the task's result. Second: what its worker is lent afterwards. Third: how many tasks it is raised for.
 */
@JCStressTest
@Outcome(id = "7, 0, 0", expect = Expect.ACCEPTABLE, desc = "done, and nobody is raised any more")
@State
public class LoanMeetsEnd {
    private static final int LOW = 1; // the actors have 5

    private static final ReusableThreadPool POOL = ReusableThreadPool.builder()
            .maximumThreads(1)
            .threadFactory(Thread.ofPlatform().daemon().factory())
            .build();

    private volatile Worker worker;
    private final TaskFuture<Integer> future = new TaskFuture<>(
            POOL,
            (Callable<Integer>) () -> {
                worker = Worker.current();
                return 7;
            },
            LOW,
            false);
    private volatile int got;

    @Actor
    public void submit() {
        POOL.execute(future);
    }

    @Actor
    public void await() {
        Inheritance.Wait wait = Inheritance.await(future);
        try {
            got = future.get(10, TimeUnit.SECONDS);
        } catch (Exception e) {
            got = -1;
        } finally {
            Inheritance.end(wait);
        }
    }

    @Arbiter
    public void whatIsLeft(III_Result result) {
        result.r1 = got;
        try {
            // The worker has left the first task behind when it runs this.
            POOL.submit(Thread.NORM_PRIORITY, () -> 0).get(10, TimeUnit.SECONDS);
        } catch (Exception e) {
            result.r1 = -2;
        }
        result.r2 = worker.lent;
        result.r3 = worker.helped.size();
    }
}
