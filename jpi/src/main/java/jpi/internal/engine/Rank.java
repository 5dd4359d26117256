package jpi.internal.engine;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Function;
import jpi.JBuffer;
import jpi.JException;
import org.jspecify.annotations.Nullable;

/** A rank of this JVM: who it is, its mailbox, and the ways to the others. */
public final class Rank {
    private static final ScopedValue<Rank> CURRENT = ScopedValue.newInstance();

    /** The only one of this JVM. */
    private static volatile @Nullable Rank alone;

    private static final int LOOKS_A_NAP = 16;

    /** After COMM_WORLD and COMM_SELF. */
    private static final int FIRST_COMMUNICATOR = 2;

    /** Each has two contexts. */
    private static final int LAST_COMMUNICATOR = Integer.MAX_VALUE / 2;

    private final World world;
    private final int number;
    private final Mailbox mailbox;
    private volatile long sent;
    /** Null: has none that could be raised. */
    private volatile @Nullable RankThread thread;

    private volatile @Nullable Object handle;
    /** Looks that have found nothing; several threads may lose some. */
    private int looks;
    /** Of those that it has given a number. */
    private final AtomicInteger communicators = new AtomicInteger();

    Rank(World world, int number, Bell bell) {
        this.world = world;
        this.number = number;
        mailbox = new Mailbox(world, number, bell);
    }

    /** Runs something as this rank. */
    public void run(Runnable body) {
        RankThread own = thread == null ? RankThread.ofCurrent(world.levels()) : null; // not of what it starts besides
        if (own == null) {
            ScopedValue.where(CURRENT, this).run(body);
            return;
        }
        thread = own;
        try {
            ScopedValue.where(CURRENT, this).run(body);
        } finally {
            own.end();
        }
    }

    @Nullable
    RankThread thread() {
        return thread;
    }

    /** Says that no other rank is of this JVM: all its threads are this one. */
    public void setAlone() {
        alone = this;
    }

    /**
     * The rank that the calling thread is, or else the only one of this JVM.
     *
     * @throws IllegalStateException if there is none
     */
    public static Rank current() {
        if (CURRENT.isBound()) {
            return CURRENT.get();
        }
        Rank only = alone;
        if (only == null) {
            throw new IllegalStateException(
                    "this thread is no rank: start the program with jpi.JRun; where threads of a program's own"
                            + " pass messages, with -np and one rank a worker, so that they can be told whose they are");
        }
        return only;
    }

    /** What the program sees of it: made once, for collective operations are counted there. */
    public Object handle(Function<Rank, ?> make) {
        Object made = handle;
        return made == null ? makeHandle(make) : made;
    }

    private synchronized Object makeHandle(Function<Rank, ?> make) {
        Object made = handle;
        if (made == null) {
            made = make.apply(this);
            handle = made;
        }
        return made;
    }

    /** Its number in the whole program. */
    public int number() {
        return number;
    }

    /** How many there are in the whole program. */
    public int ranks() {
        return world.layout().ranks();
    }

    /** What the user has chosen. */
    public Settings settings() {
        return world.settings();
    }

    /** The JVM in which a rank lives. */
    public int workerOf(int rank) {
        return world.layout().workerOf(rank);
    }

    World world() {
        return world;
    }

    /** A number for a communicator that none has of those that any rank is in: each rank gives numbers of its own. */
    public int newCommunicator() {
        long id = FIRST_COMMUNICATOR + (long) communicators.getAndIncrement() * ranks() + number;
        if (id > LAST_COMMUNICATOR) {
            throw new JException("rank " + number + " has made " + (communicators.get() - 1)
                    + " communicators, and no more can be told apart: make them once, and use them again");
        }
        return (int) id;
    }

    Mailbox mailbox() {
        return mailbox;
    }

    long sent() {
        return sent;
    }

    /** How a message goes. */
    public enum Mode {
        /** The call may return before the message is taken. */
        STANDARD,
        /** It ends when the message is taken. */
        SYNCHRONOUS,
        /** Objects are copied, so that the receiver has its own. */
        ISOLATED,
        /** Both. */
        ISOLATED_SYNCHRONOUS;

        /** The same, but that it ends when the message is taken. */
        public Mode synchronous() {
            return isIsolated() ? ISOLATED_SYNCHRONOUS : SYNCHRONOUS;
        }

        boolean isSynchronous() {
            return this == SYNCHRONOUS || this == ISOLATED_SYNCHRONOUS;
        }

        boolean isIsolated() {
            return this == ISOLATED || this == ISOLATED_SYNCHRONOUS;
        }
    }

    /**
     * Sends a message.
     *
     * @param destination number of a rank
     * @param source how the receiver is to see this one
     * @return when the sender may use its memory again, or the message has been taken; null: at once
     */
    @SuppressWarnings("NonAtomicVolatileUpdate") // a count; several threads of one rank are rare
    public @Nullable Sending send(
            int destination, int context, int source, int tag, int priority, @Nullable Object body, Mode mode) {
        world.check();
        sent++;
        return world.route(destination).send(this, new Envelope(context, source, tag, priority), body, mode);
    }

    /**
     * Begins to receive a message.
     *
     * @param sender number of the rank that it is to come from, or {@link Receive#ANY}
     */
    public Receive receive(Receive.Kind kind, int context, int source, int tag, int sender, @Nullable JBuffer sink) {
        return mailbox.start(new Receive(mailbox, kind, context, source, tag, sender, sink));
    }

    /** Begins to receive a message that has been claimed. */
    public Receive receive(Receive claim, @Nullable JBuffer sink) {
        Receive receive =
                new Receive(mailbox, Receive.Kind.TAKE, claim.context, claim.source, claim.tag, claim.sender, sink);
        receive.take(claim.message());
        return receive;
    }

    /** Waits for what has begun. */
    public void await(Completion wanted) {
        if (!wanted.isDone()) {
            mailbox.await(wanted);
        }
    }

    /** Lets what has come happen. */
    public void progress() {
        world.poll(null);
        mailbox.tend();
        giveWay();
    }

    /**
     * Nobody takes the CPU from a virtual thread: one that asks again and again is to let the others in. Among those that only give
     * way the scheduler does not come to the ones that another kind of thread has woken, so that now and then it sleeps a moment.
     */
    @SuppressWarnings("ThreadPriorityCheck") // to give way, not to come before others
    private void giveWay() {
        if (!Thread.currentThread().isVirtual()) {
            return;
        }
        if (++looks % LOOKS_A_NAP == 0) {
            LockSupport.parkNanos(1);
        } else {
            Thread.yield();
        }
    }

    /** Gives up a receive, unless its message has come. */
    public void giveUp(Receive receive) {
        mailbox.giveUp(receive);
        giveWay();
    }
}
