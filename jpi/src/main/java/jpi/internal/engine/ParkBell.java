package jpi.internal.engine;

import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/** For threads, also virtual ones, that only others of this JVM wake. */
final class ParkBell extends Bell {
    private final AtomicReference<@Nullable Thread> sleeper = new AtomicReference<>();
    /** Of several that sleep at once all but the first. */
    private final AtomicReference<@Nullable Queue<Thread>> others = new AtomicReference<>();

    @Override
    void ring() {
        Thread first = sleeper.get();
        if (first != null) {
            LockSupport.unpark(first);
        }
        Queue<Thread> more = others.get();
        if (more != null) {
            more.forEach(LockSupport::unpark);
        }
    }

    @Override
    int enter() {
        Thread thread = Thread.currentThread();
        if (!sleeper.compareAndSet(null, thread)) {
            Queue<Thread> more = others.get();
            if (more == null) {
                var _ = others.compareAndSet(null, new ConcurrentLinkedQueue<>());
                more = java.util.Objects.requireNonNull(others.get());
            }
            more.add(thread);
        }
        return 0;
    }

    @Override
    void sleep(int ticket, long deadline) {
        if (deadline == FOREVER) {
            LockSupport.park(this);
        } else {
            LockSupport.parkNanos(this, deadline - System.nanoTime());
        }
    }

    @Override
    void leave() {
        Thread thread = Thread.currentThread();
        if (sleeper.get() == thread) {
            sleeper.set(null);
        } else {
            Queue<Thread> more = others.get();
            if (more != null) {
                more.remove(thread);
            }
        }
    }
}
