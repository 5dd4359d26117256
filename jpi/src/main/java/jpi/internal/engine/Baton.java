package jpi.internal.engine;

import java.util.concurrent.atomic.AtomicIntegerArray;

/**
 * Who does a piece of work that one thread at a time can do. Nobody waits for it: who finds it taken leaves a sign, and who has it
 * looks once more before it lets go.
 */
final class Baton {
    private static final int FREE = 0;
    private static final int TAKEN = 1;
    private static final int LOOK_AGAIN = 2;

    /** Two cache lines of integers: the one in the middle has a line of its own. */
    private static final int LENGTH = 32;

    private static final int STATE = LENGTH / 2;

    private final AtomicIntegerArray words = new AtomicIntegerArray(LENGTH);

    /** If the calling thread has it now. */
    boolean take() {
        return words.get(STATE) == FREE && words.compareAndSet(STATE, FREE, TAKEN);
    }

    /** Lets go. False: somebody has left a sign since it was taken, and the work is to be looked at again. */
    boolean letGo() {
        return words.getAndSet(STATE, FREE) != LOOK_AGAIN;
    }

    /** Lets go of one for which nobody leaves signs. */
    void drop() {
        words.setRelease(STATE, FREE);
    }

    /** Leaves a sign for the one that has it. False: nobody has. */
    boolean sign() {
        return words.get(STATE) == LOOK_AGAIN || words.compareAndSet(STATE, TAKEN, LOOK_AGAIN);
    }

    boolean isFree() {
        return words.get(STATE) == FREE;
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
