package ayatori.pool;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Arrays;
import java.util.function.Consumer;
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
    private volatile Lane[] lanes = {new Lane()};

    private final int most;

    Lanes(boolean ordered) {
        most = ordered ? 1 : MOST;
    }

    void offer(TaskFuture<?> task) {
        Lane[] now = lanes;
        int mine = (int) Thread.currentThread().threadId() & (now.length - 1);
        if (!now[mine].offer(task) && now.length < most) {
            Lane[] more = Arrays.copyOf(now, 2 * now.length);
            Arrays.setAll(more, i -> i < now.length ? now[i] : new Lane());
            LANES.compareAndSet(this, now, more); // or another thread has
        }
    }

    /** Claims a task of this priority for a worker; null if there is none. */
    @Nullable
    TaskFuture<?> poll(int priority, Worker worker) {
        Lane[] all = lanes;
        for (int i = 0; i < 2 * all.length; i++) {
            int at = (worker.turn.lane() + i) & (all.length - 1);
            boolean insists = i >= all.length; // before that there may be one where nobody else is
            TaskFuture<?> task = all[at].poll(priority, worker, insists);
            if (task != null) {
                if (all.length > 1) {
                    worker.turn.taken(at);
                }
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

    /** Claims a task of this priority so that nobody runs it; null if there is none. */
    @Nullable
    TaskFuture<?> withdraw(int priority) {
        for (Lane lane : lanes) {
            TaskFuture<?> task = lane.poll(priority, null, true);
            if (task != null) {
                return task;
            }
        }
        return null;
    }

    void forEach(Consumer<TaskFuture<?>> action) {
        for (Lane lane : lanes) {
            lane.forEach(action);
        }
    }
}
