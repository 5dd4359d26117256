package ayatori.pool;

import java.util.Objects;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.RejectedExecutionException;
import org.jspecify.annotations.Nullable;

/** What a virtual thread does that stands for a task of a pool: {@link ReusableThreadPool#asThreadFactory}. */
final class StandIn implements Runnable {
    private final ReusableThreadPool pool;
    private final Runnable work;
    private final int priority;

    // Guarded by this.

    /** If somebody has begun the work, or nobody is to. */
    private boolean taken;
    /** The worker's thread while it does the work. */
    private @Nullable Thread runner;

    private StandIn(ReusableThreadPool pool, Runnable work, int priority) {
        this.pool = pool;
        this.work = work;
        this.priority = priority;
    }

    /** Makes a thread; null, as thread factories do, if the pool is shut down. */
    static @Nullable Thread of(ReusableThreadPool pool, Runnable work, int priority) {
        Objects.requireNonNull(work, "work");
        return pool.isShutdown()
                ? null
                : Thread.ofVirtual().name("for " + pool.name()).unstarted(new StandIn(pool, work, priority));
    }

    @Override
    public void run() {
        TaskFuture<?> task;
        try {
            task = pool.submit(priority, this::runInPool);
        } catch (RejectedExecutionException e) {
            runHere();
            return;
        }
        while (true) {
            try {
                task.get();
                return;
            } catch (InterruptedException e) {
                if (!interruptRunner()) {
                    task.cancel(false);
                    return;
                }
            } catch (CancellationException e) { // by the pool's rejection policy
                runHere();
                return;
            } catch (ExecutionException e) {
                throw asUnchecked(e.getCause());
            }
        }
    }

    private void runInPool() {
        if (take(Thread.currentThread())) {
            try {
                work.run();
            } finally {
                synchronized (this) {
                    runner = null;
                }
            }
        }
    }

    private void runHere() {
        if (take(null)) {
            work.run();
        }
    }

    private synchronized boolean take(@Nullable Thread taker) {
        if (taken) {
            return false;
        }
        taken = true;
        runner = taker;
        return true;
    }

    /** Hands an interrupt on to the worker; false if there is none yet, and none will begin. */
    private synchronized boolean interruptRunner() {
        if (take(null)) {
            return false;
        }
        if (runner != null) {
            runner.interrupt();
        }
        return true;
    }

    /** For the thread's handler of uncaught exceptions: a Runnable throws no checked ones, but for those who sneak. */
    private static RuntimeException asUnchecked(@Nullable Throwable thrown) {
        if (thrown instanceof Error error) {
            throw error;
        }
        return thrown instanceof RuntimeException unchecked ? unchecked : new IllegalStateException(thrown);
    }
}
