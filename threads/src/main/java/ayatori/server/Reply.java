package ayatori.server;

import ayatori.internal.inheritance.Carrier;
import ayatori.internal.inheritance.Inheritance;
import ayatori.internal.inheritance.Loan;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * The answer to a request, to come. It can be polled, awaited, timed out, composed and cancelled like any
 * {@link CompletableFuture}.
 *
 * <p><b>Priority.</b> While a platform thread that is more important than the request waits in {@code get} or {@code join}, the
 * request has that thread's priority, and under {@link PriorityProtocol#VPSET} so has the server that works on it, and
 * whoever that waits for in turn. When the thread has its answer, or gives up, that is over.
 *
 * <p>{@link #cancel} takes the request back if no server has taken it yet; a server that has is not disturbed, and its answer is
 * dropped. So does whatever else completes it instead of the server: {@link #orTimeout}, {@link #complete}. Thread-safe.
 *
 * @param <R> what is answered
 */
public sealed class Reply<R> extends CompletableFuture<R> permits SharedReply {
    private static final VarHandle WAITING;

    static {
        try {
            WAITING = MethodHandles.lookup().findVarHandle(Reply.class, "waiting", int.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private final int priority;
    /** Threads that wait, and that waited when the answer came. */
    private volatile int waiting;
    /** The request, or, once that has been forwarded, the one that took its place. */
    private volatile @Nullable Request<?, R> request;
    /** What more important threads lend to it; null as long as none has. */
    private volatile @Nullable Loan loan;

    /** What is lent to the request, and how that finds the server. */
    private final class RequestLoan extends Loan {
        @Override
        protected int own() {
            return priority;
        }

        @Override
        protected @Nullable Carrier carrier() {
            Request<?, R> now = request;
            return now == null || now.endpoint().protocol() != PriorityProtocol.VPSET ? null : now.server();
        }

        @Override
        protected boolean waits() {
            Request<?, R> now = request;
            return now != null && now.waits() && !Reply.this.isDone();
        }

        @Override
        protected boolean isDone() {
            return Reply.this.isDone();
        }

        @Override
        protected void raiseInQueue(int level) {
            Request<?, R> now = request;
            if (now != null) {
                raise(now, level);
            }
        }

        private <Q> void raise(Request<Q, R> now, int level) {
            now.endpoint().queue().raise(now, level);
        }

        @Override
        protected @Nullable Carrier soonestBelow(int level) {
            Request<?, R> now = request;
            return now == null ? null : now.endpoint().soonestBelow(level);
        }
    }

    Reply(int priority) {
        this.priority = priority;
    }

    /** The Java priority of the request. */
    final int priority() {
        return priority;
    }

    /** Which request it is the answer to; null: there is none in this process. */
    final @Nullable Request<?, R> request() {
        return request;
    }

    /** Which request it is the answer to, from now on. */
    void of(Request<?, R> newRequest) {
        request = newRequest;
    }

    /** What is lent to the request; null if nothing ever was. */
    @Nullable
    Loan loan() {
        return loan;
    }

    /** The same, made if need be; with the lock of {@link Inheritance} held. */
    Loan makeLoan() {
        Loan made = loan;
        if (made == null) {
            made = new RequestLoan();
            loan = made;
        }
        return made;
    }

    /** If a thread waits, or, once the answer is there, waited for it. */
    boolean isAwaited() {
        return waiting != 0;
    }

    /** Registered before it looks for the answer the last time, so that who answers sees it. */
    private void beginWait() {
        var _ = (int) WAITING.getAndAdd(this, 1);
    }

    /** Who has got its answer stays registered: who gave it looks afterwards. */
    private void endWait() {
        if (!isDone()) {
            var _ = (int) WAITING.getAndAdd(this, -1);
        }
    }

    @Override
    public boolean complete(R value) {
        return over(super.complete(value));
    }

    @Override
    public boolean completeExceptionally(Throwable failure) {
        return over(super.completeExceptionally(failure));
    }

    @Override
    public boolean cancel(boolean mayInterrupt) {
        return over(super.cancel(mayInterrupt));
    }

    private boolean over(boolean completed) {
        if (completed) {
            completed();
        }
        return completed;
    }

    /** By an answer, or by whoever does not want one any more: then the request is taken back, if no server has it. */
    void completed() {
        Request<?, R> now = request;
        if (now != null) {
            now.letGo(); // the server itself may have completed it, and go on with the request
            if (now.withdraw()) {
                now.cancelled();
                Inheritance.withdrawn(loan);
            }
        }
    }

    /** Looks for the answer for a moment, if that pays. */
    private boolean comesSoon(long deadline) {
        Request<?, R> now = request;
        return now != null
                && Reply.class.getModule().isNativeAccessEnabled()
                && !Thread.currentThread().isVirtual()
                && now.endpoint().forAnswers().finds(this::isDone, deadline, Caller.lends());
    }

    @Override
    public R get() throws InterruptedException, ExecutionException {
        if (isDone() || comesSoon(Deadline.FOREVER)) {
            return super.get();
        }
        beginWait();
        try (var _ = Inheritance.await(priority, this::makeLoan)) {
            KernelLoan.await(this, Deadline.FOREVER);
            return super.get();
        } finally {
            endWait();
        }
    }

    @Override
    public R get(long timeout, TimeUnit unit) throws InterruptedException, ExecutionException, TimeoutException {
        if (isDone() || timeout <= 0) {
            return getWithin(timeout, unit);
        }
        long deadline = System.nanoTime() + unit.toNanos(timeout);
        if (comesSoon(deadline)) {
            return super.get();
        }
        beginWait();
        try (var _ = Inheritance.await(priority, this::makeLoan)) {
            KernelLoan.await(this, deadline);
            return getWithin(Math.max(0, deadline - System.nanoTime()), TimeUnit.NANOSECONDS);
        } finally {
            endWait();
        }
    }

    /** Waits in vain for nobody in particular: says whom the answer is wanted of. */
    final R getWithin(long timeout, TimeUnit unit) throws InterruptedException, ExecutionException, TimeoutException {
        try {
            return super.get(timeout, unit);
        } catch (TimeoutException e) {
            TimeoutException late = new TimeoutException("no answer of " + asked() + " in time");
            late.initCause(e);
            throw late;
        }
    }

    /** Who is to answer, in words. */
    String asked() {
        Request<?, R> now = request;
        return now == null ? "the server" : "endpoint " + now.endpoint().name();
    }

    @Override
    public R join() {
        if (isDone() || comesSoon(Deadline.FOREVER)) {
            return super.join();
        }
        beginWait();
        try (var _ = Inheritance.await(priority, this::makeLoan)) {
            Inheritance.uninterruptibly(() -> KernelLoan.await(this, Deadline.FOREVER));
            return super.join();
        } finally {
            endWait();
        }
    }

    /** Dependent stages are no requests of their own. */
    @Override
    public <U> CompletableFuture<U> newIncompleteFuture() {
        return new CompletableFuture<>();
    }
}
