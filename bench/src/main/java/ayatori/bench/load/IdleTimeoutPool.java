package ayatori.bench.load;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Queue;
import java.util.concurrent.Executor;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The rule of folly's CPUThreadPoolExecutor in our words, with its default of no threads that stay: a task wakes the thread
 * that fell idle last; if none is idle and there are fewer than the maximum, a thread is started; a thread that has been idle
 * for the timeout ends, unless a task waits.
 */
final class IdleTimeoutPool implements Executor, AutoCloseable {
    private final int maximum;
    private final long timeoutNanos;
    private final ThreadFactory factory;
    private final ReentrantLock lock = new ReentrantLock();
    private final Queue<Runnable> queue = new ArrayDeque<>();
    private final Deque<Idle> idle = new ArrayDeque<>();
    private int threads;
    private boolean closed;

    /** A thread that waits for a task. */
    private final class Idle {
        final Condition woken = lock.newCondition();
        boolean wake;
    }

    IdleTimeoutPool(int maximum, long timeoutNanos, ThreadFactory factory) {
        this.maximum = maximum;
        this.timeoutNanos = timeoutNanos;
        this.factory = factory;
    }

    @Override
    public void execute(Runnable task) {
        lock.lock();
        try {
            queue.add(task);
            if (!wakeOne() && threads < maximum) {
                threads++;
                factory.newThread(this::work).start();
            }
        } finally {
            lock.unlock();
        }
    }

    private boolean wakeOne() {
        Idle last = idle.pollLast();
        if (last == null) {
            return false;
        }
        last.wake = true;
        last.woken.signal();
        return true;
    }

    private void work() {
        while (true) {
            Runnable task = next();
            if (task == null) {
                return;
            }
            task.run();
        }
    }

    /** A task; null if the thread is to end. */
    private Runnable next() {
        lock.lock();
        try {
            while (queue.isEmpty()) {
                if (closed || !await()) {
                    threads--;
                    return null;
                }
            }
            return queue.remove();
        } finally {
            lock.unlock();
        }
    }

    /** False: for the whole timeout nobody woke it, and no task waits. */
    private boolean await() {
        Idle self = new Idle();
        idle.addLast(self);
        long left = timeoutNanos;
        try {
            while (!self.wake && left > 0) {
                left = self.woken.awaitNanos(left);
            }
        } catch (InterruptedException e) {
            throw new IllegalStateException("nobody interrupts", e);
        }
        idle.remove(self);
        return self.wake || !queue.isEmpty();
    }

    /** Its threads end as soon as nothing waits. */
    @Override
    public void close() {
        lock.lock();
        try {
            closed = true;
            while (wakeOne()) {
                // until none is idle
            }
        } finally {
            lock.unlock();
        }
    }
}
