package ayatori.internal.linux;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;

/**
 * A mutex whose owner runs at the priority of its most important waiter: the kernel lends it, needs no privilege for it, and
 * takes it back at the release. It does so for real-time waiters; nice is not lent. Not re-entrant. For short sections of
 * platform threads: a virtual thread might go on on another carrier, which does not own the mutex.
 *
 * @see <a href="https://man7.org/linux/man-pages/man2/futex.2.html">futex(2), priority-inheritance futexes</a>
 */
public final class PiMutex {
    private static final VarHandle WORD = ValueLayout.JAVA_INT.varHandle();
    private static final ThreadLocal<Integer> TID = ThreadLocal.withInitial(Sched::gettid);

    private final MemorySegment word = Arena.ofAuto().allocate(ValueLayout.JAVA_INT);

    /**
     * Waits until the mutex is free and takes it.
     *
     * @throws IllegalStateException if the caller owns it already, or is a virtual thread
     */
    public void lock() {
        if (Thread.currentThread().isVirtual()) {
            throw new IllegalStateException("a virtual thread cannot own a mutex of the kernel");
        }
        if (WORD.compareAndSet(word, 0L, 0, (int) TID.get())) {
            return;
        }
        int result;
        do {
            result = Futex.lockPi(word, Futex.FOREVER, Futex.Scope.PRIVATE);
        } while (result == -Errno.EINTR || result == -Errno.EAGAIN);
        if (result < 0) {
            throw new IllegalStateException("a priority-inheriting mutex cannot be had: " + Errno.name(-result));
        }
    }

    /**
     * Releases the mutex.
     *
     * @throws IllegalStateException if the caller does not own it
     */
    public void unlock() {
        if (WORD.compareAndSet(word, 0L, (int) TID.get(), 0)) {
            return;
        }
        int result = Futex.unlockPi(word, Futex.Scope.PRIVATE);
        if (result < 0) {
            throw new IllegalStateException("a priority-inheriting mutex is not the caller's: " + Errno.name(-result));
        }
    }
}
