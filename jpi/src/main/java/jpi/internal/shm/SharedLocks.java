package jpi.internal.shm;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;
import java.util.function.IntConsumer;

/**
 * The locks of a window, one for each part: held by one rank alone or shared by several; who waits gets it in the order of asking, so
 * that nobody waits for ever. No rank sleeps here: one that does not get a lock at once is told by the rank that gives it to it.
 *
 * <p>One word says who holds the lock and which places of the queue are taken; each change of it is one compare-and-set. A place is
 * taken first and filled then; whoever has filled one, or has given the lock back, looks if the first in the queue can have it. A full
 * place has a stamp that tells it from what it held the last time.
 *
 * <pre>
 *   63      43       22          21        20     0
 *   | first | length | exclusive | shared by     |
 * </pre>
 */
public final class SharedLocks {
    private static final int BITS = 21;
    private static final long COUNT = (1L << BITS) - 1;
    private static final long EXCLUSIVE = 1L << BITS;
    private static final int LENGTH_SHIFT = BITS + 1;
    private static final int FIRST_SHIFT = LENGTH_SHIFT + BITS;
    private static final long ONE_WAITS = 1L << LENGTH_SHIFT;

    // A place: the rank, if it wants the lock alone, and the stamp, which is never 0.
    private static final int RANK_MASK = WindowLayout.MOST_RANKS - 1;
    private static final int ALONE = WindowLayout.MOST_RANKS;
    private static final int STAMP = WindowLayout.MOST_RANKS << 1;

    private static final VarHandle STATE = ValueLayout.JAVA_LONG.varHandle();
    private static final VarHandle PLACE = ValueLayout.JAVA_INT.varHandle();

    private final MemorySegment memory;
    private final WindowLayout layout;
    private final int queueLength;

    /** In memory that begins with a layout. */
    SharedLocks(MemorySegment memory, WindowLayout layout) {
        this.memory = memory;
        this.layout = layout;
        queueLength = layout.queueLength();
    }

    private static int length(long state) {
        return (int) (state >>> LENGTH_SHIFT & COUNT);
    }

    private static int first(long state) {
        return (int) (state >>> FIRST_SHIFT);
    }

    private static boolean isFree(long state, boolean exclusive) {
        return (state & (exclusive ? EXCLUSIVE | COUNT : EXCLUSIVE)) == 0;
    }

    private static long held(boolean exclusive) {
        return exclusive ? EXCLUSIVE : 1;
    }

    private long state(long lock) {
        return (long) STATE.getVolatile(memory, lock);
    }

    private long place(long lock, int ticket) {
        return lock + WindowLayout.QUEUE + (long) (ticket & (queueLength - 1)) * Integer.BYTES;
    }

    private int stamp(int ticket) {
        return STAMP << (ticket / queueLength & 1);
    }

    /**
     * Takes a lock, or a place in its queue. A rank waits for one lock once at a time.
     *
     * @param part whose lock
     * @param rank who asks
     * @param exclusive wants it alone
     * @param granting gets the ranks that have been given the lock and are to be told; this one may be among them
     * @return if it has it at once; else it is going to be told
     */
    public boolean acquire(int part, int rank, boolean exclusive, IntConsumer granting) {
        long lock = layout.lock(part);
        while (true) {
            long state = state(lock);
            if (length(state) == 0 && isFree(state, exclusive)) {
                if (STATE.compareAndSet(memory, lock, state, state + held(exclusive))) {
                    return true;
                }
            } else if (STATE.compareAndSet(memory, lock, state, state + ONE_WAITS)) {
                int ticket = (int) (first(state) + length(state) & COUNT);
                PLACE.setVolatile(memory, place(lock, ticket), rank | (exclusive ? ALONE : 0) | stamp(ticket));
                grant(lock, granting);
                return false;
            }
        }
    }

    /** Gives a lock back, and to those who are next. */
    public void release(int part, boolean exclusive, IntConsumer granting) {
        long lock = layout.lock(part);
        if (exclusive) {
            memory.set(ValueLayout.JAVA_INT, lock + WindowLayout.HOLDER, 0);
        }
        long before = (long) STATE.getAndAdd(memory, lock, -held(exclusive));
        if (length(before) != 0) {
            grant(lock, granting);
        }
    }

    /** Gives the lock to the first in the queue as long as it can be had. */
    private void grant(long lock, IntConsumer granting) {
        while (true) {
            long state = state(lock);
            int ticket = first(state);
            int place = (int) PLACE.getVolatile(memory, place(lock, ticket));
            boolean exclusive = (place & ALONE) != 0;
            if (length(state) == 0 || (place & STAMP * 3) != stamp(ticket) || !isFree(state, exclusive)) {
                if (state == state(lock)) {
                    return; // who fills the place, or gives the lock back, comes here too
                }
            } else {
                long after = (state & ~(COUNT << FIRST_SHIFT)) - ONE_WAITS + held(exclusive);
                if (STATE.compareAndSet(memory, lock, state, after | (ticket + 1 & COUNT) << FIRST_SHIFT)) {
                    granting.accept(place & RANK_MASK);
                }
            }
        }
    }

    /** Notes who has a lock alone, for people. By that rank. */
    public void noteHolder(int part, int rank) {
        memory.set(ValueLayout.JAVA_INT, layout.lock(part) + WindowLayout.HOLDER, rank + 1);
    }

    /** Who had noted that it has a lock alone a moment ago; −1: nobody. */
    public int holder(int part) {
        return memory.get(ValueLayout.JAVA_INT, layout.lock(part) + WindowLayout.HOLDER) - 1;
    }
}
