/**
 * Re-usable threads: a pool that shrinks when the load does, and runs each task at the task's priority.
 *
 * <p>{@link ayatori.pool.ReusableThreadPool} is an {@link java.util.concurrent.ExecutorService}; its futures are
 * {@link ayatori.pool.TaskFuture}s. Everything in this package but the builder may be used by many threads at once.
 */
package ayatori.pool;
