package ayatori.pool;

import ayatori.internal.inheritance.Inheritance;
import ayatori.internal.inheritance.Levels;
import ayatori.internal.inheritance.Loan;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.AbstractExecutorService;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.RunnableFuture;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Re-usable threads. A task wakes a sleeping thread, or starts a new one when none sleeps; the thread keeps the result and
 * falls asleep again, the last one to do so being the first to be woken. Threads that the load no longer needs end by
 * themselves, without a timer: {@link ReclaimingRule}. Each task runs at its own priority: {@link TaskFuture}.
 *
 * <pre>{@code
 * try (ReusableThreadPool pool = ReusableThreadPool.builder().maximumThreads(64).build()) {
 *     TaskFuture<Image> image = pool.submit(() -> render(scene));        // at the priority of this thread
 *     pool.execute(2, this::sendStatistics);                             // at Java priority 2
 *     show(image.get(20, TimeUnit.MILLISECONDS));                        // meanwhile at no less than ours
 * }
 * }</pre>
 *
 * <p><b>Kernel.</b> Java priorities mean what the agent of this process says ({@code ayatori run}); without an agent, what the
 * {@link ReusableThreadPoolBuilder#ladder} says; without that, they order the queue and nothing else.
 *
 * <p>Thread-safe. Source: H. Igarashi, M. Ida, <i>A Design and Implementation of Re-usable Thread Library on Linux</i>,
 * sections 2 and 3.
 */
public final class ReusableThreadPool extends AbstractExecutorService {
    private final String name;
    private final int initial;
    private final ReclaimingRule rule;
    private final RejectionPolicy rejection;
    private final ThreadFactory factory;
    private final Levels levels;
    private final @Nullable ThreadLocals threadLocals;
    private final @Nullable PoolBean bean;
    private final TaskQueue queue;
    private final Lookers lookers;
    private final AtomicReference<Census> census;
    private final Set<Worker> workers = ConcurrentHashMap.newKeySet();
    private final CountDownLatch terminated = new CountDownLatch(1);
    private final Tally tally;

    ReusableThreadPool(ReusableThreadPoolBuilder builder) {
        name = builder.name;
        tally = new Tally(name);
        initial = builder.initialThreads;
        rule = builder.rule;
        rejection = builder.rejection;
        factory = builder.factory();
        levels = Levels.of("pool " + name, builder.ladder);
        threadLocals = builder.clearsThreadLocals ? ThreadLocals.open() : null;
        queue = new TaskQueue(builder.queueCapacity, builder.maximumThreads == 1);
        lookers = new Lookers(!levels.inForce() && builder.queueCapacity > 0);
        census = new AtomicReference<>(Census.empty(builder.maximumThreads, builder.bias));
        bean = builder.managed ? PoolBean.register(this) : null;
        try {
            startInitialThreads();
        } catch (Throwable t) {
            if (bean != null) {
                bean.unregister();
            }
            throw t;
        }
    }

    /** They are on the stack before their threads run; each starts the next one when it has nothing better to do. */
    private void startInitialThreads() {
        Worker last = null;
        for (int i = 0; i < initial; i++) {
            Worker worker = new Worker(this, factory);
            add(worker);
            if (last != null) {
                worker.follow(last);
            }
            last = worker;
            Census now = census.get();
            Census grown = now.grown();
            census.set(grown.asleep(new Sleeper(worker, grown.top()), 0));
        }
        if (last != null) {
            last.start();
        }
    }

    /** A builder with the defaults: no initial threads, 256 at most, bias 1, a queue without bound. */
    public static ReusableThreadPoolBuilder builder() {
        return new ReusableThreadPoolBuilder();
    }

    /** Runs a task some time, at the priority of the calling thread. Its exceptions go to the thread's handler. */
    @Override
    public void execute(Runnable task) {
        execute(Thread.currentThread().getPriority(), task);
    }

    /**
     * Runs a task some time.
     *
     * @param priority Java priority, 1 to 10; that of a future which a submit of this pool made stays what it is
     */
    public void execute(int priority, Runnable task) {
        Objects.requireNonNull(task, "task");
        requirePriority(priority);
        dispatch(
                task instanceof TaskFuture<?> future && future.pool() == this
                        ? future
                        : new TaskFuture<>(this, task, priority, true));
    }

    @Override
    public <T> TaskFuture<T> submit(Callable<T> task) {
        return submit(Thread.currentThread().getPriority(), task);
    }

    /**
     * Runs a task some time.
     *
     * @param priority Java priority, 1 to 10
     */
    public <T> TaskFuture<T> submit(int priority, Callable<T> task) {
        Objects.requireNonNull(task, "task");
        requirePriority(priority);
        TaskFuture<T> future = new TaskFuture<>(this, task, priority, false);
        dispatch(future);
        return future;
    }

    @Override
    public TaskFuture<?> submit(Runnable task) {
        return submit(Thread.currentThread().getPriority(), task);
    }

    /**
     * Runs a task some time.
     *
     * @param priority Java priority, 1 to 10
     */
    public TaskFuture<?> submit(int priority, Runnable task) {
        Objects.requireNonNull(task, "task");
        requirePriority(priority);
        TaskFuture<Void> future = new TaskFuture<>(this, task, priority, false);
        dispatch(future);
        return future;
    }

    @Override
    public <T> TaskFuture<T> submit(Runnable task, T result) {
        Objects.requireNonNull(task, "task");
        return submit(() -> {
            task.run();
            return result;
        });
    }

    @Override
    protected <T> RunnableFuture<T> newTaskFor(Runnable task, T value) {
        Callable<T> callable = () -> {
            task.run();
            return value;
        };
        return newTaskFor(callable);
    }

    @Override
    protected <T> RunnableFuture<T> newTaskFor(Callable<T> task) {
        Objects.requireNonNull(task);
        return new TaskFuture<>(this, task, Thread.currentThread().getPriority(), false);
    }

    /**
     * Makes threads that do their work in the pool, for what asks for a thread factory and not for an executor, such as a
     * StructuredTaskScope. Priority: that of the thread that asks the factory for the thread.
     *
     * <p>A platform thread cannot be started a second time, and a StructuredTaskScope starts its threads in a way that no
     * subclass can change. So what the factory makes is a virtual thread that stands for a task of the pool: started, it
     * hands its work to the pool and waits until that has ended; interrupted, it interrupts the worker, or, while none has
     * begun, takes the work back. The work itself does not see the scoped values that the thread has, nor is it that thread.
     * The thread does the work itself where the pool refuses or cancels it. A pool that has been shut down makes none.
     */
    public ThreadFactory asThreadFactory() {
        return work -> StandIn.of(this, work, Thread.currentThread().getPriority());
    }

    /**
     * The same for work of one priority.
     *
     * @param priority Java priority, 1 to 10
     */
    public ThreadFactory asThreadFactory(int priority) {
        requirePriority(priority);
        return work -> StandIn.of(this, work, priority);
    }

    private static void requirePriority(int priority) {
        if (priority < Thread.MIN_PRIORITY || priority > Thread.MAX_PRIORITY) {
            throw new IllegalArgumentException("priority " + priority + " of a task: must be 1 to 10");
        }
    }

    private void dispatch(TaskFuture<?> task) {
        while (true) {
            Census now = census.get();
            Sleeper top = now.top();
            if (now.phase() != Census.Phase.RUNNING) {
                reject(task);
                return;
            }
            if ((now.allRun() || lookers.anyFor(now)) && enqueue(task, now)) {
                return;
            }
            if (top != null) {
                if (census.compareAndSet(now, now.woken(top))) {
                    wake(top.worker(), task);
                    return;
                }
            } else if (now.total() < now.maximum()) {
                if (census.compareAndSet(now, now.grown())) {
                    try {
                        grow(task);
                    } catch (RejectedExecutionException e) {
                        // The factory makes no more; those that are there will see to it.
                        if (census.get().total() == 0) {
                            throw e;
                        }
                        if (!enqueue(task, now)) {
                            reject(task);
                        }
                    }
                    return;
                }
            } else {
                reject(task);
                return;
            }
        }
    }

    /** Starts a worker that has been counted already. */
    private void grow(@Nullable TaskFuture<?> task) {
        Worker worker;
        try {
            worker = new Worker(this, factory);
        } catch (Throwable t) {
            lost();
            throw t;
        }
        add(worker);
        wake(worker, task);
    }

    /** Wakes a worker that counts as running already, for a task or to look into the queue. */
    private void wake(Worker worker, @Nullable TaskFuture<?> task) {
        try {
            if (task == null) {
                worker.look();
            } else {
                worker.hand(task);
            }
        } catch (Throwable t) {
            // Its thread cannot be started. As with ThreadPoolExecutor: "unable to create native thread", or the
            // factory's own.
            workers.remove(worker);
            lost();
            throw t;
        }
    }

    /** A worker that was counted will never run. */
    private void lost() {
        census.updateAndGet(Census::left);
        terminateIfOver();
    }

    private void add(Worker worker) {
        workers.add(worker);
        tally.started(worker, census.get().total());
    }

    /**
     * Puts a task into the queue; false if that is full.
     *
     * @param before how it was before that
     */
    @SuppressWarnings("ReferenceEquality") // the very same: nothing has happened in between
    private boolean enqueue(TaskFuture<?> task, Census before) {
        if (!queue.offer(task)) {
            return false;
        }
        boolean noneToWake = before.allRun() && census.get() == before; // all look for another task before they sleep
        if (!noneToWake || levels.inForce()) {
            enqueued(task);
        }
        return true;
    }

    private void enqueued(TaskFuture<?> task) {
        if (census.get().phase() != Census.Phase.RUNNING) {
            // Whoever was to run it may have gone.
            if (task.withdraw()) {
                queue.withdrawn();
                reject(task);
            }
            return;
        }
        boolean woken;
        try {
            woken = lookers.any() || wakeForQueue();
        } catch (Throwable t) {
            // There is no thread, and none can be had.
            if (task.withdraw()) {
                queue.withdrawn();
            }
            throw t;
        }
        if (!woken && levels.inForce() && soonestBelow(task.level()) != null) {
            Inheritance.queued(task::makeLoan);
        }
    }

    /** If tasks wait while a worker could run: sees to it that one does. False: all are busy, and there is at least one. */
    private boolean wakeForQueue() {
        while (true) {
            Census now = census.get();
            Sleeper top = now.top();
            if (top == null && now.total() == now.maximum()) {
                return false;
            }
            if (queue.isEmpty()) {
                return true;
            }
            if (top != null) {
                if (census.compareAndSet(now, now.woken(top))) {
                    return unlessLast(() -> wake(top.worker(), null));
                }
            } else if (census.compareAndSet(now, now.grown())) {
                return unlessLast(() -> grow(null));
            }
        }
    }

    /** False if the step failed while other workers, who will look into the queue, are there. */
    private boolean unlessLast(Runnable step) {
        try {
            step.run();
            return true;
        } catch (RuntimeException | Error e) {
            if (census.get().total() > 0) {
                return false;
            }
            throw e;
        }
    }

    private void reject(TaskFuture<?> task) {
        tally.rejected();
        rejection.reject(task.given(), this);
    }

    /** Looks for a task a little longer, for a worker that has found none; null if none came. */
    @Nullable
    TaskFuture<?> look(Worker worker) {
        if (isToEnd(worker) || !lookers.enter()) {
            return null;
        }
        boolean comes = Spin.until(() -> !queue.isEmpty() || isShutdown());
        lookers.leave();
        TaskFuture<?> found = comes ? take(worker) : null;
        if (found != null) {
            worker.counted = false;
        }
        return found;
    }

    /**
     * Claims a task for a worker that was awake, or woken, for whatever comes. More may have come while whoever brought them
     * relied on this one: then another is woken, which does the same.
     */
    @Nullable
    TaskFuture<?> take(Worker worker) {
        TaskFuture<?> found = queue.poll(worker);
        if (found != null && !queue.isEmpty()) {
            wakeForQueue();
        }
        return found;
    }

    /** Puts a worker that has nothing to do among the sleepers; false if it is to end. */
    boolean fallAsleep(Worker worker) {
        while (true) {
            Census now = census.get();
            if (now.phase() != Census.Phase.RUNNING) {
                if (!queue.isEmpty()) {
                    worker.look(); // nobody would wake it again
                    return true;
                }
                if (census.compareAndSet(now, now.left())) {
                    ended(worker);
                    return false;
                }
                continue;
            }
            Sleeper sleeper = new Sleeper(worker, now.top());
            Census then = worker.counted ? now.asleepAsCounted(sleeper) : rule.fallAsleep(now, sleeper);
            if (census.compareAndSet(now, then)) {
                worker.counted = false;
                boolean stays = then.sleeping() > now.sleeping();
                if (!stays) {
                    tally.reclaimed(then);
                    ended(worker);
                }
                // A task may have come into the queue after this one looked there.
                wakeForQueue();
                return stays;
            }
        }
    }

    /** The pool is over only when its last worker has done this, so that the counters are complete then. */
    private void ended(Worker worker) {
        tally.ended(worker);
        workers.remove(worker);
        terminateIfOver();
    }

    private void terminateIfOver() {
        Census now = census.get();
        if (now.phase() != Census.Phase.RUNNING && now.total() == 0 && workers.isEmpty() && queue.isEmpty()) {
            if (bean != null) {
                bean.unregister();
            }
            terminated.countDown();
        }
    }

    /**
     * Asks the rule as if the worker fell asleep, which it may yet do: one that always finds something when it looks would
     * keep all the others from ever being too many. True: there are, and it is to fall asleep, and so to end.
     */
    private boolean isToEnd(Worker worker) {
        Census now = census.get();
        if (now.row() == 0 && !now.sleepsAbovePlay()) {
            return false; // nothing would change
        }
        Census then = rule.fallAsleep(now, new Sleeper(worker, now.top()));
        if (then.total() < now.total()) {
            return true;
        }
        worker.counted = census.compareAndSet(now, then.butAwake(now));
        return false;
    }

    /** Waits for a condition for some microseconds, where that may be worthwhile. */
    boolean spinUntil(BooleanSupplier condition) {
        return lookers.allowed() && Spin.until(condition);
    }

    /** A task that was in the queue has been cancelled. */
    void withdrawn(TaskFuture<?> task) {
        queue.withdrawn();
        Inheritance.withdrawn(task.loan());
    }

    /** Forgets the task that would be run last. */
    void discardLeast() {
        queue.discardLeast();
    }

    /** The worker to be raised for a task that waits; null if there is none. */
    @Nullable
    Worker soonestBelow(int level) {
        return Inheritance.soonestBelow(level, workers);
    }

    /** {@link Worker#unheeded}. */
    @Nullable
    Loan unheeded() {
        TaskFuture<?> task = queue.firstAbove(0, one -> !Loan.isHelped(one.loan()));
        return task == null || soonestBelow(task.level()) == null ? null : task.makeLoan();
    }

    @Override
    public void shutdown() {
        advance(Census.Phase.SHUTDOWN);
    }

    @Override
    public List<Runnable> shutdownNow() {
        advance(Census.Phase.STOP);
        List<Runnable> never = new ArrayList<>();
        for (TaskFuture<?> task : queue.drain()) {
            Inheritance.withdrawn(task.loan());
            never.add(task.given());
        }
        for (Worker worker : workers) {
            worker.thread().interrupt();
        }
        terminateIfOver();
        return never;
    }

    private void advance(Census.Phase phase) {
        census.updateAndGet(now -> now.phase().compareTo(phase) < 0 ? now.in(phase) : now);
        while (true) {
            Census now = census.get();
            Sleeper top = now.top();
            if (top == null) {
                break;
            }
            if (census.compareAndSet(now, now.woken(top))) {
                Worker worker = top.worker();
                if (worker.giveUp()) {
                    census.updateAndGet(Census::left);
                    workers.remove(worker);
                } else {
                    wake(worker, null);
                }
            }
        }
        terminateIfOver();
    }

    @Override
    public boolean isShutdown() {
        return census.get().phase() != Census.Phase.RUNNING;
    }

    @Override
    public boolean isTerminated() {
        return terminated.getCount() == 0;
    }

    @Override
    public boolean awaitTermination(long timeout, TimeUnit unit) throws InterruptedException {
        return terminated.await(timeout, unit);
    }

    boolean isStopping() {
        return census.get().phase() == Census.Phase.STOP;
    }

    /** How it is at this moment. */
    public PoolStatistics statistics() {
        return tally.statistics(initial, census.get(), workers, queue.size());
    }

    /** The name, as in {@link ReusableThreadPoolBuilder#name}. */
    public String name() {
        return name;
    }

    Levels levels() {
        return levels;
    }

    TaskQueue queue() {
        return queue;
    }

    @Nullable
    ThreadLocals threadLocals() {
        return threadLocals;
    }

    Tally tally() {
        return tally;
    }

    @Override
    public String toString() {
        Census now = census.get();
        return "pool " + name + "[" + now.phase().name().toLowerCase(Locale.ROOT) + ", " + now.total() + " threads, "
                + now.sleeping() + " asleep, " + queue.size() + " tasks queued]";
    }
}
