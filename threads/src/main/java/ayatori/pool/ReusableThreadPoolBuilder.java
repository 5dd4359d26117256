package ayatori.pool;

import ayatori.sched.PriorityLadder;
import java.util.Objects;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** Settings of a {@link ReusableThreadPool}. Not thread-safe. */
public final class ReusableThreadPoolBuilder {
    private static final AtomicInteger NUMBER = new AtomicInteger();

    String name = "pool-" + NUMBER.incrementAndGet();
    int initialThreads;
    int maximumThreads = 256;
    int bias = 1;
    ReclaimingRule rule = ReclaimingRule.CONVERGING;
    int queueCapacity = Integer.MAX_VALUE;
    RejectionPolicy rejection = RejectionPolicy.ABORT;
    boolean clearsThreadLocals;
    boolean managed;

    @Nullable
    ThreadFactory factory;

    @Nullable
    PriorityLadder ladder;

    ReusableThreadPoolBuilder() {}

    /** Names the pool, in messages, flight recordings and JMX, and its threads: NAME-1, NAME-2 … The default is pool-N. */
    public ReusableThreadPoolBuilder name(String newName) {
        name = Objects.requireNonNull(newName, "name");
        return this;
    }

    /** Threads that the pool begins with, asleep; at most the maximum. The default is 0. */
    public ReusableThreadPoolBuilder initialThreads(int threads) {
        if (threads < 0) {
            throw new IllegalArgumentException("initial threads " + threads + ": must not be negative");
        }
        initialThreads = threads;
        return this;
    }

    /** Threads at most, 1 or more. The default is 256. */
    public ReusableThreadPoolBuilder maximumThreads(int threads) {
        if (threads < 1) {
            throw new IllegalArgumentException("maximum threads " + threads + ": must be 1 or more");
        }
        maximumThreads = threads;
        return this;
    }

    /** The constant part of the play, 1 or more: threads that may sleep, however few there are. The default is 1. */
    public ReusableThreadPoolBuilder bias(int threads) {
        if (threads < 1) {
            throw new IllegalArgumentException("bias " + threads + ": must be 1 or more");
        }
        bias = threads;
        return this;
    }

    /** When threads end that the load no longer needs. The default is {@link ReclaimingRule#CONVERGING}. */
    public ReusableThreadPoolBuilder reclaiming(ReclaimingRule newRule) {
        rule = Objects.requireNonNull(newRule, "rule");
        return this;
    }

    /**
     * How many tasks may wait while the maximum of threads is busy, the most important first. 0: none, a task is rejected then.
     * The default is Integer.MAX_VALUE: without bound.
     */
    public ReusableThreadPoolBuilder queueCapacity(int tasks) {
        if (tasks < 0) {
            throw new IllegalArgumentException("queue capacity " + tasks + ": must not be negative");
        }
        queueCapacity = tasks;
        return this;
    }

    /** What becomes of a task that the pool cannot take. The default is {@link RejectionPolicy#ABORT}. */
    public ReusableThreadPoolBuilder rejection(RejectionPolicy policy) {
        rejection = Objects.requireNonNull(policy, "policy");
        return this;
    }

    /** Makes the threads. The default makes platform threads that are no daemons, without inheritable thread-locals. */
    public ReusableThreadPoolBuilder threadFactory(ThreadFactory newFactory) {
        factory = Objects.requireNonNull(newFactory, "factory");
        return this;
    }

    /**
     * Forgets a worker's thread-locals after each task. Needs {@code --add-opens=java.base/java.lang=ayatori.threads}; without
     * that {@link #build} throws an IllegalStateException.
     */
    public ReusableThreadPoolBuilder clearThreadLocals(boolean clears) {
        clearsThreadLocals = clears;
        return this;
    }

    /** Where no agent tells the kernel of Java priorities, the pool does so for its workers, by this ladder. */
    public ReusableThreadPoolBuilder ladder(PriorityLadder newLadder) {
        ladder = Objects.requireNonNull(newLadder, "ladder");
        return this;
    }

    /** Shows the pool's gauges over JMX, as {@code ayatori.pool:type=ReusableThreadPool,name="NAME"}, until it has ended. */
    public ReusableThreadPoolBuilder managed(boolean shown) {
        managed = shown;
        return this;
    }

    /**
     * Makes the pool.
     *
     * @throws IllegalStateException if there are more initial threads than the maximum, a managed pool of this name exists, or
     *     thread-locals cannot be cleared
     */
    public ReusableThreadPool build() {
        if (initialThreads > maximumThreads) {
            throw new IllegalStateException(
                    "initial threads " + initialThreads + ": must be at most the maximum, " + maximumThreads);
        }
        return new ReusableThreadPool(this);
    }

    ThreadFactory factory() {
        return factory != null
                ? factory
                : Thread.ofPlatform()
                        .name(name + "-", 1)
                        .inheritInheritableThreadLocals(false)
                        .factory();
    }
}
