package ayatori.server;

import ayatori.internal.shm.ConnectionMemory;
import ayatori.internal.shm.ConnectionMemory.Answer;
import ayatori.internal.shm.ConnectionMemory.Descriptor;
import java.util.Objects;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * A request of a client in another process, from the server's side: the slot in the memory that both share. What it says has been
 * read once, and checked.
 */
final class RemoteRequest {
    private final Connection connection;
    private final int slot;
    private final Descriptor descriptor;
    private final Area area;
    /** Changes when it is forwarded. */
    private volatile @Nullable Request<?, Area> request;
    /** Of the slot, as it should be. */
    private volatile int state;
    /** The same, before it was forwarded last. */
    private volatile int stateBefore;

    private final AtomicBoolean over = new AtomicBoolean();

    RemoteRequest(Connection connection, int slot, int state, Descriptor descriptor) {
        this.connection = connection;
        this.slot = slot;
        this.state = state;
        this.descriptor = descriptor;
        this.area = new Area(connection, descriptor.offset(), descriptor.size(), descriptor.length(), false);
    }

    Area area() {
        return area;
    }

    void of(Request<?, Area> newRequest) {
        request = newRequest;
    }

    boolean lends() {
        return (descriptor.flags() & ConnectionMemory.LENDS) != 0 && connection.isLentTo();
    }

    /** The same while a server works on it: for an answer that is to be announced, perhaps nobody waits. */
    boolean isWaitedFor() {
        return lends() && (descriptor.flags() & ConnectionMemory.ASYNCHRONOUS) == 0;
    }

    /** If the client has given it up, or is gone. */
    boolean isAbandoned() {
        return connection.isGone() || ConnectionMemory.phase(memory().state(slot)) == ConnectionMemory.ABANDONED;
    }

    /** If it waits for a server, or one works on it. */
    boolean isServed() {
        Request<?, Area> now = request;
        return now == null || now.waits() || now.server() != null;
    }

    /** Takes it for the calling thread; false: nobody wants the answer any more. */
    boolean take() {
        int submitted = state;
        if (!memory().take(slot, submitted, lends() ? Caller.id() : 0)) {
            return false;
        }
        state = ConnectionMemory.withPhase(submitted, ConnectionMemory.TAKEN);
        return true;
    }

    /** The calling thread does not work on it any more, and is lent nothing for it. */
    void putOff() {
        if (lends()) {
            var _ = memory().letGo(slot, state, Caller.id());
        }
    }

    /** Another endpoint's server is to answer, from now on. */
    <P> void goesTo(Request<P, ?> next) {
        int now = state;
        stateBefore = now;
        if (memory().resubmit(slot, now, lends() ? next.endpoint().lendsTo() : 0)) {
            state = ConnectionMemory.resubmitted(now);
        }
        remember(next);
    }

    /** It has not been accepted there. */
    void comesBackTo(Request<?, ?> former) {
        int taken = stateBefore;
        if (memory().bringBack(slot, state, taken)) {
            state = taken;
        }
        remember(former);
    }

    /**
     * A server in another process is to answer the client, from now on, by the client's own memory.
     *
     * @return false: nobody wants the answer any more
     */
    boolean delegate(Area handed, int priority, ClientConnection to) throws InterruptedException {
        requireOwn(handed);
        int guest = to.introductions().introduce(connection);
        handed.handOver();
        if (over.get()) { // somebody has failed it, and waited for that
            return false;
        }
        memory().length(slot, handed.length());
        int taken = state;
        int submitted = ConnectionMemory.resubmitted(taken);
        Connection.Delegation delegation = connection.delegates(slot, this, to, submitted, descriptor.flags());
        if (!memory().resubmit(slot, taken, lends() ? to.lendsTo() : 0)) {
            connection.comesBack(slot, this);
            giveBack();
            return false;
        }
        try {
            to.submitDelegated(priority, guest, slot, isWaitedFor());
        } catch (RejectedExecutionException | InterruptedException e) {
            if (connection.takesBack(slot, delegation, this)) {
                var _ = memory().bringBack(slot, submitted, taken); // or the client has given up
                throw e;
            }
            // The other server's end has been found out, and been the client's answer.
            if (e instanceof InterruptedException) {
                Thread.currentThread().interrupt();
            }
        }
        over.set(true);
        if (lends()) {
            var _ = memory().letGo(slot, taken, Caller.id());
        }
        return true;
    }

    @SuppressWarnings("unchecked") // a request is answered by the type that it was made with
    private void remember(Request<?, ?> now) {
        request = (Request<?, Area>) now;
    }

    /** It has been accepted there: who waits for the answer goes on to wait for that server. */
    void hasGone() {
        if (lends()) {
            var _ = memory().letGo(slot, stateBefore, Caller.id());
        }
    }

    /**
     * Ends the server's access to the area.
     *
     * @return how many bytes of it count
     */
    long takeBack(@Nullable Object result) {
        Area back = (Area) Objects.requireNonNull(result, "the result: a client in another process gets its area back");
        requireOwn(back);
        long length = back.length();
        back.handOver();
        return length;
    }

    private void requireOwn(Area back) {
        if (back.home() != connection || back.offset() != descriptor.offset()) {
            throw new IllegalArgumentException(back + " is not that which the request came with: " + area);
        }
    }

    /** Answers with the area; false: nobody wants the answer any more. */
    boolean answer(long length) {
        return answer(new Answer(ConnectionMemory.RESULT, length, ""));
    }

    /**
     * Answers with what has failed, as soon as no thread has the area any more: the client uses its memory again from then on.
     *
     * @return false: nobody wants the answer any more
     */
    boolean fail(Throwable cause) {
        boolean rejected = cause instanceof RejectedExecutionException;
        int kind = rejected ? ConnectionMemory.REJECTION : ConnectionMemory.FAILURE;
        Answer failure = new Answer(kind, 0, words(cause, rejected));
        AtomicBoolean wanted = new AtomicBoolean(!isAbandoned());
        area.revoke(() -> wanted.set(answer(failure)));
        return wanted.get();
    }

    /** An exception is a user's class, too: one that cannot be put into words must not cost the client its answer. */
    private static String words(Throwable cause, boolean messageOnly) {
        try {
            return String.valueOf(messageOnly ? cause.getMessage() : cause.toString());
        } catch (RuntimeException e) {
            return cause.getClass().getName();
        }
    }

    /** Nobody wants the answer any more: the slot and the area go back. */
    void giveBack() {
        var _ = answer(new Answer(ConnectionMemory.REJECTION, 0, ""));
    }

    private boolean answer(Answer answer) {
        if (over.getAndSet(true)) {
            return false;
        }
        boolean wanted = !connection.isGone();
        int now = state;
        connection.finishes(slot, this);
        // Who is gone, or is being told that this server is, is to find nothing else.
        Connection.Given given = wanted
                ? connection.answer(slot, descriptor.flags(), answer)
                : new Connection.Given(false, false, false);
        boolean wakes = given.rung();
        if (lends()) {
            wakes |= memory().letGo(slot, now, Caller.id());
        }
        if (given.waiter()) {
            wakes = true;
            memory().wakeStateWaiter(slot);
        }
        connection.finished();
        Request<?, Area> answered = request;
        if (answered != null) {
            answered.endpoint().counters().answered(wakes);
        }
        return wanted && given.wanted();
    }

    /** The client's process, or its connection, is gone. */
    void clientGone() {
        Request<?, Area> now = request;
        if (now != null) {
            now.clientGone(this);
        }
    }

    private ConnectionMemory memory() {
        return connection.memory();
    }
}
