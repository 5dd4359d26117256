package jpi.internal.engine;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * What goes on for a rank besides its own thread: in virtual threads that are started for it, and in further threads of its program
 * that wait for messages.
 */
final class Aside {
    /** Bound in threads that have been started; the forks of a scope that one of them opens inherit it. */
    private static final ScopedValue<Started> STARTED = ScopedValue.newInstance();

    private record Started(Aside here, Thread thread) {}

    /** Threads that have been started, and do not sleep for a message. */
    private final AtomicInteger active = new AtomicInteger();

    /** What those sleep for that do: once it has ended they are about to go on, though they may still wait for a CPU. */
    private final Map<Thread, Completion> asleep = new ConcurrentHashMap<>();

    /** Does something for the rank in a virtual thread of its own. */
    void start(Runnable work) {
        Thread thread = Thread.ofVirtual().unstarted(() -> {
            try {
                ScopedValue.where(STARTED, new Started(this, Thread.currentThread()))
                        .run(work);
            } finally {
                active.decrementAndGet();
            }
        });
        active.incrementAndGet();
        try {
            thread.start();
        } catch (RuntimeException | Error e) { // there may be no memory for it
            active.decrementAndGet();
            throw e;
        }
    }

    private boolean isStarted() {
        return STARTED.isBound() && STARTED.get().equals(new Started(this, Thread.currentThread()));
    }

    /** The calling thread, which is not the rank's own, is about to sleep. */
    void fallAsleep(Completion wanted) {
        asleep.put(Thread.currentThread(), wanted);
        if (isStarted()) {
            active.decrementAndGet();
        }
    }

    /** It sleeps no more. */
    void wakeUp() {
        if (isStarted()) {
            active.incrementAndGet();
        }
        asleep.remove(Thread.currentThread());
    }

    /** If something goes on, or is about to. */
    boolean isBusy() {
        return active.get() != 0 || asleep.values().stream().anyMatch(Completion::isDone);
    }
}
