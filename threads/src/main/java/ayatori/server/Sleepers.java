package ayatori.server;

import ayatori.internal.inheritance.Inheritance;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/** Servers that wait for requests. The last one to fall asleep is the first to be woken; each is woken by one request only. */
final class Sleepers {
    private enum State {
        SLEEPS,
        /** A sender is about to wake it. */
        TAKEN,
        /** A sender gives it a priority, and wakes it, both with the lock of {@link Inheritance} held. */
        RAISED,
        /** A sender is just waking it. */
        WOKEN,
        /** It has been woken, and will see to it. */
        UP,
        /** It went by itself. */
        GONE
    }

    private final Deque<Sleeper> stack = new ConcurrentLinkedDeque<>();

    /** A server that sleeps, once. */
    final class Sleeper {
        private final ServerThread server;
        private final AtomicReference<State> state = new AtomicReference<>(State.SLEEPS);

        private Sleeper(ServerThread server) {
            this.server = server;
        }

        /**
         * Sleeps until somebody wakes it or, in nanoTime, a deadline comes.
         *
         * @param doorkeeper by whom other processes send requests; null: there are none
         */
        void sleep(Object blocker, @Nullable Doorkeeper doorkeeper, long deadline) throws InterruptedException {
            boolean interrupted = false;
            while (!isWoken()) {
                long left = deadline == Deadline.FOREVER ? deadline : deadline - System.nanoTime();
                if (left <= 0 && goes()) {
                    return;
                }
                if (doorkeeper != null) {
                    if (doorkeeper.await(server, this, left)) {
                        if (goes()) {
                            return;
                        }
                        hurry();
                    }
                } else if (left > 0) {
                    LockSupport.parkNanos(blocker, left);
                } else {
                    LockSupport.park(blocker); // until who has taken it wakes it
                }
                if (Thread.interrupted()) {
                    if (goes()) {
                        throw new InterruptedException("while " + server.thread() + " waited for a request");
                    }
                    interrupted = true;
                }
            }
            if (interrupted) {
                Thread.currentThread().interrupt(); // for the next time: what woke it counts first
            }
        }

        /** There is something to do, and a sender that is about to wake it may be preempted, perhaps by this very thread. */
        private void hurry() {
            if (!state.compareAndSet(State.TAKEN, State.UP)) {
                outwait();
            }
        }

        boolean isBelow(int level) {
            return server.level() < level;
        }

        boolean isWoken() {
            State now = state.get();
            return now == State.WOKEN || now == State.UP;
        }

        /** By itself; false: a sender has taken it. */
        boolean goes() {
            boolean gone = state.compareAndSet(State.SLEEPS, State.GONE);
            if (gone) {
                stack.remove(this);
            }
            return gone;
        }

        /** If a sender has taken it and not woken it yet: if that one is preempted now, the next one must not rely on it. */
        boolean isTaken() {
            return state.get() == State.TAKEN;
        }

        /**
         * Wakes it, unless it is awake; it must have been taken.
         *
         * @param level Java priority that it takes on before, if it has a lower one; 0: none
         * @return if it has got that
         */
        boolean wake(int level) {
            boolean[] raised = new boolean[1];
            if (level > server.thread().getPriority() && server.levels().inForce()) {
                Inheritance.locked(() -> {
                    // Once it is awake, its priority is its own matter.
                    if (state.compareAndSet(State.TAKEN, State.RAISED)) {
                        raised[0] = true;
                        try {
                            server.raiseAsleep(level);
                        } finally {
                            state.set(State.WOKEN);
                            server.unpark();
                            state.set(State.UP);
                        }
                    }
                });
            }
            if (state.compareAndSet(State.TAKEN, State.WOKEN)) {
                server.unpark();
                state.set(State.UP);
            } else {
                outwait();
            }
            return raised[0];
        }

        /** The caller relies on its being woken: whoever is about to do that may be preempted, and less important. */
        private void outwait() {
            switch (state.get()) {
                case RAISED -> Inheritance.locked(() -> {}); // which the other has until it is up, and is raised for
                case WOKEN -> server.unpark();
                default -> {}
            }
        }

        /**
         * Another sender has taken it, and the caller relies on it.
         *
         * @param level as for {@link #wake}
         * @return as there
         */
        boolean ensureWoken(int level) {
            if (state.get() == State.TAKEN) {
                return wake(level);
            }
            outwait();
            return false;
        }
    }

    /** Puts a server on top. */
    Sleeper push(ServerThread server) {
        Sleeper sleeper = new Sleeper(server);
        stack.push(sleeper);
        return sleeper;
    }

    /** Takes one off, which the caller has to {@link Sleeper#wake}; null if none sleeps. */
    @Nullable
    Sleeper pop() {
        Sleeper top;
        while ((top = stack.poll()) != null) {
            if (top.state.compareAndSet(State.SLEEPS, State.TAKEN)) {
                return top;
            }
        }
        return null;
    }

    /** First takes all off: who is awake may go to sleep again, and as quickly as others are woken. */
    void wakeAll() {
        List<Sleeper> all = new ArrayList<>();
        Sleeper sleeper;
        while ((sleeper = pop()) != null) {
            all.add(sleeper);
        }
        all.forEach(taken -> taken.wake(0));
    }
}
