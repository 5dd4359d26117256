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

    /** In place of a rank: one that nobody can help. */
    static final int SOMEBODY = -1;

    private static final int FREE = 0;
    /** A bit: the sign. Above it, if it is taken, who has it. */
    private static final int LOOK_AGAIN = 1;

    private static final int TAKEN = 2;

    private volatile int state;

    /**
     * If the calling thread has it now.
     *
     * @param holder the rank whose thread it is, or {@link #SOMEBODY}
     */
    final boolean take(int holder) {
        return state == FREE && STATE.compareAndSet(this, FREE, (holder - SOMEBODY + 1) * TAKEN);
    }

    /** Lets go. False: somebody has left a sign since it was taken, and the work is to be looked at again. */
    final boolean letGo() {
        return ((int) STATE.getAndSet(this, FREE) & LOOK_AGAIN) == 0;
    }

    /** Lets go of one for which nobody leaves signs. */
    final void drop() {
        STATE.setRelease(this, FREE);
    }

    /** Leaves a sign for the one that has it. False: nobody has. */
    final boolean sign() {
        int now = state;
        return now != FREE && ((now & LOOK_AGAIN) != 0 || STATE.compareAndSet(this, now, now | LOOK_AGAIN));
    }

    final boolean isFree() {
        return state == FREE;
    }

    /** The rank whose thread has it; or {@link #SOMEBODY}, or nobody. */
    final int holder() {
        int now = state;
        return now == FREE ? SOMEBODY : now / TAKEN - 1 + SOMEBODY;
    }

    /**
     * Does the work, or sees to it that who does it looks again.
     *
     * @param holder as {@link #take}
     * @return if the calling thread has done it, and let go
     */
    final boolean pass(Runnable work, int holder) {
        while (true) {
            if (take(holder)) {
                boolean over;
                try {
                    work.run();
                } finally {
                    over = letGo();
                }
                if (over) {
                    return true;
                }
            } else if (sign()) {
                return false;
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
