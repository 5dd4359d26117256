package ayatori.internal.linux;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.VarHandle;
import java.lang.ref.Reference;
import java.util.Arrays;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Fast user-space locks: the kernel's part of waiting, and of priority inheritance.
 *
 * <p>A word is four bytes, aligned, off the heap. A <em>PI word</em> is 0 when free and holds its owner's thread id else,
 * with {@link #WAITERS} set once someone waits in the kernel: then the owner must release it by {@link #unlockPi}. While a
 * real-time thread waits in {@link #lockPi}, the kernel runs the owner at the highest waiter's priority, follows chains of
 * such locks, and takes it back at the release. It does nothing for nice.
 *
 * <p>All waits may return {@code -EINTR}, and plain ones may return 0 without a wake: test the condition again. Deadlines
 * are in {@link System#nanoTime} time, which HotSpot reads from CLOCK_MONOTONIC; {@link #FOREVER} for none. Thread-safe.
 *
 * @see <a href="https://man7.org/linux/man-pages/man2/futex.2.html">futex(2)</a>
 */
public final class Futex {
    /** No deadline. */
    public static final long FOREVER = Long.MAX_VALUE;

    /** Set in a PI word while a thread waits for it in the kernel. */
    public static final int WAITERS = 0x8000_0000;
    /** Set in a PI word, by the kernel, when its owner has died. */
    public static final int OWNER_DIED = 0x4000_0000;
    /** The owner's thread id in a PI word. */
    public static final int TID_MASK = 0x3fff_ffff;

    private static final VarHandle WORD = ValueLayout.JAVA_INT.varHandle();

    private static final int WAKE = 1;
    private static final int LOCK_PI = 6;
    private static final int UNLOCK_PI = 7;
    private static final int TRYLOCK_PI = 8;
    private static final int WAIT_BITSET = 9;
    private static final int WAIT_REQUEUE_PI = 11;
    private static final int CMP_REQUEUE_PI = 12;
    private static final int LOCK_PI2 = 13;
    private static final int PRIVATE_FLAG = 128;
    private static final long MATCH_ANY = 0xffff_ffffL;

    private static final MethodHandle FUTEX = Syscall.handle(
            ValueLayout.ADDRESS,
            ValueLayout.JAVA_LONG,
            ValueLayout.JAVA_LONG,
            ValueLayout.ADDRESS,
            ValueLayout.ADDRESS,
            ValueLayout.JAVA_LONG);

    /** Who may use a word; all users of one word must say the same. */
    public enum Scope {
        /** Threads of this process; cheaper. */
        PRIVATE(PRIVATE_FLAG),
        /** Any process that maps the memory. */
        SHARED(0);

        private final int flag;

        Scope(int flag) {
            this.flag = flag;
        }
    }

    /** The most words that {@link WaitList} takes, FUTEX_WAITV_MAX. */
    public static final int MOST_WORDS = 128;

    private static final int SIZE_U32 = 2;

    /*
     * struct futex_waitv:
     *
     *   0       8         16      20         24
     *   | value | address | flags | reserved |
     */
    private static final long WAITER_SIZE = 24;
    private static final long WAITER_ADDRESS = 8;
    private static final long WAITER_FLAGS = 16;

    private static final MethodHandle WAITV = Syscall.handle(
            ValueLayout.ADDRESS,
            ValueLayout.JAVA_LONG,
            ValueLayout.JAVA_LONG,
            ValueLayout.ADDRESS,
            ValueLayout.JAVA_LONG);

    /** Words to be waited for all at once. For one thread. Needs Linux 5.16. */
    public static final class WaitList {
        private static final long MONOTONIC = 1;

        private final MemorySegment waiters =
                Arena.ofAuto().allocate(MOST_WORDS * WAITER_SIZE, ValueLayout.JAVA_LONG.byteAlignment());
        private final @Nullable MemorySegment[] words = new MemorySegment[MOST_WORDS];
        private int size;

        /** An empty list. */
        public WaitList() {}

        /** Takes all off. */
        public void clear() {
            Arrays.fill(words, 0, size, null); // or they would keep the memory of clients that have gone
            size = 0;
        }

        /**
         * Puts a word on the list, and reads it.
         *
         * @throws IllegalStateException if there are {@link #MOST_WORDS} already
         */
        public void add(MemorySegment word, Scope scope) {
            if (size == MOST_WORDS) {
                throw new IllegalStateException("a thread can wait for " + MOST_WORDS + " words at once, and no more");
            }
            long waiter = size * WAITER_SIZE;
            waiters.set(ValueLayout.JAVA_LONG, waiter, Integer.toUnsignedLong((int) WORD.getVolatile(word, 0L)));
            waiters.set(ValueLayout.JAVA_LONG, waiter + WAITER_ADDRESS, word.address());
            waiters.set(ValueLayout.JAVA_LONG, waiter + WAITER_FLAGS, SIZE_U32 | scope.flag);
            words[size++] = word; // keeps the memory
        }

        /**
         * Sleeps until one of the words is woken, unless one has changed since it was put on the list.
         *
         * @return 0 or more: woken, by the word of this index; {@code -EAGAIN}: one has changed; {@code -ETIMEDOUT}, {@code -EINTR}; {@code -ENOSYS}
         *     before Linux 5.16
         */
        public int await(long deadline) {
            MemorySegment memory = Syscall.memory();
            try {
                return (int) Syscall.result(
                        (long) WAITV.invokeExact(
                                memory, Syscall.FUTEX_WAITV, waiters, (long) size, 0L, absolute(deadline), MONOTONIC),
                        memory);
            } catch (Throwable t) {
                throw Syscall.unexpected(t);
            } finally {
                Reference.reachabilityFence(words);
            }
        }

        /** If a word is no longer what it was when it was put on the list. */
        public boolean hasChanged(int index) {
            MemorySegment word = Objects.requireNonNull(words[index], "a word of the list");
            return (int) WORD.getVolatile(word, 0L) != waiters.get(ValueLayout.JAVA_INT, index * WAITER_SIZE);
        }
    }

    private Futex() {}

    /**
     * Sleeps while the word holds a value.
     *
     * @return 0 when woken; {@code -EAGAIN} if the word did not hold it, {@code -ETIMEDOUT}, {@code -EINTR}
     */
    public static int wait(MemorySegment word, int expected, long deadline, Scope scope) {
        return call(word, WAIT_BITSET | scope.flag, expected, absolute(deadline), MemorySegment.NULL, MATCH_ANY);
    }

    /**
     * Wakes threads that sleep in {@link #wait}.
     *
     * @return how many were woken, at most {@code count}, or {@code -errno}
     */
    public static int wake(MemorySegment word, int count, Scope scope) {
        return call(word, WAKE | scope.flag, count, MemorySegment.NULL, MemorySegment.NULL, 0);
    }

    /**
     * Waits for a PI word and lends its owner the priority of the calling thread meanwhile. Try a compare-and-set from 0
     * to the own thread id first: uncontended, no kernel is needed.
     *
     * @return 0: the caller owns it; {@code -EDEADLK}: it did so already, or the chain of owners leads back to it;
     *     {@code -ESRCH}: the owner in the word does not exist; {@code -ETIMEDOUT}
     */
    public static int lockPi(MemorySegment word, long deadline, Scope scope) {
        if (deadline == FOREVER) {
            return call(word, LOCK_PI | scope.flag, 0, MemorySegment.NULL, MemorySegment.NULL, 0);
        }
        int result = call(word, LOCK_PI2 | scope.flag, 0, absolute(deadline), MemorySegment.NULL, 0);
        if (result != -Errno.ENOSYS) {
            return result;
        }
        // Before Linux 5.14 there is only FUTEX_LOCK_PI, whose deadline is in CLOCK_REALTIME time.
        long wallClock = System.currentTimeMillis() * 1_000_000 + (deadline - System.nanoTime());
        return call(word, LOCK_PI | scope.flag, 0, Syscall.timespec(wallClock), MemorySegment.NULL, 0);
    }

    /**
     * Takes a PI word if that is possible without waiting; unlike a compare-and-set also one whose owner has died.
     *
     * @return 0, or {@code -EAGAIN} and the errors of {@link #lockPi}
     */
    public static int tryLockPi(MemorySegment word, Scope scope) {
        return call(word, TRYLOCK_PI | scope.flag, 0, MemorySegment.NULL, MemorySegment.NULL, 0);
    }

    /**
     * Releases a PI word to its highest waiter. Needed if a compare-and-set from the own thread id to 0 fails.
     *
     * @return 0, or {@code -EPERM} if the caller is not the owner
     */
    public static int unlockPi(MemorySegment word, Scope scope) {
        return call(word, UNLOCK_PI | scope.flag, 0, MemorySegment.NULL, MemorySegment.NULL, 0);
    }

    /**
     * Releases a PI word, with the kernel's help only if somebody waits; nothing if the calling thread, of this id, does not own it.
     *
     * @return if somebody waited, and has it now
     */
    public static boolean letGoPi(MemorySegment word, int thread, Scope scope) {
        return ((int) WORD.getVolatile(word, 0L) & TID_MASK) == thread
                && !WORD.compareAndSet(word, 0L, thread, 0)
                && unlockPi(word, scope) == 0;
    }

    /**
     * Sleeps on a plain word until {@link #cmpRequeuePi} moves the caller over to a PI word, and then for that.
     *
     * @return 0: the caller owns {@code piWord}; {@code -EAGAIN}, {@code -ETIMEDOUT}: it does not
     */
    public static int waitRequeuePi(
            MemorySegment word, int expected, MemorySegment piWord, long deadline, Scope scope) {
        return call(word, WAIT_REQUEUE_PI | scope.flag, expected, absolute(deadline), piWord, 0);
    }

    /**
     * Gives the PI word to the first thread that sleeps in {@link #waitRequeuePi} on {@code word}, if it is free, and moves
     * up to {@code limit} others over to it: from then on they lend the owner their priority.
     *
     * @return how many were woken and moved, or {@code -EAGAIN} if {@code word} did not hold the expected value
     */
    public static int cmpRequeuePi(MemorySegment word, int expected, MemorySegment piWord, int limit, Scope scope) {
        return call(word, CMP_REQUEUE_PI | scope.flag, 1, MemorySegment.ofAddress(limit), piWord, expected);
    }

    private static MemorySegment absolute(long deadline) {
        return deadline == FOREVER ? MemorySegment.NULL : Syscall.timespec(deadline);
    }

    private static int call(
            MemorySegment word, int operation, int value, MemorySegment timeout, MemorySegment second, long third) {
        MemorySegment memory = Syscall.memory();
        try {
            return (int) Syscall.result(
                    (long) FUTEX.invokeExact(
                            memory, Syscall.FUTEX, word, (long) operation, (long) value, timeout, second, third),
                    memory);
        } catch (Throwable t) {
            throw Syscall.unexpected(t);
        }
    }
}
