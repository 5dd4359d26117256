package ayatori.internal.inheritance;

import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * What more important threads that wait for a piece of work, a task or a request, lend to it. Made when the first of them
 * waits, so that work for which nobody more important waits costs nothing. Guarded by {@link Inheritance}, but for
 * {@link #priority}, which anybody may read.
 */
public abstract class Loan {
    /** How many wait for the work at each Java priority. */
    private final int[] waiters = new int[Thread.MAX_PRIORITY + 1];
    /** The highest at which one waits, if that is above the work's own; 0: none. */
    private volatile int priority;
    /** The thread that is raised because the work is queued and outranks what that thread does. */
    @Nullable
    Carrier helper;

    /** A bit for each higher priority at which the work stands in the queue for a second time. */
    private final AtomicInteger raisedAt = new AtomicInteger();

    /** For the classes of work. */
    protected Loan() {}

    /** The Java priority that is lent; 0: none. */
    public final int priority() {
        return priority;
    }

    /** The Java priority that the work has now. */
    public final int level() {
        return Math.max(own(), priority);
    }

    /** If a thread is raised because work waits, by the work's loan, if it has one; asked with the lock of {@link Inheritance} held. */
    public static boolean isHelped(@Nullable Loan loan) {
        return loan != null && loan.helper != null;
    }

    /** Has the work stand in the queue at a level too, unless it does. */
    void raise(int level) {
        int bit = 1 << level;
        if (level > own() && (raisedAt.getAndUpdate(now -> now | bit) & bit) == 0) {
            raiseInQueue(level);
        }
    }

    /**
     * For the queue: the work has been found at a higher priority, and no longer stands there. To be told before the level is
     * asked: who raises the work meanwhile does it the other way round.
     */
    public final void foundAt(int level) {
        raisedAt.getAndUpdate(now -> now & ~(1 << level));
    }

    /** The work stands in none. */
    void forgetQueue() {
        raisedAt.set(0);
    }

    void add(int level) {
        waiters[level]++;
    }

    void remove(int level) {
        waiters[level]--;
    }

    /** The Java priority that the work is to have, by who waits. */
    int due() {
        int highest = Thread.MAX_PRIORITY;
        while (highest > own() && waiters[highest] == 0) {
            highest--;
        }
        return highest;
    }

    /** The work has this Java priority from now on. */
    void setLevel(int level) {
        priority = level > own() ? level : 0;
    }

    /** The Java priority that the work was given. */
    protected abstract int own();

    /** Who does the work; null if nobody does who could be raised. */
    protected abstract @Nullable Carrier carrier();

    /** If nobody has taken the work yet, and somebody may. */
    protected abstract boolean waits();

    /** If it has a result. */
    protected abstract boolean isDone();

    /** Puts the work, which waits, where work of a higher priority waits. */
    protected abstract void raiseInQueue(int level);

    /** Of the threads that could do the work the one to be raised to a level, so that one is free soon; null if none is. */
    protected abstract @Nullable Carrier soonestBelow(int level);
}
