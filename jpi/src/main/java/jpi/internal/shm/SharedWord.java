package jpi.internal.shm;

import ayatori.internal.linux.Errno;
import ayatori.internal.linux.Futex;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;

/**
 * A word of shared memory on which threads sleep, and how many do. Who is about to sleep says so first and then looks once more
 * at what it waits for; who has brought something looks afterwards if anybody sleeps.
 */
public final class SharedWord {
    /** Bytes that one takes. */
    public static final long SIZE = 128;

    private static final long SLEEPERS = 4;
    private static final VarHandle WORD = ValueLayout.JAVA_INT.varHandle();

    private final MemorySegment word;
    private final long sleepers;

    /** One side's view of it; zeroes at first. */
    public SharedWord(MemorySegment memory) {
        word = memory.asSlice(0, Integer.BYTES);
        sleepers = Memory.address(memory, SIZE) + SLEEPERS;
    }

    /**
     * The calling thread is about to sleep.
     *
     * @return what {@link #sleep} wants
     */
    public int enter() {
        WORD.getAndAdd(Memory.ALL, sleepers, 1);
        return (int) WORD.getVolatile(word, 0L);
    }

    /** Sleeps until somebody rings, or until a deadline in the time of {@link System#nanoTime}. May end at any time. */
    public void sleep(int ticket, long deadline) {
        int result = Futex.wait(word, ticket, deadline, Futex.Scope.SHARED);
        if (result < 0 && result != -Errno.EAGAIN && result != -Errno.EINTR && result != -Errno.ETIMEDOUT) {
            throw new IllegalStateException("futex: " + Errno.name(-result));
        }
    }

    /** The calling thread sleeps no more. */
    public void leave() {
        WORD.getAndAdd(Memory.ALL, sleepers, -1);
    }

    /** If anybody sleeps, or is about to. */
    public boolean hasSleepers() {
        return (int) WORD.getVolatile(Memory.ALL, sleepers) != 0;
    }

    /** Wakes all that sleep. After a full fence. */
    public void ring() {
        if (hasSleepers()) {
            WORD.getAndAdd(word, 0L, 1);
            var _ = Futex.wake(word, Integer.MAX_VALUE, Futex.Scope.SHARED);
        }
    }
}
