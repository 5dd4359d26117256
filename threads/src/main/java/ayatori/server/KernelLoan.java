package ayatori.server;

import ayatori.internal.linux.Errno;
import ayatori.internal.linux.Futex;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.IntSupplier;

/**
 * How a thread lends its priority to a server of the same process where nobody may tell the kernel of priorities: it waits as if
 * the server held a lock, a word with the server's thread id. Needs no right; does something for real-time threads only.
 */
final class KernelLoan {
    /** In place of a thread's id: somebody is still to be found, and will tell {@link Lenders#wake}. */
    static final int LATER = -1;

    /**
     * A server lets go of a word after it has answered, when the client may have asked it for something else already; it takes
     * nothing before it has let go.
     */
    private static final int WORDS = 4;

    private static final VarHandle WORD = ValueLayout.JAVA_INT.varHandle();
    private static final ThreadLocal<KernelLoan> CURRENT = ThreadLocal.withInitial(KernelLoan::new);

    private final MemorySegment words = Arena.ofAuto().allocate(ValueLayout.JAVA_INT, WORDS);
    private int next;

    private KernelLoan() {}

    /**
     * What a thread waits for.
     *
     * @param holder Linux id of the thread that brings it about; 0: there is none to lend to; {@link #LATER}
     * @param isOver if there is nothing to wait for any more
     * @param lenders whom the holder lets go when it is over, or no longer its own
     */
    private record Awaited(Object what, IntSupplier holder, BooleanSupplier isOver, Lenders lenders) {}

    /**
     * Waits for an answer, as long as there is somebody to lend to, or will be; what is left of the wait is to be done in
     * another way.
     *
     * @param deadline nanoTime, or {@link Deadline#FOREVER}
     */
    static void await(Reply<?> reply, long deadline) throws InterruptedException {
        Request<?, ?> before = null;
        Request<?, ?> request = reply.request();
        // The same one again: its server has put it off, or the deadline has come.
        while (request != null && request != before && !reply.isDone()) {
            if (!request.endpoint().isLentByKernel() || !Caller.lends()) {
                return;
            }
            CURRENT.get().lend(new Awaited(request, request::lendsTo, reply::isDone, request.lenders()), deadline);
            before = request;
            request = reply.request(); // another one if it has been forwarded
        }
    }

    /** Waits until a request has left the queue, as long as there is somebody to lend to, and no longer than until a deadline. */
    static void awaitRoom(Request<?, ?> request, Lenders lenders, long deadline) throws InterruptedException {
        if (request.endpoint().isLentByKernel() && Caller.lends()) {
            BooleanSupplier isOver = () -> !request.waits() || request.isDone();
            CURRENT.get().lend(new Awaited(request, request::lendsTo, isOver, lenders), deadline);
        }
    }

    /** Waits for the thread that waits for a reply of another process, as long as there is one. */
    static void awaitCollector(SharedReply reply, long deadline) throws InterruptedException {
        CURRENT.get().lend(new Awaited(reply, reply::collector, reply::isDone, reply.lenders()), deadline);
    }

    /** Waits until it is over, the deadline has come, or there is nobody to lend to. */
    private void lend(Awaited awaited, long deadline) throws InterruptedException {
        MemorySegment word = words.asSlice(4L * (next++ & (WORDS - 1)), Integer.BYTES);
        WORD.setVolatile(word, 0L, 0);
        var lender = new Lenders.Lender(Thread.currentThread(), word);
        awaited.lenders.add(lender);
        try {
            boolean goesOn = true;
            while (goesOn && !awaited.isOver.getAsBoolean()) {
                int holder = awaited.holder.getAsInt();
                if (holder == 0 || Deadline.hasCome(deadline)) {
                    return;
                }
                if (Thread.interrupted()) {
                    throw new InterruptedException("while waiting for " + awaited.what);
                }
                long until = Deadline.orLookAround(deadline);
                if (holder == LATER) {
                    LockSupport.parkNanos(awaited.what, until - System.nanoTime());
                } else {
                    goesOn = lendTo(holder, word, awaited, until);
                }
            }
        } finally {
            awaited.lenders.remove(lender);
        }
    }

    /** Waits until the holder has let go of the word, or the deadline; false: the holder is none to whom one can lend. */
    private static boolean lendTo(int holder, MemorySegment word, Awaited awaited, long deadline) {
        WORD.setVolatile(word, 0L, holder); // before the last look; who lets go does it the other way round
        if (awaited.isOver.getAsBoolean() || awaited.holder.getAsInt() != holder) {
            return true;
        }
        int result = Futex.lockPi(word, deadline, Futex.Scope.PRIVATE);
        if (result == -Errno.EDEADLK) {
            throw new IllegalStateException(awaited.what
                    + ": its server waits, by way of others, for the calling thread itself: a cycle of calls");
        }
        return result == 0 || result == -Errno.ETIMEDOUT || result == -Errno.EINTR;
    }
}
