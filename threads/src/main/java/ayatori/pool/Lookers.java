package ayatori.pool;

import java.util.concurrent.atomic.AtomicInteger;

/**
 * Workers that have run out of tasks and look into the queue for some microseconds more before they fall asleep: who submits
 * then need not wake anybody, which would cost more than most tasks. Few at a time, since they keep a CPU meanwhile; none on
 * one CPU, and none where the kernel is told of priorities, since one that is preempted while it looks would keep the task
 * waiting at its own old level.
 */
final class Lookers {
    /** How long who submits waits for a worker that is just at the end of its task, before it wakes another. */
    private static final int PATIENCE = 20;

    private final AtomicInteger looking = new AtomicInteger();
    private final int most;

    Lookers(boolean allowed) {
        most = allowed ? Math.min(4, Runtime.getRuntime().availableProcessors() - 1) : 0;
    }

    /** If one more may look; it has to leave. */
    boolean enter() {
        int now = looking.get();
        return now < most && looking.compareAndSet(now, now + 1);
    }

    void leave() {
        looking.getAndDecrement();
    }

    /** If any may ever look. */
    boolean allowed() {
        return most > 0;
    }

    boolean any() {
        return looking.get() > 0;
    }

    /** If one looks; waits a moment for one where otherwise a sleeper had to be woken while others are running. */
    boolean anyFor(Census now) {
        if (looking.get() > 0) {
            return true;
        }
        if (most == 0 || now.running() == 0) {
            return false;
        }
        for (int i = 0; i < PATIENCE && now.top() != null; i++) {
            Thread.onSpinWait();
            if (looking.get() > 0) {
                return true;
            }
        }
        return false;
    }
}
