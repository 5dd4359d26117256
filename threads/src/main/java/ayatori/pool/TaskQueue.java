package ayatori.pool;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/**
 * The tasks that wait for a worker: a first-in, first-out queue for each Java priority. No operation waits for another, so
 * that a preempted low thread never keeps a more important one out. A task that is raised is put into the higher queue too
 * and stays in its own; whoever comes upon it first claims it, and what is left of it is dropped where it is found.
 */
final class TaskQueue {
    private static final int PRIORITIES = Thread.MAX_PRIORITY + 1;

    private final AtomicReferenceArray<@Nullable ConcurrentLinkedQueue<TaskFuture<?>>> byPriority =
            new AtomicReferenceArray<>(PRIORITIES);
    /** Of a bounded queue; without a bound nobody counts, since all threads would meet here. */
    private final AtomicInteger size = new AtomicInteger();

    private final int capacity;
    private final boolean bounded;

    TaskQueue(int capacity) {
        this.capacity = capacity;
        this.bounded = capacity < Integer.MAX_VALUE;
    }

    /** Puts a task in at its priority; false if the queue is full. */
    boolean offer(TaskFuture<?> task) {
        if (bounded && size.getAndUpdate(now -> now < capacity ? now + 1 : now) >= capacity) {
            return false;
        }
        task.markQueued();
        queue(task.priority()).offer(task);
        return true;
    }

    /** Puts a task that is in already in a second time, where a more important one that waits for it would be. */
    void raise(TaskFuture<?> task, int priority) {
        queue(priority).offer(task);
    }

    /** Claims the most important task for a worker; null if there is none. */
    @Nullable
    TaskFuture<?> poll(Worker worker) {
        for (int priority = Thread.MAX_PRIORITY; priority >= Thread.MIN_PRIORITY; priority--) {
            ConcurrentLinkedQueue<TaskFuture<?>> queue = byPriority.get(priority);
            if (queue == null) {
                continue;
            }
            TaskFuture<?> task;
            while ((task = queue.poll()) != null) {
                // Above its level it stands only for as long as somebody waits for it; it is in a lower queue as well.
                if (priority <= task.level() && task.claim(worker)) {
                    withdrawn();
                    return task;
                }
            }
        }
        return null;
    }

    /** If no worker would find anything; what was cancelled still counts until a worker has looked. */
    boolean isEmpty() {
        for (int priority = Thread.MAX_PRIORITY; priority >= Thread.MIN_PRIORITY; priority--) {
            ConcurrentLinkedQueue<TaskFuture<?>> queue = byPriority.get(priority);
            if (queue != null && !queue.isEmpty()) {
                return false;
            }
        }
        return true;
    }

    /** How many tasks wait; takes its time if they are many. */
    int size() {
        int tasks = 0;
        for (int priority = Thread.MAX_PRIORITY; priority >= Thread.MIN_PRIORITY; priority--) {
            ConcurrentLinkedQueue<TaskFuture<?>> queue = byPriority.get(priority);
            if (queue != null) {
                for (TaskFuture<?> task : queue) {
                    if (task.priority() == priority && task.waits()) {
                        tasks++;
                    }
                }
            }
        }
        return tasks;
    }

    /** A task that was put in has been withdrawn. */
    void withdrawn() {
        if (bounded) {
            size.getAndDecrement();
        }
    }

    /** Claims all that wait, in the order in which they would have been run. */
    List<TaskFuture<?>> drain() {
        List<TaskFuture<?>> tasks = new ArrayList<>();
        for (int priority = Thread.MAX_PRIORITY; priority >= Thread.MIN_PRIORITY; priority--) {
            ConcurrentLinkedQueue<TaskFuture<?>> queue = byPriority.get(priority);
            TaskFuture<?> task;
            while (queue != null && (task = queue.poll()) != null) {
                if (task.withdraw()) {
                    withdrawn();
                    tasks.add(task);
                }
            }
        }
        return tasks;
    }

    /** Withdraws the one that would be run last. */
    void discardLeast() {
        for (int priority = Thread.MIN_PRIORITY; priority <= Thread.MAX_PRIORITY; priority++) {
            ConcurrentLinkedQueue<TaskFuture<?>> queue = byPriority.get(priority);
            if (queue == null) {
                continue;
            }
            TaskFuture<?> last = null;
            for (TaskFuture<?> task : queue) {
                if (task.waits()) {
                    last = task;
                }
            }
            if (last != null) {
                last.cancel(false);
                return;
            }
        }
    }

    private ConcurrentLinkedQueue<TaskFuture<?>> queue(int priority) {
        ConcurrentLinkedQueue<TaskFuture<?>> queue = byPriority.get(priority);
        if (queue != null) {
            return queue;
        }
        ConcurrentLinkedQueue<TaskFuture<?>> fresh = new ConcurrentLinkedQueue<>();
        return byPriority.compareAndSet(priority, null, fresh) ? fresh : queue(priority);
    }
}
