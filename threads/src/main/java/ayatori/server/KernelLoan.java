package ayatori.server;

import ayatori.internal.linux.Errno;
import ayatori.internal.linux.Futex;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;

/**
 * How a thread lends its priority to a server of the same process where nobody may tell the kernel of priorities: it waits as if
 * the server held a lock, a word with the server's thread id. Needs no right; does something for real-time threads only.
 */
final class KernelLoan {
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
     * Waits for an answer, as long as there is somebody to lend to; what is left of the wait is to be done in another way.
     *
     * @param deadline nanoTime, or {@link ClientConnection#FOREVER}
     */
    static void await(Reply<?> reply, long deadline) throws InterruptedException {
        Request<?, ?> request = reply.request();
        if (request != null && request.endpoint().isLentByKernel() && Caller.lends()) {
            CURRENT.get().awaitAnswer(reply, deadline);
        }
    }

    /** The same for who does not stop for an interrupt: that is for afterwards, and lending goes on. */
    static void awaitUninterruptibly(Reply<?> reply) {
        boolean interrupted = false;
        boolean waits = true;
        while (waits) {
            try {
                await(reply, ClientConnection.FOREVER);
                waits = false;
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    private void awaitAnswer(Reply<?> reply, long deadline) throws InterruptedException {
        Request<?, ?> lentTo = null;
        while (!reply.isDone()) {
            Request<?, ?> request = reply.request();
            if (request == null || request == lentTo) {
                return; // the server has put it off
            }
            int server = request.lendsTo();
            if (server == 0) {
                if (request == reply.request()) {
                    return;
                }
                continue; // it has been forwarded meanwhile
            }
            MemorySegment word = words.asSlice(4L * (next++ & (WORDS - 1)), Integer.BYTES);
            WORD.setVolatile(word, 0L, server);
            request.lent(word); // before the last look for the answer: who answers does it the other way round
            lentTo = request;
            if (request.lendsTo() == server && !lend(request, reply, word, deadline)) {
                return;
            }
        }
    }

    /** Waits until the server has let go of the word, or has answered; false: the deadline has come, or the server has gone. */
    private static boolean lend(Request<?, ?> request, Reply<?> reply, MemorySegment word, long deadline)
            throws InterruptedException {
        int result = -Errno.ETIMEDOUT;
        while (result != 0 && !reply.isDone()) {
            long now = System.nanoTime();
            if (result == -Errno.ESRCH || (deadline != ClientConnection.FOREVER && deadline - now <= 0)) {
                return false;
            }
            if (Thread.interrupted()) {
                throw new InterruptedException("while " + request + " was to be answered");
            }
            if (result == -Errno.EDEADLK) {
                throw new IllegalStateException(request
                        + ": its server waits, by way of others, for the calling thread itself: a cycle of calls");
            }
            long most = now + ClientConnection.LOOK_AROUND_NANOS;
            boolean soon = deadline != ClientConnection.FOREVER && deadline - most < 0;
            result = Futex.lockPi(word, soon ? deadline : most, Futex.Scope.PRIVATE);
        }
        return true;
    }
}
