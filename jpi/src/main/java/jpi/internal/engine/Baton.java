package jpi.internal.engine;

import java.util.concurrent.atomic.AtomicInteger;

/**
 * Who does a piece of work that one thread at a time can do. Nobody waits for it: who finds it taken leaves a sign, and who has it
 * looks once more before it lets go.
 */
final class Baton {
    private static final int FREE = 0;
    private static final int TAKEN = 1;
    private static final int LOOK_AGAIN = 2;

    private final AtomicInteger state = new AtomicInteger();

    /** If the calling thread has it now. */
    boolean take() {
        return state.get() == FREE && state.compareAndSet(FREE, TAKEN);
    }

    /** Lets go. False: somebody has left a sign since it was taken, and the work is to be looked at again. */
    boolean letGo() {
        return state.getAndSet(FREE) != LOOK_AGAIN;
    }

    /** Leaves a sign for the one that has it. False: nobody has. */
    boolean sign() {
        return state.get() == LOOK_AGAIN || state.compareAndSet(TAKEN, LOOK_AGAIN);
    }

    boolean isFree() {
        return state.get() == FREE;
    }

    /** Does the work, or sees to it that who does it looks again. */
    void pass(Runnable work) {
        while (true) {
            if (take()) {
                work.run();
                if (letGo()) {
                    return;
                }
            } else if (sign()) {
                return;
            }
        }
    }
}
