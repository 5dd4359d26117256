package ayatori.tck;

import ayatori.pool.PoolStatistics;
import ayatori.pool.RejectionPolicy;
import ayatori.pool.ReusableThreadPool;
import ayatori.pool.ReusableThreadPoolBuilder;
import java.util.AbstractQueue;
import java.util.Collection;
import java.util.Iterator;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.AbstractExecutorService;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The shim by which the TCK's tests of java.util.concurrent.ThreadPoolExecutor run against a {@link ReusableThreadPool}: it
 * has the constructors and methods that those tests call, hands each call to the pool, and rewords the builder's exceptions.
 * It does no work of the pool's. What the pool has no counterpart of throws an UnsupportedOperationException, so that a test
 * of it can but fail, or be excluded with a reason.
 *
 * <ul>
 *   <li>maximumPoolSize: maximum threads. corePoolSize: checked as the number of initial threads; the pool begins with that
 *       many if {@code ayatori.tck.initial=core}, else with none, as a ThreadPoolExecutor does.
 *   <li>workQueue: its capacity is the pool's queue capacity; the queue itself is not used.
 *   <li>keepAliveTime: not used; the reclaiming rule ends threads.
 *   <li>handlers: rejection policies.
 * </ul>
 */
public class ThreadPoolExecutor extends AbstractExecutorService {
    private static final boolean CORE_IS_INITIAL = "core".equals(System.getProperty("ayatori.tck.initial"));

    private static final AtomicLong USES = new AtomicLong();

    private final ReusableThreadPool pool;
    private final WaitingTasks waiting;
    private final boolean makesFutures;
    private volatile ThreadFactory factory;
    private volatile RejectedExecutionHandler handler;

    public ThreadPoolExecutor(int core, int maximum, long keepAlive, TimeUnit unit, BlockingQueue<Runnable> queue) {
        this(core, maximum, queue, null, false, new AbortPolicy());
    }

    public ThreadPoolExecutor(
            int core,
            int maximum,
            long keepAlive,
            TimeUnit unit,
            BlockingQueue<Runnable> queue,
            ThreadFactory factory) {
        this(core, maximum, queue, factory, true, new AbortPolicy());
    }

    public ThreadPoolExecutor(
            int core,
            int maximum,
            long keepAlive,
            TimeUnit unit,
            BlockingQueue<Runnable> queue,
            RejectedExecutionHandler handler) {
        this(core, maximum, queue, null, false, handler);
    }

    public ThreadPoolExecutor(
            int core,
            int maximum,
            long keepAlive,
            TimeUnit unit,
            BlockingQueue<Runnable> queue,
            ThreadFactory factory,
            RejectedExecutionHandler handler) {
        this(core, maximum, queue, factory, true, handler);
    }

    private ThreadPoolExecutor(
            int core,
            int maximum,
            BlockingQueue<Runnable> queue,
            ThreadFactory givenFactory,
            boolean hasFactory,
            RejectedExecutionHandler givenHandler) {
        used();
        ReusableThreadPoolBuilder builder = ReusableThreadPool.builder();
        reworded("corePoolSize must be non-negative", () -> builder.initialThreads(core));
        reworded("maximumPoolSize must be positive", () -> builder.maximumThreads(maximum));
        if (core <= maximum && !CORE_IS_INITIAL) {
            builder.initialThreads(0);
        }
        int capacity = Objects.requireNonNull(queue, "workQueue").remainingCapacity();
        builder.queueCapacity(capacity);
        handler = givenHandler;
        if (hasFactory) {
            factory = givenFactory;
            reworded(
                    "threadFactory",
                    () -> builder.threadFactory(givenFactory == null ? null : task -> factory.newThread(task)));
        }
        RejectionPolicy policy = (task, pool) -> handler.rejectedExecution(task, this);
        reworded("handler", () -> builder.rejection(givenHandler == null ? null : policy));
        pool = reworded("maximumPoolSize must be greater than or equal to corePoolSize", builder::build);
        waiting = new WaitingTasks(pool, capacity);
        makesFutures = makesFutures(getClass());
    }

    /** How many times a test has called this class. */
    static long uses() {
        return USES.get();
    }

    static void used() {
        USES.incrementAndGet();
    }

    private interface Step<T> {
        T take();
    }

    /** What the builder refuses the builder must refuse, though the words are ThreadPoolExecutor's. */
    private static <T> T reworded(String message, Step<T> step) {
        try {
            return step.take();
        } catch (IllegalThreadStateException e) {
            throw e; // an initial thread cannot be started
        } catch (IllegalArgumentException | IllegalStateException e) {
            throw new IllegalArgumentException(message, e);
        } catch (NullPointerException e) {
            throw new NullPointerException(message);
        }
    }

    /** If a subclass makes its futures itself. */
    private static boolean makesFutures(Class<?> type) {
        for (Class<?> c = type; c != ThreadPoolExecutor.class; c = c.getSuperclass()) {
            try {
                c.getDeclaredMethod("newTaskFor", Callable.class);
                return true;
            } catch (NoSuchMethodException e) {
                continue;
            }
        }
        return false;
    }

    private ReusableThreadPool pool() {
        used();
        return pool;
    }

    private PoolStatistics statistics() {
        return pool().statistics();
    }

    private static UnsupportedOperationException none(String what) {
        return new UnsupportedOperationException("a ReusableThreadPool has no " + what);
    }

    @Override
    public void execute(Runnable task) {
        pool().execute(task);
    }

    @Override
    public Future<?> submit(Runnable task) {
        return makesFutures ? super.submit(task) : pool().submit(task);
    }

    @Override
    public <T> Future<T> submit(Runnable task, T result) {
        return makesFutures ? super.submit(task, result) : pool().submit(task, result);
    }

    @Override
    public <T> Future<T> submit(Callable<T> task) {
        return makesFutures ? super.submit(task) : pool().submit(task);
    }

    @Override
    public <T> T invokeAny(Collection<? extends Callable<T>> tasks) throws InterruptedException, ExecutionException {
        return makesFutures ? super.invokeAny(tasks) : pool().invokeAny(tasks);
    }

    @Override
    public <T> T invokeAny(Collection<? extends Callable<T>> tasks, long timeout, TimeUnit unit)
            throws InterruptedException, ExecutionException, TimeoutException {
        return makesFutures ? super.invokeAny(tasks, timeout, unit) : pool().invokeAny(tasks, timeout, unit);
    }

    @Override
    public <T> List<Future<T>> invokeAll(Collection<? extends Callable<T>> tasks) throws InterruptedException {
        return makesFutures ? super.invokeAll(tasks) : pool().invokeAll(tasks);
    }

    @Override
    public <T> List<Future<T>> invokeAll(Collection<? extends Callable<T>> tasks, long timeout, TimeUnit unit)
            throws InterruptedException {
        return makesFutures ? super.invokeAll(tasks, timeout, unit) : pool().invokeAll(tasks, timeout, unit);
    }

    @Override
    public void shutdown() {
        pool().shutdown();
    }

    @Override
    public List<Runnable> shutdownNow() {
        return pool().shutdownNow();
    }

    @Override
    public boolean isShutdown() {
        return pool().isShutdown();
    }

    public boolean isTerminating() {
        return pool().isShutdown() && !pool().isTerminated();
    }

    @Override
    public boolean isTerminated() {
        return pool().isTerminated();
    }

    @Override
    public boolean awaitTermination(long timeout, TimeUnit unit) throws InterruptedException {
        return pool().awaitTermination(timeout, unit);
    }

    public int getPoolSize() {
        return statistics().total();
    }

    public int getActiveCount() {
        return statistics().running();
    }

    public int getMaximumPoolSize() {
        return statistics().maximum();
    }

    public long getCompletedTaskCount() {
        return statistics().completed();
    }

    public long getTaskCount() {
        PoolStatistics now = statistics();
        return now.completed() + now.running() + now.queued();
    }

    public BlockingQueue<Runnable> getQueue() {
        used();
        return waiting;
    }

    public void setThreadFactory(ThreadFactory newFactory) {
        throw none("thread factory that can be changed");
    }

    public ThreadFactory getThreadFactory() {
        throw none("getter of its thread factory");
    }

    /** The pool has one policy for its life; the one that this shim gives it asks here which handler is meant. */
    public void setRejectedExecutionHandler(RejectedExecutionHandler newHandler) {
        handler = Objects.requireNonNull(newHandler, "handler");
    }

    public RejectedExecutionHandler getRejectedExecutionHandler() {
        return handler;
    }

    public int getCorePoolSize() {
        throw none("core size");
    }

    public void setCorePoolSize(int core) {
        throw none("core size");
    }

    public boolean prestartCoreThread() {
        throw none("core size");
    }

    public int prestartAllCoreThreads() {
        throw none("core size");
    }

    public int getLargestPoolSize() {
        throw none("record of its largest size");
    }

    public void setMaximumPoolSize(int maximum) {
        throw none("maximum that can be changed");
    }

    public long getKeepAliveTime(TimeUnit unit) {
        throw none("keep-alive time");
    }

    public void setKeepAliveTime(long time, TimeUnit unit) {
        throw none("keep-alive time");
    }

    public boolean allowsCoreThreadTimeOut() {
        throw none("keep-alive time");
    }

    public void allowCoreThreadTimeOut(boolean allowed) {
        if (allowed) {
            throw none("keep-alive time");
        }
    }

    public boolean remove(Runnable task) {
        throw none("remove");
    }

    public void purge() {
        throw none("purge");
    }

    /** For subclasses to override; the pool has no such hook. */
    protected void beforeExecute(Thread thread, Runnable task) {}

    /** For subclasses to override; the pool has no such hook. */
    protected void afterExecute(Runnable task, Throwable thrown) {}

    /** For subclasses to override; the pool has no such hook. */
    protected void terminated() {}

    /** For subclasses to override and to call, as ThreadPoolExecutor's does nothing. */
    @Override
    @Deprecated
    @SuppressWarnings("removal")
    protected void finalize() {}

    @Override
    public String toString() {
        return pool.toString();
    }

    /** The pool's queue, as far as the pool tells of it. */
    private static final class WaitingTasks extends AbstractQueue<Runnable> implements BlockingQueue<Runnable> {
        private final ReusableThreadPool pool;
        private final int capacity;

        WaitingTasks(ReusableThreadPool pool, int capacity) {
            this.pool = pool;
            this.capacity = capacity;
        }

        @Override
        public int size() {
            return pool.statistics().queued();
        }

        @Override
        public int remainingCapacity() {
            return capacity - size();
        }

        @Override
        public Iterator<Runnable> iterator() {
            throw none("view of the tasks in its queue");
        }

        @Override
        public boolean offer(Runnable task) {
            throw none("view of the tasks in its queue");
        }

        @Override
        public boolean offer(Runnable task, long timeout, TimeUnit unit) {
            throw none("view of the tasks in its queue");
        }

        @Override
        public void put(Runnable task) {
            throw none("view of the tasks in its queue");
        }

        @Override
        public Runnable take() {
            throw none("view of the tasks in its queue");
        }

        @Override
        public Runnable poll() {
            throw none("view of the tasks in its queue");
        }

        @Override
        public Runnable poll(long timeout, TimeUnit unit) {
            throw none("view of the tasks in its queue");
        }

        @Override
        public Runnable peek() {
            throw none("view of the tasks in its queue");
        }

        @Override
        public int drainTo(Collection<? super Runnable> target) {
            throw none("view of the tasks in its queue");
        }

        @Override
        public int drainTo(Collection<? super Runnable> target, int maximum) {
            throw none("view of the tasks in its queue");
        }
    }

    /** A policy of the pool as a handler. */
    private abstract static class Policy implements RejectedExecutionHandler {
        private final RejectionPolicy policy;

        Policy(RejectionPolicy policy) {
            this.policy = policy;
        }

        @Override
        public void rejectedExecution(Runnable task, ThreadPoolExecutor executor) {
            policy.reject(task, executor.pool());
        }
    }

    /** {@link RejectionPolicy#ABORT}. */
    public static class AbortPolicy extends Policy {
        public AbortPolicy() {
            super(RejectionPolicy.ABORT);
        }
    }

    /** {@link RejectionPolicy#CALLER_RUNS}. */
    public static class CallerRunsPolicy extends Policy {
        public CallerRunsPolicy() {
            super(RejectionPolicy.CALLER_RUNS);
        }
    }

    /** {@link RejectionPolicy#DISCARD}. */
    public static class DiscardPolicy extends Policy {
        public DiscardPolicy() {
            super(RejectionPolicy.DISCARD);
        }
    }

    /** {@link RejectionPolicy#DISCARD_LEAST}: among equals the youngest goes, not the oldest. */
    public static class DiscardOldestPolicy extends Policy {
        public DiscardOldestPolicy() {
            super(RejectionPolicy.DISCARD_LEAST);
        }
    }
}
