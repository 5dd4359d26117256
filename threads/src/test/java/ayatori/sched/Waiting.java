package ayatori.sched;

import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** Bounded waiting for a condition. */
public final class Waiting {
    private static final long LIMIT_SECONDS = 30;

    private Waiting() {}

    public static void until(String what, Callable<Boolean> condition) {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(LIMIT_SECONDS);
        try {
            while (!condition.call()) {
                if (System.nanoTime() - end > 0) {
                    throw new AssertionError("waited " + LIMIT_SECONDS + " s for " + what);
                }
                LockSupport.parkNanos(TimeUnit.MICROSECONDS.toNanos(200));
            }
        } catch (RuntimeException e) {
            throw e;
        } catch (Exception e) {
            throw new AssertionError(what, e);
        }
    }
}
