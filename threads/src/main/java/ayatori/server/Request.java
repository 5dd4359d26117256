package ayatori.server;

import ayatori.internal.inheritance.Inheritance;
import ayatori.internal.inheritance.Loan;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * What a client asks a server for. Whoever has taken it answers it once: by {@link #reply}, {@link #fail} or {@link #forward},
 * at once or later, from any thread. A client that lends its priority through the kernel may hear of an answer
 * up to 100 ms late if another thread gives it than has taken the request, as long as that has not gone on to the next one.
 * Thread-safe.
 *
 * @param <Q> what is asked
 * @param <R> what is answered
 */
public final class Request<Q, R> {
    /** In place of a server: taken, but nobody works on it at the moment. */
    private static final Object PUT_OFF = new Object();
    /** In place of a server: answered, forwarded or withdrawn. */
    private static final Object OVER = new Object();

    private static final VarHandle LENDERS = Lenders.field(MethodHandles.lookup(), Request.class);

    private final Endpoint<Q, R> endpoint;
    private final Q body;
    private final Reply<R> reply;
    private final int priority;
    private final long arrival;
    /** Null while it waits, then the {@link ServerThread}, then PUT_OFF or OVER. */
    private final AtomicReference<@Nullable Object> holder = new AtomicReference<>();
    /** Who waits for the answer and lends its priority through the kernel; null as long as nobody has. */
    private volatile @Nullable Lenders lenders;
    /** A sender that waits for room in the queue. */
    private volatile @Nullable Thread sender;
    /** The same if it lends its priority through the kernel meanwhile. */
    private volatile @Nullable Lenders lendsForRoom;

    /** The client's side if that is in another process. */
    private final @Nullable RemoteRequest remote;

    Request(Endpoint<Q, R> endpoint, Q body, Reply<R> reply, int priority, @Nullable RemoteRequest remote) {
        this.endpoint = endpoint;
        this.body = body;
        this.reply = reply;
        this.priority = priority;
        this.remote = remote;
        arrival = endpoint.queue().ages() ? System.nanoTime() : 0;
    }

    /** What is asked. */
    public Q body() {
        return body;
    }

    /** The Java priority at which it was sent, 1 to 10. */
    public int priority() {
        return priority;
    }

    /** The Java priority that it has now: its own, or that of the most important thread that waits for the answer. */
    public int level() {
        Loan lent = reply.loan();
        return lent == null ? priority : Math.max(priority, lent.priority());
    }

    /** If nobody wants the answer any more: it has one, or has been cancelled. */
    public boolean isDone() {
        return reply.isDone() || (remote != null && remote.isAbandoned());
    }

    /**
     * Answers.
     *
     * @param result may be null, unless the client is in another process: that gets its area back
     * @return false if nobody wants the answer any more, or another server gives it
     * @throws IllegalArgumentException if the result is another area than that which the request came with
     * @throws WrongThreadException if another thread has the area
     */
    public boolean reply(R result) {
        if (isForwarded()) {
            return false;
        }
        RemoteRequest client = remote;
        long length = client == null ? 0 : client.takeBack(result);
        boolean wanted = reply.complete(result);
        if (client != null) {
            wanted = client.answer(length) && wanted;
        } else if (wanted) {
            endpoint.counters().answered(reply.isAwaited());
        }
        release(OVER);
        return wanted;
    }

    /**
     * Answers with an exception, which the client gets as the cause of an ExecutionException; in another process a
     * {@link ServerException} with its words. If another thread of this process has that client's area, the answer goes when that one
     * has given it up: by an answer of its own, {@link Area#transfer} or {@link Area#close}.
     *
     * @return false if nobody wants the answer any more, or another server gives it
     */
    public boolean fail(Throwable cause) {
        if (isForwarded()) {
            return false;
        }
        boolean wanted = reply.completeExceptionally(cause);
        RemoteRequest client = remote;
        if (client != null) {
            wanted = client.fail(cause) && wanted;
        } else if (wanted) {
            endpoint.counters().answered(reply.isAwaited());
        }
        release(OVER);
        return wanted;
    }

    /**
     * Has another server answer the client. What is lent to this request goes along.
     *
     * @param to the other server's endpoint
     * @param newBody what that is asked
     * @throws RejectedExecutionException if that endpoint is closed; this request is still to be answered
     * @throws IllegalArgumentException if the request's priority is above that endpoint's ceiling; the same
     */
    public <P> void forward(Endpoint<P, R> to, P newBody) {
        Request<P, R> next = new Request<>(to, newBody, reply, priority, remote);
        RemoteRequest client = remote;
        if (client != null) {
            client.goesTo(next);
        }
        try {
            to.accept(next);
        } catch (RejectedExecutionException | IllegalArgumentException e) {
            reply.of(this);
            if (client != null) {
                client.comesBackTo(this);
            }
            handOn();
            throw e;
        }
        if (client != null) {
            client.hasGone();
        }
        release(OVER);
        handOn(); // this server may be the other's too, and free now
    }

    /** The same to another process, where the client's own memory goes along; false: that is not possible, the client is here. */
    boolean delegate(ClientConnection to, Area area) throws InterruptedException {
        RemoteRequest client = remote;
        if (client == null) {
            return false;
        }
        var _ = client.delegate(area, level(), to);
        release(OVER);
        return true;
    }

    /** What is lent to the request finds whoever has it now. */
    private void handOn() {
        Loan lent = reply.loan();
        if (lent != null) {
            Inheritance.begun(lent);
        }
    }

    /** If another server answers. */
    private boolean isForwarded() {
        Request<?, R> now = reply.request();
        return now != null && now != this;
    }

    /** Answered, forwarded or withdrawn. */
    boolean isOver() {
        return holder.get() == OVER;
    }

    Endpoint<Q, R> endpoint() {
        return endpoint;
    }

    Reply<R> replyFuture() {
        return reply;
    }

    /** When it came, nanoTime; 0 where requests do not age. */
    long arrival() {
        return arrival;
    }

    /** Who works on it, if somebody does. */
    @Nullable
    ServerThread server() {
        return holder.get() instanceof ServerThread server ? server : null;
    }

    boolean waits() {
        return holder.get() == null;
    }

    /** Takes it for a server; false if another has, or nobody wants it any more. */
    boolean take(ServerThread server) {
        if (!leaveQueue(server)) {
            return false;
        }
        if (remote == null || remote.take()) {
            return true;
        }
        holder.set(OVER);
        cancelled();
        Inheritance.withdrawn(reply.loan());
        return false;
    }

    /** It has been cancelled while it waited: nobody will take it. */
    void cancelled() {
        endpoint.withdrawn(this);
        if (remote != null) {
            remote.giveBack();
        }
    }

    /** Linux id of the thread to which who waits can lend its priority through the kernel, or {@link KernelLoan#LATER}; 0: none. */
    int lendsTo() {
        if (!endpoint.isLentByKernel()) {
            return 0;
        }
        Object now = holder.get();
        if (now == null) {
            int sole = endpoint.lendsTo();
            return sole == 0 ? KernelLoan.LATER : sole;
        }
        return now instanceof ServerThread server ? server.id() : 0;
    }

    /** Those who wait for the answer and lend their priorities through the kernel, for one who is about to. */
    Lenders lenders() {
        return Lenders.in(LENDERS, this);
    }

    /** What they wait for is over, or no longer the calling thread's. */
    void letGo() {
        Lenders now = lenders;
        if (now != null) {
            now.letGo();
        }
    }

    /** If the kernel lends the priority of who waits for the answer, in another process. */
    boolean isLentByKernel() {
        return remote != null && remote.isWaitedFor();
    }

    /** The client's process, or its connection, is gone. */
    void clientGone(RemoteRequest client) {
        boolean waited = withdraw();
        if (waited) {
            endpoint.withdrawn(this);
            Inheritance.withdrawn(reply.loan());
        }
        reply.cancel(false);
        if (waited) {
            client.giveBack();
        }
    }

    /** Takes it so that nobody answers it; false if a server has it. */
    boolean withdraw() {
        return leaveQueue(OVER);
    }

    private boolean leaveQueue(Object newHolder) {
        if (holder.get() != null || !holder.compareAndSet(null, newHolder)) {
            return false;
        }
        Thread waiting = sender;
        if (waiting != null) {
            LockSupport.unpark(waiting);
        }
        Lenders forRoom = lendsForRoom;
        if (forRoom != null) {
            forRoom.letGo();
        }
        Lenders now = lenders;
        if (now != null) {
            now.wake();
        }
        return true;
    }

    /** The server goes on to something else without having answered. */
    void putOff() {
        release(PUT_OFF);
        if (remote != null) {
            remote.putOff();
        }
    }

    private void release(Object newHolder) {
        Object before = holder.get();
        while (before != OVER && before != newHolder && !holder.compareAndSet(before, newHolder)) {
            before = holder.get();
        }
        letGo(); // also when another thread has answered: only the one that is lent to can
        if (before instanceof ServerThread server && server.isRaised()) {
            Inheritance.ended(server, reply.loan());
        }
    }

    /**
     * Waits until the request has left the queue, or until a deadline.
     *
     * @param deadline nanoTime, or {@link Deadline#FOREVER}
     * @return false: it has been taken back
     */
    boolean awaitRoom(long deadline) throws InterruptedException {
        sender = Thread.currentThread();
        Lenders forRoom = new Lenders();
        lendsForRoom = forRoom;
        try (var _ = Inheritance.await(priority, reply::makeLoan)) {
            KernelLoan.awaitRoom(this, forRoom, deadline);
            long left = 1;
            while (waits() && !reply.isDone() && left > 0) {
                if (deadline == Deadline.FOREVER) {
                    LockSupport.park(endpoint);
                } else {
                    left = deadline - System.nanoTime();
                    LockSupport.parkNanos(endpoint, left); // not at all if it is over
                }
                if (Thread.interrupted()) {
                    throw new InterruptedException("while the queue of " + endpoint.name() + " was full");
                }
            }
        } catch (InterruptedException e) {
            reply.cancel(false);
            throw e;
        }
        return !waits() || !takeBack();
    }

    /** As if it had never come; false: a server has it. */
    private boolean takeBack() {
        if (!withdraw()) {
            return false;
        }
        cancelled();
        reply.cancel(false);
        Inheritance.withdrawn(reply.loan());
        return true;
    }

    @Override
    public String toString() {
        return "request to " + endpoint.name() + " at Java priority " + priority;
    }
}
