package jpi.internal.engine;

import ayatori.internal.linux.KernelException;
import ayatori.internal.linux.Sched;
import java.io.IOException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import java.util.function.Supplier;
import jpi.JBuffer;
import jpi.JException;
import jpi.JStatus;
import jpi.internal.objects.EncodedBytes;
import jpi.internal.shm.Assembly;
import jpi.internal.shm.WindowMemory;
import org.jspecify.annotations.Nullable;

/** A rank of this JVM: who it is, its mailbox, and the ways to the others. */
public final class Rank {
    private static final ScopedValue<Rank> CURRENT = ScopedValue.newInstance();

    /** The only one of this JVM. */
    private static volatile @Nullable Rank alone;

    /** Two cache lines of numbers at least: the one in the middle has a line of its own. */
    private static final int LENGTH = 16;

    private static final int SENT = LENGTH / 2;
    private static final int LOOKED = SENT + 1;
    /** By threads that are not the rank's own. */
    private static final int SENT_BESIDES = LOOKED + 1;

    /** Before a rank looks at what else has come. */
    private static final int LOOKS_AT_ONCE = 4;
    /** So often a rank does not let others go on if none that it waits for is known to need its CPU: some microseconds. */
    private static final int MOST_STAYS = 10;
    /** Ranks that let each other go on are seldom moved. */
    private static final int ASKS_A_CPU = 32;

    private static final int LOOKS_A_NAP = 16;
    /** Who only asks takes in so many pieces of large messages, or moves on some times as many, unless another message comes: some 2 MB. */
    private static final int PIECES_A_LOOK = 16;

    /** After COMM_WORLD and COMM_SELF. */
    private static final int FIRST_COMMUNICATOR = 2;

    /** Each has two contexts, one for its users' messages and then one for those of collective operations. */
    private static final int CONTEXTS = 2;

    private static final int LAST_COMMUNICATOR = Integer.MAX_VALUE / CONTEXTS;

    private final World world;
    private final int number;
    private final Mailbox mailbox;
    private final Watch watch;
    /** From the beginning to the end; a flight recording may want to know it besides. */
    private final boolean watched;

    /**
     * How many messages it has sent, and how often it has looked for others, in the middle: that is written at each, and those who send to
     * this rank read what lies beside. Several threads may lose looks.
     */
    private final AtomicLongArray counts = new AtomicLongArray(LENGTH);

    /** Null: has none that could be raised. */
    private volatile @Nullable RankThread thread;

    private volatile @Nullable Object handle;
    private volatile boolean finished;
    private int cpu;
    /** Threads may lose some. */
    private int cpuAsked;
    /** Looks that have found nothing; several threads may lose some. */
    private int looks;
    /** Of those that it has given a number. */
    private final AtomicInteger newCommunicators = new AtomicInteger();

    /** Threads may lose each other's. */
    private Envelope lastEnvelope = new Envelope(0, 0, 0, 0);
    /** Of the rank's own thread: the last one, which it begins again if it may. */
    private @Nullable RepeatedReceive repeated;

    /** Of the rank's own thread: for objects that are copied to another JVM at once. */
    private @Nullable EncodedBytes scratch;

    private boolean scratchIsTaken;

    private final Communicators communicators = new Communicators(FIRST_COMMUNICATOR);

    Rank(World world, int number, Bell bell) {
        this.world = world;
        this.number = number;
        mailbox = new Mailbox(world, number, bell);
        watch = new Watch(this, world.settings().statistics(), world.timeline());
        watched = watch.isWanted();
    }

    /** Runs something as this rank. */
    public void run(Runnable body) {
        watch.begin();
        mailbox.own();
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
     * @throws JException if there is none
     */
    public static Rank current() {
        if (CURRENT.isBound()) {
            return CURRENT.get();
        }
        Rank only = alone;
        if (only == null) {
            throw new JException(
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

    /** If it may exit. */
    public boolean isFinished() {
        return finished;
    }

    /** Says if it may exit. */
    public void setFinished(boolean yes) {
        finished = yes;
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
        long id = FIRST_COMMUNICATOR + (long) newCommunicators.getAndIncrement() * ranks() + number;
        if (id > LAST_COMMUNICATOR) {
            throw new JException("rank " + number + " has made " + (newCommunicators.get() - 1)
                    + " communicators, and no more can be told apart: make them once, and use them again");
        }
        return (int) id;
    }

    /** Is in a communicator from now on. */
    public Communicator enter(int id, String name, int @Nullable [] numbers) {
        Communicator entered = new Communicator(name, numbers);
        communicators.add(id, entered);
        return entered;
    }

    /** Null: the program has dropped it. */
    @Nullable
    Communicator communicator(int context) {
        return communicators.find(context / CONTEXTS);
    }

    /** The name of a communicator. */
    String nameOf(int context) {
        Communicator known = communicator(context);
        return known == null ? "communicator " + context / CONTEXTS : known.name();
    }

    /** If a message is one of a collective operation. */
    static boolean isCollective(int context) {
        return context % CONTEXTS != 0;
    }

    Mailbox mailbox() {
        return mailbox;
    }

    private void count(int what) {
        counts.setRelease(what, counts.getPlain(what) + 1);
    }

    void countSent() {
        if (mailbox.isOwn()) {
            count(SENT);
        } else {
            counts.getAndIncrement(SENT_BESIDES);
        }
    }

    long sent() {
        return counts.getAcquire(SENT) + counts.getAcquire(SENT_BESIDES);
    }

    /** It looks at what has come from other JVMs, and moves on what goes there. */
    void countLook() {
        count(LOOKED);
    }

    /** How often it has done so. */
    long looked() {
        return counts.getAcquire(LOOKED);
    }

    /** How a message goes. */
    public enum Mode {
        /** The call may return before the message is taken; to another JVM it may wait until somebody there makes room. */
        STANDARD,
        /** It returns, whatever the receiver does. */
        BUFFERED,
        /** It ends when the message is taken. */
        SYNCHRONOUS,
        /** As {@link #STANDARD}, but objects are copied, so that the receiver has its own. */
        ISOLATED,
        /** Both. */
        ISOLATED_BUFFERED,
        /** Both. */
        ISOLATED_SYNCHRONOUS;

        /** The same, but that it does not wait for the receiver. */
        public Mode buffered() {
            return isIsolated() ? ISOLATED_BUFFERED : BUFFERED;
        }

        /** The same, but that it ends when the message is taken. */
        public Mode synchronous() {
            return isIsolated() ? ISOLATED_SYNCHRONOUS : SYNCHRONOUS;
        }

        boolean isSynchronous() {
            return this == SYNCHRONOUS || this == ISOLATED_SYNCHRONOUS;
        }

        boolean isIsolated() {
            return this == ISOLATED || this == ISOLATED_BUFFERED || this == ISOLATED_SYNCHRONOUS;
        }

        /** If the receiver may keep it from beginning. */
        boolean mayWait() {
            return this == STANDARD || this == ISOLATED;
        }
    }

    /**
     * Sends a message.
     *
     * @param destination number of a rank
     * @param source how the receiver is to see this one
     * @return when the sender may use its memory again, or the message has been taken; null: at once
     */
    public @Nullable Sending send(
            int destination, int context, int source, int tag, int priority, @Nullable Object body, Mode mode) {
        world.check();
        try {
            Sending sending = isWatched()
                    ? watch.send(destination, envelope(context, source, tag, priority), body, mode)
                    : world.route(destination).send(this, envelope(context, source, tag, priority), body, mode);
            countSent();
            return sending;
        } catch (InternalError e) {
            throw world.lost(e);
        }
    }

    /** The last one, if it is the same, as programs send with it again and again; each collective operation has tags of its own. */
    private Envelope envelope(int context, int source, int tag, int priority) {
        if (isCollective(context)) {
            return new Envelope(context, source, tag, priority);
        }
        Envelope known = lastEnvelope;
        if (known.context() == context
                && known.source() == source
                && known.tag() == tag
                && known.priority() == priority) {
            return known;
        }
        Envelope made = new Envelope(context, source, tag, priority);
        lastEnvelope = made;
        return made;
    }

    /** Memory to encode an object into, and send it from. By any thread of it. */
    EncodedBytes takeScratch() {
        if (!mailbox.isOwn() || scratchIsTaken) { // what is encoded may send itself
            return new EncodedBytes();
        }
        EncodedBytes own = scratch;
        if (own == null) {
            own = new EncodedBytes();
            scratch = own;
        }
        scratchIsTaken = true;
        return own;
    }

    /** It is not needed any more. By the same thread. */
    void leaveScratch(EncodedBytes taken) {
        if (taken == scratch) {
            scratchIsTaken = false;
        }
    }

    /**
     * Begins to receive a message.
     *
     * @param sender number of the rank that it is to come from, or {@link Receive#ANY}
     */
    public Receive receive(Receive.Kind kind, int context, int source, int tag, int sender, @Nullable JBuffer sink) {
        try {
            return mailbox.start(newReceive(kind, context, source, tag, sender, sink));
        } catch (InternalError e) {
            throw world.lost(e);
        }
    }

    /** A receive that has not begun; parameters as of {@link #receive}. */
    public Receive newReceive(Receive.Kind kind, int context, int source, int tag, int sender, @Nullable JBuffer sink) {
        return watched
                ? new WatchedReceive(watch, mailbox, kind, context, source, tag, sender, sink)
                : new Receive(mailbox, kind, context, source, tag, sender, sink);
    }

    /** Receives an object; parameters as of {@link #receive}. */
    public @Nullable Object fetchObject(int context, int source, int tag, int sender) {
        return fetch(newFetch(context, source, tag, sender, null)).takeValue();
    }

    /** Receives a message into a buffer. */
    public JStatus fetchInto(JBuffer sink, int context, int source, int tag, int sender) {
        Receive receive = fetch(newFetch(context, source, tag, sender, sink));
        receive.rest();
        return receive.status();
    }

    /**
     * A receive that has not begun, and that the calling thread {@linkplain #fetch fetches} and then puts to {@linkplain Receive#rest rest}:
     * perhaps one that has been there before. Parameters as of {@link #receive}.
     */
    public Receive newFetch(int context, int source, int tag, int sender, @Nullable JBuffer sink) {
        if (isWatched() || !mailbox.isOwn()) {
            return newReceive(Receive.Kind.TAKE, context, source, tag, sender, sink);
        }
        RepeatedReceive receive = repeated;
        if (receive == null || !receive.isFree()) {
            receive = new RepeatedReceive(mailbox, context, source, tag, sender, sink);
            repeated = receive;
        } else {
            receive.renew(context, source, tag, sender, sink);
        }
        return receive;
    }

    /** Begins such a receive and waits for its end. */
    public Receive fetch(Receive receive) {
        try {
            if (isWatched()) {
                watch.fetch(receive);
            } else {
                mailbox.fetch(receive);
            }
            return receive;
        } catch (InternalError e) {
            throw world.lost(e);
        }
    }

    /** Begins to receive a message that has been claimed. */
    public Receive receive(Receive claim, @Nullable JBuffer sink) {
        if (claim instanceof WatchedReceive told) {
            WatchedReceive receive = new WatchedReceive(
                    watch, mailbox, Receive.Kind.TAKE, claim.context, claim.source, claim.tag, claim.sender, sink);
            receive.takeOver(told);
            return receive;
        }
        Receive receive =
                new Receive(mailbox, Receive.Kind.TAKE, claim.context, claim.source, claim.tag, claim.sender, sink);
        receive.takeClaimed(claim.claimed());
        return receive;
    }

    /** If what it does is to be told to anybody. */
    public boolean isWatched() {
        return watched || RankEvents.areRecorded();
    }

    /** Does a collective operation, and tells of it. */
    public <T extends @Nullable Object> T watch(Operation operation, Supplier<? extends T> steps) {
        return watch.collective(operation, steps);
    }

    /** What it has used so far. */
    Usage usage() {
        return watch.usage();
    }

    /** Waits for what has begun. */
    public void await(Completion wanted) {
        try {
            if (isWatched()) {
                watch.await(wanted);
            } else if (!wanted.isDone()) {
                mailbox.await(wanted);
            }
        } catch (InternalError e) {
            throw world.lost(e);
        }
    }

    /** If the program has failed. */
    public boolean hasFailed() {
        return world.hasFailed();
    }

    /** Throws what the program has failed with. */
    public void check() {
        world.check();
    }

    /**
     * Where a few ranks leave what they give to an operation of all of them.
     *
     * @param id of their communicator
     * @param first of them, which tells them from others whose communicator has the same id
     * @param here if all are of this JVM
     * @return null: nowhere, as where each message is to be counted
     */
    public @Nullable Assembly assembly(int id, int first, int ranks, boolean here) {
        return watched ? null : world.assembly((long) id << Integer.SIZE | first, ranks, here);
    }

    /**
     * The memory of a window as this JVM sees it: all ranks here share one mapping.
     *
     * @param id of the window's communicator
     * @param place where it is
     * @throws IOException if it cannot be mapped
     */
    public WindowMemory openWindow(int id, WindowMemory.Place place) throws IOException {
        return world.openWindow(id, place);
    }

    /** This rank needs the memory of a window no more. */
    public void closeWindow(int id) {
        world.closeWindow(id);
    }

    /** The CPU on which the rank's thread runs, or has run of late; any number: that is not known. By a thread of the rank. */
    public int cpu() {
        if (cpuAsked++ % ASKS_A_CPU == 0) {
            try {
                cpu = Sched.currentCpu();
            } catch (KernelException e) {
                cpu = -number - 1; // a filter of system calls forbids it: it shares none with others
            }
        }
        return cpu;
    }

    /**
     * Looks for something until it is there, and lets happen meanwhile what has come.
     *
     * @param needsCpu if one that is to bring it needs the CPU that this rank is on: else it is soon there
     * @return false: it is not there, and the rank should sleep; or somebody wants to know of that
     */
    public boolean looksFor(BooleanSupplier something, BooleanSupplier needsCpu) {
        if (something.getAsBoolean()) {
            return true;
        }
        if (!mailbox.isOwn() || isWatched()) {
            return false;
        }
        try {
            int stays = 0;
            for (int left = world.looks(); left > 0; left--) {
                for (int i = 0; i < LOOKS_AT_ONCE; i++) {
                    if (something.getAsBoolean()) {
                        return true;
                    }
                    Thread.onSpinWait();
                }
                var _ = world.poll(number, null, null);
                mailbox.look(1, number);
                if (stays < MOST_STAYS && !needsCpu.getAsBoolean()) {
                    stays++;
                } else {
                    stays = 0;
                    var _ = world.betweenLooks(left, false);
                }
            }
        } catch (InternalError e) {
            throw world.lost(e);
        }
        return false;
    }

    /** Lets what has come happen. */
    public void progress() {
        try {
            int left = PIECES_A_LOOK;
            while (left > 0 && world.poll(number, null, null) && !mailbox.hasMore()) {
                left--;
            }
            mailbox.look(left, number);
        } catch (InternalError e) {
            throw world.lost(e);
        }
        giveWay();
    }

    /**
     * Nobody takes the CPU from a virtual thread: one that asks again and again is to let the others in. Among those that only give
     * way the scheduler does not come to the ones that another kind of thread has woken, so that now and then it sleeps a moment. Of
     * more ranks than CPUs one that asks in vain is to let go before its time is over.
     */
    @SuppressWarnings("ThreadPriorityCheck") // to give way, not to come before others
    private void giveWay() {
        if (!Thread.currentThread().isVirtual()) {
            if (settings().crowded()) {
                Thread.yield();
            }
        } else if (++looks % LOOKS_A_NAP == 0) {
            LockSupport.parkNanos(1);
        } else {
            Thread.yield();
        }
    }

    /** Gives up a receive, unless its message has come. */
    public void giveUp(Receive receive) {
        world.guard(() -> mailbox.giveUp(receive));
        giveWay();
    }
}
