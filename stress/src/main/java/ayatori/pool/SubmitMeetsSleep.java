package ayatori.pool;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;

/** Two threads submit while the only worker falls asleep, wakes, or is just ending: both tasks run, once each. */
@JCStressTest
@Outcome(id = "1, 1", expect = Expect.ACCEPTABLE, desc = "each task ran once")
@State
public class SubmitMeetsSleep {
    private static final ReusableThreadPool POOL = ReusableThreadPool.builder()
            .maximumThreads(1)
            .threadFactory(Thread.ofPlatform().daemon().factory())
            .build();

    private final Runs one = new Runs();
    private final Runs two = new Runs();

    @Actor
    public void first() {
        one.future = POOL.submit(one);
    }

    @Actor
    public void second() {
        two.future = POOL.submit(two);
    }

    @Arbiter
    public void whatRan(II_Result result) {
        result.r1 = one.whenDone();
        result.r2 = two.whenDone();
    }

    /** Counts. */
    static final class Runs implements Runnable {
        final AtomicInteger runs = new AtomicInteger();
        volatile TaskFuture<?> future;

        @Override
        public void run() {
            runs.incrementAndGet();
        }

        int whenDone() {
            try {
                future.get(10, TimeUnit.SECONDS);
                return runs.get();
            } catch (TimeoutException e) {
                return -1; // lost
            } catch (Exception e) {
                return -2;
            }
        }
    }
}
