package jpi.internal.engine;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/** For threads, also virtual ones, that only others of this JVM wake. */
final class ParkBell extends Bell {
    private static final VarHandle SLEEPER;

    static {
        try {
            SLEEPER = MethodHandles.lookup().findVarHandle(ParkBell.class, "sleeper", Thread.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private volatile @Nullable Thread sleeper;
    /** Of several that sleep at once all but the first. */
    private volatile @Nullable Queue<Thread> others;

    @Override
    void ring() {
        Thread first = sleeper;
        if (first != null) {
            LockSupport.unpark(first);
        }
        Queue<Thread> more = others;
        if (more != null) {
            more.forEach(LockSupport::unpark);
        }
    }

    @Override
    boolean hasSleepers() {
        Queue<Thread> more = others;
        return sleeper != null || (more != null && !more.isEmpty());
    }

    @Override
    int enter() {
        Thread thread = Thread.currentThread();
        if (!SLEEPER.compareAndSet(this, null, thread)) {
            Queue<Thread> more = others;
            if (more == null) {
                more = addOthers();
            }
            more.add(thread);
        }
        return 0;
    }

    private synchronized Queue<Thread> addOthers() {
        Queue<Thread> more = others;
        if (more == null) {
            more = new ConcurrentLinkedQueue<>();
            others = more;
        }
        return more;
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
        if (sleeper == thread) {
            sleeper = null;
        } else {
            Queue<Thread> more = others;
            if (more != null) {
                more.remove(thread);
            }
        }
    }
}
