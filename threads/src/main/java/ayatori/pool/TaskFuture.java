package ayatori.pool;

import ayatori.internal.inheritance.Carrier;
import ayatori.internal.inheritance.Inheritance;
import ayatori.internal.inheritance.Loan;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.RunnableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * A task that was given to a {@link ReusableThreadPool}, and its result. It can be polled ({@link #isDone}, {@link #getNow}),
 * awaited with and without a timeout, cancelled, and composed like any {@link CompletableFuture}; stages that are told no
 * executor run in the pool.
 *
 * <p><b>Priority.</b> The task runs at its priority. While a platform thread of higher Java priority waits for it in
 * {@code get} or {@code join}, it runs at that thread's, and so does what it waits for in turn; when the thread has its
 * result, or gives up, that is over. A virtual thread lends nothing, and who waits for a dependent stage lends nothing to
 * the task that the stage depends on.
 *
 * <p>{@link #cancel cancel(true)} interrupts the task if it runs, unlike CompletableFuture's. To complete a task by
 * {@link #complete} does not stop it. Thread-safe.
 *
 * @param <V> what the task returns
 */
public final class TaskFuture<V> extends CompletableFuture<V> implements RunnableFuture<V> {
    private static final VarHandle RUNNER;

    static {
        try {
            RUNNER = MethodHandles.lookup().findVarHandle(TaskFuture.class, "runner", Object.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    /** In place of a runner: somebody is about to interrupt it. */
    private static final Object INTERRUPTING = new Object();
    /** In place of a runner: nobody runs it any more, or will. */
    private static final Object OVER = new Object();

    private final ReusableThreadPool pool;
    private final byte priority;
    /** If the result is nobody's: an exception goes to the thread's handler. */
    private final boolean detached;
    /** What to run, a Callable or a Runnable; null once it is over. */
    private @Nullable Object work;
    /** Null while it waits, then the worker or thread that runs it, then OVER. */
    @SuppressWarnings("unused") // by RUNNER
    private volatile @Nullable Object runner;

    /** If the queue has a place for it. */
    private boolean queued;

    /** What more important threads lend to it; null as long as none has. Made by {@link Inheritance}'s leave only. */
    private volatile @Nullable Loan loan;

    /** What is lent to the task, and how that finds the worker. */
    private final class TaskLoan extends Loan {
        @Override
        protected int own() {
            return priority;
        }

        @Override
        protected @Nullable Carrier carrier() {
            return worker();
        }

        @Override
        protected boolean waits() {
            return TaskFuture.this.waits();
        }

        @Override
        protected boolean isDone() {
            return TaskFuture.this.isDone();
        }

        @Override
        protected void raiseInQueue(int level) {
            pool.queue().raise(TaskFuture.this, level);
        }

        @Override
        protected @Nullable Carrier soonestBelow(int level) {
            return pool.soonestBelow(level);
        }
    }

    TaskFuture(ReusableThreadPool pool, Object work, int priority, boolean detached) {
        this.pool = pool;
        this.work = work;
        this.priority = (byte) priority;
        this.detached = detached;
    }

    /** The Java priority that it was given, 1 to 10. */
    public int priority() {
        return priority;
    }

    /** The Java priority that it has now: its own, or that of the most important thread that waits for it. */
    public int level() {
        Loan lent = loan;
        return lent == null ? priority : Math.max(priority, lent.priority());
    }

    /** What is lent to it; null if nothing ever was. */
    @Nullable
    Loan loan() {
        return loan;
    }

    /** The same, made if need be; with the lock of {@link Inheritance} held. */
    Loan makeLoan() {
        Loan made = loan;
        if (made == null) {
            made = new TaskLoan();
            loan = made;
        }
        return made;
    }

    ReusableThreadPool pool() {
        return pool;
    }

    /** The worker that runs it, if it is one. */
    @Nullable
    Worker worker() {
        return RUNNER.getVolatile(this) instanceof Worker worker ? worker : null;
    }

    boolean waits() {
        return RUNNER.getVolatile(this) == null && !isDone();
    }

    /** Whom the task came from: what was given to execute, or the task itself. */
    Runnable given() {
        return detached && work instanceof Runnable runnable ? runnable : this;
    }

    /** The queue has made room for it, and will have it in a moment. */
    void markQueued() {
        queued = true;
    }

    /** Takes the task for a worker, or, with null, so that nobody runs it; false if somebody else has. */
    boolean claim(@Nullable Worker worker) {
        return RUNNER.getVolatile(this) == null && RUNNER.compareAndSet(this, null, worker == null ? OVER : worker);
    }

    /** Takes the task so that nobody runs it; false if somebody does. */
    boolean withdraw() {
        return claim(null);
    }

    /** Runs the task in the calling thread, unless it has been taken or is done. For a handler of rejected tasks. */
    @Override
    public void run() {
        Thread current = Thread.currentThread();
        if (!isDone() && RUNNER.compareAndSet(this, null, current)) {
            runAs(current);
        }
    }

    /** Runs the task, which the calling thread has claimed. */
    void runAs(Object claimant) {
        boolean uninterrupted = detached; // nobody has the future, to cancel it
        try {
            if (detached) {
                call();
            } else if (!isDone()) {
                uninterrupted = complete(call()); // before anybody cancelled it
            }
        } catch (Throwable t) {
            if (detached) {
                handleUncaught(Thread.currentThread(), t);
            } else {
                uninterrupted = completeExceptionally(t);
            }
        } finally {
            work = null;
            if (uninterrupted) {
                RUNNER.setRelease(this, OVER);
            } else if (!RUNNER.compareAndSet(this, claimant, OVER)) {
                awaitInterrupter();
            }
        }
    }

    /** As the JVM does when a thread ends by an exception; here the thread goes on. */
    private static void handleUncaught(Thread thread, Throwable thrown) {
        try {
            thread.getUncaughtExceptionHandler().uncaughtException(thread, thrown);
        } catch (Throwable ignored) {
            // as the JVM does
        }
    }

    @SuppressWarnings("unchecked")
    private @Nullable V call() throws Exception {
        if (work instanceof Callable<?> callable) {
            return (V) callable.call();
        }
        if (work instanceof Runnable runnable) {
            runnable.run();
        }
        return null;
    }

    /** An interrupt that is meant for this task must not meet the next one. */
    private synchronized void awaitInterrupter() {}

    /**
     * Cancels the task: it will not begin, or, if it runs and {@code mayInterrupt}, its thread is interrupted. Who waits for
     * it gets a CancellationException at once.
     */
    @Override
    public boolean cancel(boolean mayInterrupt) {
        boolean cancelled = super.cancel(mayInterrupt);
        if (cancelled) {
            if (withdraw()) {
                work = null;
                if (queued) {
                    pool.withdrawn(this);
                }
            } else if (mayInterrupt) {
                interrupt();
            }
        }
        return cancelled;
    }

    private synchronized void interrupt() {
        Object running = RUNNER.getVolatile(this);
        Thread thread = running instanceof Worker worker ? worker.thread() : running instanceof Thread t ? t : null;
        if (thread != null && RUNNER.compareAndSet(this, running, INTERRUPTING)) {
            try {
                thread.interrupt();
            } finally {
                RUNNER.setVolatile(this, OVER);
            }
        }
    }

    @Override
    public V get() throws InterruptedException, ExecutionException {
        if (isDone() || pool.spinUntil(this::isDone)) {
            return super.get();
        }
        try (var _ = Inheritance.await(priority, this::makeLoan)) {
            return super.get();
        }
    }

    @Override
    public V get(long timeout, TimeUnit unit) throws InterruptedException, ExecutionException, TimeoutException {
        if (isDone() || timeout <= 0) {
            return super.get(timeout, unit);
        }
        try (var _ = Inheritance.await(priority, this::makeLoan)) {
            return super.get(timeout, unit);
        }
    }

    @Override
    public V join() {
        if (isDone() || pool.spinUntil(this::isDone)) {
            return super.join();
        }
        try (var _ = Inheritance.await(priority, this::makeLoan)) {
            return super.join();
        }
    }

    /** Dependent stages are no tasks of their own. */
    @Override
    public <U> CompletableFuture<U> newIncompleteFuture() {
        return new Stage<>(pool);
    }

    /** The pool. */
    @Override
    public Executor defaultExecutor() {
        return pool;
    }
}
