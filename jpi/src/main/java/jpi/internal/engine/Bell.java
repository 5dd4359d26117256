package jpi.internal.engine;

import ayatori.internal.linux.Futex;

/**
 * Wakes the threads of a rank that sleep. One of them is usual, that of the rank; there may be more. Who is about to sleep
 * enters first, and looks once more at what it waits for; who brings something rings afterwards.
 */
abstract sealed class Bell permits ParkBell, SharedBell {
    /** No deadline. */
    static final long FOREVER = Futex.FOREVER;

    /** Wakes all that sleep. */
    abstract void ring();

    /** If anybody sleeps, or is about to and has not looked once more. After a full fence. */
    abstract boolean hasSleepers();

    /**
     * The calling thread is about to sleep.
     *
     * @return what {@link #sleep} wants
     */
    abstract int enter();

    /** Sleeps; may end at any time. */
    abstract void sleep(int ticket, long deadline);

    /** The calling thread sleeps no more. */
    abstract void leave();

    /** If the calling thread is woken by what comes from other JVMs too. */
    boolean hearsOthers() {
        return true;
    }
}
