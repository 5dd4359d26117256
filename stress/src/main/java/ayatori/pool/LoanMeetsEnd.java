package ayatori.pool;

import ayatori.internal.inheritance.Carrier;
import ayatori.internal.inheritance.Inheritance;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.IZZ_Result;

/**
 * A more important thread begins to wait for a task while that is in the queue, begins, or ends: nothing of what it lends stays
 * behind. First: the task's result. Second: if its worker is lent something afterwards. Third: if it is raised for other tasks.
 */
@JCStressTest
@Outcome(id = "7, false, false", expect = Expect.ACCEPTABLE, desc = "done, and nobody is raised any more")
@State
public class LoanMeetsEnd {
    private static final int LOW = 1; // the actors have 5

    private static final ReusableThreadPool POOL = ReusableThreadPool.builder()
            .maximumThreads(1)
            .threadFactory(Thread.ofPlatform().daemon().factory())
            .build();

    private volatile Carrier worker;
    private final TaskFuture<Integer> future = new TaskFuture<>(
            POOL,
            (Callable<Integer>) () -> {
                worker = Carrier.current();
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
        try (var _ = Inheritance.await(LOW, future::makeLoan)) {
            got = future.get(10, TimeUnit.SECONDS);
        } catch (Exception e) {
            got = -1;
        }
    }

    @Arbiter
    public void whatIsLeft(IZZ_Result result) {
        result.r1 = got;
        CountDownLatch over = new CountDownLatch(1);
        POOL.execute(
                LOW,
                () -> { // the worker has left the first task behind when it runs this
                    result.r2 = worker.level() > LOW;
                    result.r3 = worker.helps();
                    over.countDown();
                });
        try {
            over.await();
        } catch (InterruptedException e) {
            result.r1 = -2;
        }
    }
}
