package ayatori.pool;

import java.util.concurrent.RejectedExecutionException;

/** What becomes of a task that a pool cannot take, because it is shut down, or all threads are busy and the queue is full. */
@FunctionalInterface
public interface RejectionPolicy {
    /** Throws a RejectedExecutionException. The default. */
    RejectionPolicy ABORT = (task, pool) -> {
        throw new RejectedExecutionException("task " + task + " rejected from " + pool);
    };

    /** Runs the task in the thread that submits it, unless the pool is shut down. */
    RejectionPolicy CALLER_RUNS = (task, pool) -> {
        if (!pool.isShutdown()) {
            task.run();
        }
    };

    /** Forgets the task. Its future is never done. */
    RejectionPolicy DISCARD = (task, pool) -> {};

    /** Cancels the task in the queue that would be run last, and tries again, unless the pool is shut down. */
    RejectionPolicy DISCARD_LEAST = (task, pool) -> {
        if (!pool.isShutdown()) {
            pool.discardLeast();
            pool.execute(task);
        }
    };

    /**
     * Called in the thread that submits.
     *
     * @param task what was given to execute, or the future that submit made
     */
    void reject(Runnable task, ReusableThreadPool pool);
}
