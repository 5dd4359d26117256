package ayatori.bench.files;

import ayatori.bench.load.PinnedWork;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** A thread of Java priority 6, between reader and backup, that computes 1 ms and sleeps half of that, in turn; or none. */
final class Middle {
    private static final int PRIORITY = 6;
    private static final long COMPUTES_NANOS = TimeUnit.MILLISECONDS.toNanos(1);
    private static final long SLEEPS_NANOS = COMPUTES_NANOS / 2;

    private final CountDownLatch begun = new CountDownLatch(1);
    private final FutureTask<Boolean> task;
    private volatile boolean enough;

    Middle(boolean wanted, int cpu) {
        task = new FutureTask<>(() -> compute(cpu));
        if (wanted) {
            Thread.ofPlatform().priority(PRIORITY).start(task);
        } else {
            enough = true;
            task.run();
        }
    }

    private boolean compute(int cpu) {
        if (!enough) {
            PinnedWork.moveTo(cpu);
        }
        begun.countDown();
        while (!enough) {
            PinnedWork.compute(COMPUTES_NANOS);
            LockSupport.parkNanos(SLEEPS_NANOS);
        }
        return true;
    }

    void awaitBegin() throws InterruptedException {
        begun.await();
    }

    void end() throws InterruptedException, ExecutionException {
        enough = true;
        task.get();
    }
}
