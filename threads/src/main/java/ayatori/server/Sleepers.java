package ayatori.server;

import ayatori.internal.inheritance.Inheritance;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/** Servers that wait for requests. The last one to fall asleep is the first to be woken; each is woken by one request only. */
final class Sleepers {
    private enum State {
        SLEEPS,
        /** A sender is about to wake it. */
        TAKEN,
        WOKEN,
        /** It went by itself. */
        GONE
    }

    /** A server that sleeps, once. */
    static final class Sleeper {
        private final ServerThread server;
        private final @Nullable Sleeper below;
        private final AtomicReference<State> state = new AtomicReference<>(State.SLEEPS);

        private Sleeper(ServerThread server, @Nullable Sleeper below) {
            this.server = server;
            this.below = below;
        }

        /** Sleeps until somebody wakes it or, in nanoTime, a deadline comes; true: woken. */
        boolean sleep(Object blocker, long deadline) throws InterruptedException {
            boolean interrupted = false;
            while (state.get() != State.WOKEN) {
                long left = deadline - System.nanoTime();
                if (left <= 0 && state.compareAndSet(State.SLEEPS, State.GONE)) {
                    return false;
                }
                if (left > 0) {
                    LockSupport.parkNanos(blocker, left);
                } else {
                    LockSupport.park(blocker); // until who has taken it wakes it
                }
                if (Thread.interrupted()) {
                    if (state.compareAndSet(State.SLEEPS, State.GONE)) {
                        throw new InterruptedException("while " + server.thread() + " waited for a request");
                    }
                    interrupted = true;
                }
            }
            if (interrupted) {
                Thread.currentThread().interrupt(); // for the next time: what woke it counts first
            }
            return true;
        }

        /** If a sender has taken it and not woken it yet: if that one is preempted now, the next one must not rely on it. */
        boolean isTaken() {
            return state.get() == State.TAKEN;
        }

        /**
         * Wakes it; it must have been taken.
         *
         * @param level Java priority that it takes on before, if it has a lower one; 0: none
         * @return if it had a lower one
         */
        boolean wake(int level) {
            boolean raises = level > server.priority();
            if (raises && server.levels().inForce()) {
                Inheritance.locked(() -> {
                    if (isTaken()) { // once it is awake, its priority is its own matter
                        server.assume(level);
                        state.set(State.WOKEN);
                    }
                });
            } else {
                state.set(State.WOKEN);
            }
            LockSupport.unpark(server.thread());
            return raises;
        }
    }

    private final AtomicReference<@Nullable Sleeper> top = new AtomicReference<>();

    /** Puts a server on top. */
    Sleeper push(ServerThread server) {
        while (true) {
            Sleeper now = top.get();
            Sleeper sleeper = new Sleeper(server, now);
            if (top.compareAndSet(now, sleeper)) {
                return sleeper;
            }
        }
    }

    /** Takes one off, which the caller has to {@link Sleeper#wake}; null if none sleeps. */
    @Nullable
    Sleeper pop() {
        Sleeper now;
        while ((now = top.get()) != null) {
            if (top.compareAndSet(now, now.below) && now.state.compareAndSet(State.SLEEPS, State.TAKEN)) {
                return now;
            }
        }
        return null;
    }
}
