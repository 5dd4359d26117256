package ayatori.pool;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Arrays;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The tasks of one priority. They wait in one lane, in the order of their submission, until threads meet there: then each
 * submitter gets one of several, since two that write the same memory at the same time are slower than one. A pool of one
 * thread, whose users may rely on the order, keeps to one.
 */
final class Lanes {
    private static final int MOST = 16;

    private static final VarHandle LANES;

    static {
        try {
            LANES = MethodHandles.lookup().findVarHandle(Lanes.class, "lanes", Lane[].class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    /** A power of two of them; replaced by twice as many, those that there were among them. */
    private volatile Lane[] lanes;

    private final int priority;
    private final int most;

    Lanes(int priority, boolean ordered) {
        this.priority = priority;
        lanes = new Lane[] {new Lane(priority)};
        most = ordered ? 1 : MOST;
    }

    void offer(TaskFuture<?> task) {
        Lane[] now = lanes;
        int mine = (int) Thread.currentThread().threadId() & (now.length - 1);
        if (!now[mine].offer(task) && now.length < most) {
            Lane[] more = Arrays.copyOf(now, 2 * now.length);
            Arrays.setAll(more, i -> i < now.length ? now[i] : new Lane(priority));
            LANES.compareAndSet(this, now, more); // or another thread has
        }
    }

    /** Claims a task for a worker; null if there is none. */
    @Nullable
    TaskFuture<?> poll(Worker worker) {
        Turn turn = worker.turn;
        TaskFuture<?> next = turn.next(priority, worker);
        if (next != null) {
            return next;
        }
        Lane[] all = lanes;
        for (int i = 0; i < 2 * all.length; i++) {
            int at = (turn.lane() + i) & (all.length - 1);
            boolean insists = i >= all.length; // before that there may be one where nobody else is
            TaskFuture<?> task = all[at].poll(worker, turn.place, insists);
            if (task != null) {
                turn.taken(at, all.length);
                return task;
            }
        }
        return null;
    }

    boolean isEmpty() {
        for (Lane lane : lanes) {
            if (!lane.isEmpty()) {
                return false;
            }
        }
        return true;
    }

    /** Claims a task so that nobody runs it; null if there is none. */
    @Nullable
    TaskFuture<?> withdraw() {
        for (Lane lane : lanes) {
            TaskFuture<?> task = lane.poll(null, new Lane.Place(), true);
            if (task != null) {
                return task;
            }
        }
        return null;
    }

    /** The first that is the right one, of one lane after the other; null: none is. */
    @Nullable
    TaskFuture<?> find(Predicate<TaskFuture<?>> isRight) {
        for (Lane lane : lanes) {
            TaskFuture<?> found = lane.find(isRight);
            if (found != null) {
                return found;
            }
        }
        return null;
    }

    void forEach(Consumer<TaskFuture<?>> action) {
        var _ = find(task -> {
            action.accept(task);
            return false;
        });
    }
}
