package ayatori.server;

import ayatori.internal.inheritance.Inheritance;
import ayatori.internal.shm.ConnectionMemory;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** The answer of a server in another process. Who waits for it does so in the kernel, on the slot itself. */
final class SharedReply extends Reply<Area> {
    // In place of a collector's id.
    private static final int NOBODY = 0;
    /** The slot is no longer this reply's. */
    private static final int DONE = -1;

    private static final VarHandle LENDERS = Lenders.field(MethodHandles.lookup(), SharedReply.class);

    private final ClientConnection connection;
    private final int slot;
    private final Area area;
    private final boolean lends;
    /** Linux id of the thread that waits for the slot, and sees to what becomes of it. */
    private final AtomicInteger collector = new AtomicInteger(NOBODY);
    /** Others that wait: they lend the collector their priorities, which the kernel hands on. Null as long as there are none. */
    private volatile @Nullable Lenders lenders;

    SharedReply(ClientConnection connection, int slot, int priority, Area area, boolean lends) {
        super(priority);
        this.connection = connection;
        this.slot = slot;
        this.area = area;
        this.lends = lends;
    }

    int slot() {
        return slot;
    }

    /** If who waits for it lends its priority through the kernel. */
    boolean lends() {
        return lends;
    }

    /** The thread that is to be lent the priorities of others that wait; 0: there is none. */
    int collector() {
        return Math.max(NOBODY, collector.get());
    }

    /** Those who wait, but not for the slot itself, for one who is about to. */
    Lenders lenders() {
        return Lenders.in(LENDERS, this);
    }

    /**
     * Waits for no longer than until a deadline: for the slot, or, if another does so, for that one, and in its place when it
     * gives up.
     */
    void awaitAnswer(long deadline) throws InterruptedException {
        int other;
        while ((other = collector.compareAndExchange(NOBODY, Caller.id())) != NOBODY) {
            KernelLoan.awaitCollector(this, deadline);
            if (collector.get() == other) {
                return; // the slot is done with, or the deadline has come
            }
        }
        boolean answered = false;
        try {
            answered = connection.await(this, deadline);
        } finally {
            collected(answered);
            Lenders others = lenders;
            if (others != null) {
                others.letGo();
            }
        }
    }

    /** The calling thread waits for the slot no more. */
    private void collected(boolean answered) {
        if (answered) {
            collector.set(DONE);
            collect();
            return;
        }
        collector.set(NOBODY);
        if (connection.isOver()) {
            serverDied();
        } else {
            announced(); // it may have been meanwhile, and been left to this thread
        }
    }

    /** The server has given the slot back, or may have. */
    void announced() {
        if (connection.isAnswered(slot) && collector.compareAndSet(NOBODY, DONE)) {
            collect();
        }
    }

    /** Nobody will answer any more. */
    void serverDied() {
        announced();
        if (collector.compareAndSet(NOBODY, DONE)) {
            connection.free(slot);
            connection.release(area);
            completeExceptionally(connection.death());
        }
    }

    private void collect() {
        ConnectionMemory.Answer answer = connection.answer(slot);
        boolean fits = answer.length() >= 0 && answer.length() <= area.size();
        if (answer.kind() == ConnectionMemory.RESULT && fits) {
            connection.handedOver(slot, answer.length());
        }
        connection.free(slot);
        switch (answer.kind()) {
            case ConnectionMemory.RESULT -> {
                if (!fits) {
                    connection.release(area);
                    finish(null, connection.death());
                } else {
                    Area result = area.returned(answer.length());
                    if (isDone() || !finish(result, null)) {
                        result.close(); // nobody wants it
                    }
                }
            }
            case ConnectionMemory.REJECTION -> {
                connection.release(area);
                finish(null, new RejectedExecutionException(answer.text()));
            }
            default -> {
                connection.release(area);
                finish(null, new ServerException(answer.text()));
            }
        }
    }

    /** Stages that depend on it run in the thread that completes it: at the priority of the request. */
    // That priorities can be relied on is what this is for; there is a result where there is no failure.
    @SuppressWarnings({"ThreadPriorityCheck", "NullAway"})
    private boolean finish(@Nullable Area result, @Nullable Throwable failure) {
        Thread thread = Thread.currentThread();
        int before = thread.getPriority();
        boolean lowers = before > priority() && getNumberOfDependents() > 0 && connection.isWatcher(thread);
        if (lowers) {
            thread.setPriority(priority());
        }
        try {
            return failure == null ? complete(result) : completeExceptionally(failure);
        } finally {
            if (lowers) {
                thread.setPriority(before);
            }
        }
    }

    /** Nobody wants the answer, also if it has just come. */
    void giveUp() {
        if (!cancel(false) && !isCompletedExceptionally()) {
            resultNow().close();
        }
    }

    /** Unless that comes of the slot itself, the answer is not wanted any more. */
    @Override
    void completed() {
        if (collector.get() != DONE && !connection.abandon(slot, () -> collector.get() != DONE)) {
            announced();
        }
    }

    @Override
    public Area get() throws InterruptedException, ExecutionException {
        if (!isDone() && !Thread.currentThread().isVirtual()) {
            awaitAnswer(Deadline.FOREVER);
        }
        return super.get();
    }

    @Override
    public Area get(long timeout, TimeUnit unit) throws InterruptedException, ExecutionException, TimeoutException {
        long nanos = unit.toNanos(timeout);
        return nanos > 0 ? getUntil(System.nanoTime() + nanos) : getWithin(0, unit);
    }

    /** The same, with a deadline in nanoTime. */
    Area getUntil(long deadline) throws InterruptedException, ExecutionException, TimeoutException {
        if (deadline == Deadline.FOREVER) {
            return get();
        }
        if (!isDone() && !Thread.currentThread().isVirtual()) {
            awaitAnswer(deadline);
        }
        return isDone() ? super.get() : getWithin(Math.max(0, deadline - System.nanoTime()), TimeUnit.NANOSECONDS);
    }

    @Override
    String asked() {
        return connection.server();
    }

    @Override
    public Area join() {
        if (!isDone() && !Thread.currentThread().isVirtual()) {
            Inheritance.uninterruptibly(() -> awaitAnswer(Deadline.FOREVER));
        }
        return super.join();
    }
}
