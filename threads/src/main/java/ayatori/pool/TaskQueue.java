package ayatori.pool;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The tasks that wait for a worker, by Java priority. No operation waits for another, so that a preempted low thread never
 * keeps a more important one out. A task that is raised is put in at the higher priority too and stays at its own; whoever
 * comes upon it first claims it, and what is left of it is dropped where it is found.
 */
final class TaskQueue {
    private final Lanes[] byPriority = new Lanes[Thread.MAX_PRIORITY + 1];
    /** A bit for each priority that was ever used: most pools know one or two. */
    private final AtomicInteger used = new AtomicInteger();
    /** Of a bounded queue; without a bound nobody counts, since all threads would meet here. */
    private final AtomicInteger size = new AtomicInteger();

    private final int capacity;
    private final boolean bounded;

    /**
     * Makes an empty one.
     *
     * @param ordered if equal tasks are to be taken in the very order of their submission, whoever submits
     */
    TaskQueue(int capacity, boolean ordered) {
        this.capacity = capacity;
        this.bounded = capacity < Integer.MAX_VALUE;
        Arrays.setAll(byPriority, priority -> new Lanes(priority, ordered));
    }

    /** Puts a task in at its priority; false if the queue is full. */
    boolean offer(TaskFuture<?> task) {
        if (bounded && size.getAndUpdate(now -> now < capacity ? now + 1 : now) >= capacity) {
            return false;
        }
        task.markQueued();
        offer(task, task.priority());
        return true;
    }

    /** Puts a task that is in already in a second time, where a more important one that waits for it would be. */
    void raise(TaskFuture<?> task, int priority) {
        offer(task, priority);
    }

    private void offer(TaskFuture<?> task, int priority) {
        int bit = 1 << priority;
        if ((used.get() & bit) == 0) { // before the task: who finds nothing must not have overlooked it
            used.getAndUpdate(now -> now | bit);
        }
        byPriority[priority].offer(task);
    }

    private static int highest(int priorities) {
        return Integer.SIZE - 1 - Integer.numberOfLeadingZeros(priorities);
    }

    /** Claims the most important task for a worker; null if there is none. */
    @Nullable
    TaskFuture<?> poll(Worker worker) {
        int rest = used.get();
        while (rest != 0) {
            int priority = highest(rest);
            TaskFuture<?> task = byPriority[priority].poll(worker);
            if (task != null) {
                withdrawn();
                return task;
            }
            rest = used.get() & (1 << priority) - 1; // anew: what has fallen from here may be the first at its level
        }
        return null;
    }

    /** Of the tasks that wait at more than a priority the most important one that is the right one; null if none is. */
    @Nullable
    TaskFuture<?> firstAbove(int priority, Predicate<TaskFuture<?>> isRight) {
        for (int rest = used.get() & -1 << (priority + 1); rest != 0; ) {
            int higher = highest(rest);
            TaskFuture<?> found =
                    byPriority[higher].find(task -> task.waits() && task.level() >= higher && isRight.test(task));
            if (found != null) {
                return found;
            }
            rest ^= 1 << higher;
        }
        return null;
    }

    /** If no worker would find anything; what was cancelled still counts until a worker has looked. */
    boolean isEmpty() {
        for (int rest = used.get(); rest != 0; ) {
            int priority = highest(rest);
            if (!byPriority[priority].isEmpty()) {
                return false;
            }
            rest ^= 1 << priority;
        }
        return true;
    }

    /** How many tasks wait; takes its time if they are many. */
    int size() {
        int[] tasks = new int[1];
        for (int priority = Thread.MIN_PRIORITY; priority <= Thread.MAX_PRIORITY; priority++) {
            int own = priority;
            byPriority[priority].forEach(task -> tasks[0] += task.priority() == own && task.waits() ? 1 : 0);
        }
        return tasks[0];
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
            TaskFuture<?> task;
            while ((task = byPriority[priority].withdraw()) != null) {
                withdrawn();
                tasks.add(task);
            }
        }
        return tasks;
    }

    /** Withdraws the one that would be run last. */
    void discardLeast() {
        for (int priority = Thread.MIN_PRIORITY; priority <= Thread.MAX_PRIORITY; priority++) {
            @Nullable TaskFuture<?>[] last = new TaskFuture<?>[1];
            byPriority[priority].forEach(task -> last[0] = task.waits() ? task : last[0]);
            if (last[0] != null) {
                last[0].cancel(false);
                return;
            }
        }
    }
}
