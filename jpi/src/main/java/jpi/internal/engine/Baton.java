package jpi.internal.engine;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * Who does a piece of work that one thread at a time can do. Nobody waits for it: who finds it taken leaves a sign, and who has it
 * looks once more before it lets go.
 */
abstract class Baton extends Padding {
    private static final VarHandle STATE;

    static {
        try {
            STATE = MethodHandles.lookup().findVarHandle(Baton.class, "state", int.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private static final int FREE = 0;
    private static final int TAKEN = 1;
    private static final int LOOK_AGAIN = 2;

    private volatile int state;

    /** If the calling thread has it now. */
    final boolean take() {
        return state == FREE && STATE.compareAndSet(this, FREE, TAKEN);
    }

    /** Lets go. False: somebody has left a sign since it was taken, and the work is to be looked at again. */
    final boolean letGo() {
        return (int) STATE.getAndSet(this, FREE) != LOOK_AGAIN;
    }

    /** Lets go of one for which nobody leaves signs. */
    final void drop() {
        STATE.setRelease(this, FREE);
    }

    /** Leaves a sign for the one that has it. False: nobody has. */
    final boolean sign() {
        return state == LOOK_AGAIN || STATE.compareAndSet(this, TAKEN, LOOK_AGAIN);
    }

    final boolean isFree() {
        return state == FREE;
    }

    /** Does the work, or sees to it that who does it looks again. */
    final void pass(Runnable work) {
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

    /** With nothing behind it on its cache line. */
    @SuppressWarnings("unused") // the fields take room
    static final class Apart extends Baton {
        private long after1;
        private long after2;
        private long after3;
        private long after4;
        private long after5;
        private long after6;
        private long after7;
        private long after8;
    }
}
