package jpi.internal.engine;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Where the messages for one rank arrive and meet its receives.
 *
 * <p>Whoever has something for it, a message or a receive, puts that into a queue without a lock; whoever waits here tends it:
 * takes out what has come and matches it. One thread at a time tends; nobody waits for that: who finds the mailbox tended leaves
 * a sign, and the one that tends it looks once more. A rank that waits goes on tending as long as it waits, so that between
 * two ranks that pass messages to and fro only the queue's last element is written by both.
 */
public final class Mailbox {
    private static final VarHandle LAST;

    static {
        try {
            LAST = MethodHandles.lookup().findVarHandle(Mailbox.class, "last", Event.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    /** The event that happened last, and those that came since. Of who tends. */
    private Event happened = new Origin();

    private final Baton baton = new Baton();
    private final Runnable work = this::happenAll;

    // Of who tends.
    private final Arrivals arrivals = new Arrivals();
    private @Nullable Receive firstPosted;
    private @Nullable Receive lastPosted;
    /** Messages that have been taken. */
    private volatile long taken;

    /** What has begun and has a follower: who brings something has to see to it, for perhaps nobody waits here. */
    private final AtomicInteger unattended = new AtomicInteger();

    private final Bell bell;
    private final World world;
    /** Whose it is. */
    private final int rank;

    private volatile @Nullable Completion waitsFor;

    @SuppressWarnings("unused") // by LAST
    private volatile Event last = happened;

    /** Before all others. */
    private static final class Origin extends Event {
        @Override
        void happen(Mailbox mailbox) {
            throw new AssertionError("has happened already");
        }
    }

    Mailbox(World world, int rank, Bell bell) {
        this.world = world;
        this.rank = rank;
        this.bell = bell;
    }

    /** Puts an event into the queue, and sees to it that somebody looks. By any thread. */
    void add(Event event) {
        Event before = (Event) LAST.getAndSet(this, event);
        before.next = event; // volatile: written before the bell is looked at
        bell.ring();
        if (unattended.get() != 0) {
            tend();
        }
    }

    /** Has what has come happen, unless another thread does that. */
    void tend() {
        baton.pass(work);
    }

    /** Of who tends. */
    private void happenAll() {
        Event event = happened.next;
        while (event != null) {
            happened = event;
            event.happen(this);
            event = event.next;
        }
    }

    private boolean hasMore() {
        return happened.next != null;
    }

    World world() {
        return world;
    }

    void wake() {
        bell.ring();
    }

    void leaveUnattended() {
        unattended.incrementAndGet();
        world.leaveUnattended();
    }

    void attend() {
        unattended.decrementAndGet();
        world.attend();
    }

    /** A message has come from another JVM, whose memory it is still in; by who {@linkplain World#poll polls}. */
    void arrive(Message message, @Nullable Mailbox tended) {
        if (tended == this) {
            happenAll(); // what came before
            arrive(message);
            message.detach();
        } else {
            message.detach();
            add(message);
        }
    }

    /** How many messages have been taken. */
    long taken() {
        return taken;
    }

    // Waiting.

    /**
     * Begins a receive. It may have ended when this returns.
     *
     * @return the same
     */
    Receive start(Receive receive) {
        world.check();
        if (baton.take()) {
            world.poll(this);
            happenAll();
            begin(receive);
            if (!baton.letGo()) {
                tend();
            }
        } else {
            add(receive);
        }
        return receive;
    }

    /** Waits until something has ended, and tends the mailbox meanwhile. The thread's interrupt status stays what it is. */
    void await(Completion wanted) {
        boolean interrupted = false;
        int spins = world.spins();
        while (!wanted.isDone()) {
            if (baton.take()) {
                interrupted |= lead(wanted, spins);
                if (!baton.letGo()) {
                    tend();
                }
                bell.ring(); // another that waits is to go on
            } else {
                world.poll(null); // who tends may sleep, and not hear what comes from others
                sleepUnless(() -> wanted.isDone() || baton.isFree());
                interrupted |= Thread.interrupted();
            }
            spins = 0;
            if (!wanted.isDone()) {
                world.check();
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    /** Tends until something has ended, or the program has failed. */
    private boolean lead(Completion wanted, int spins) {
        boolean interrupted = false;
        int left = spins;
        while (true) {
            happenAll();
            world.poll(this);
            if (wanted.isDone()) {
                return interrupted;
            }
            if (left-- > 0) {
                Thread.onSpinWait();
            } else {
                if (world.hasFailed()) {
                    return interrupted;
                }
                waitsFor = wanted;
                lendAndSleep(wanted);
                interrupted |= Thread.interrupted();
                waitsFor = null;
            }
        }
    }

    /** Who is to send what it waits for has its priority meanwhile, if that is a rank of this JVM. */
    private void lendAndSleep(Completion wanted) {
        BooleanSupplier condition = () -> hasMore() || wanted.isDone();
        RankThread own = world.threadOf(rank);
        RankThread sender = wanted instanceof Receive receive ? world.threadOf(receive.sender) : null;
        if (own != null && sender != null && own != sender && own.thread() == Thread.currentThread()) {
            own.waitFor(sender, () -> sleepUnless(condition));
        } else {
            sleepUnless(condition);
        }
    }

    private void sleepUnless(BooleanSupplier condition) {
        boolean attended = bell.hearsOthers();
        if (!attended) {
            leaveUnattended();
        }
        int ticket = bell.enter();
        if (!condition.getAsBoolean() && !world.hasInput() && !world.hasFailed()) {
            bell.sleep(ticket, world.napUntil());
        }
        bell.leave();
        if (!attended) {
            attend();
        }
    }

    /** Gives up a receive, unless its message has come. */
    void giveUp(Receive receive) {
        add(new Withdrawal(receive));
        tend();
        await(receive);
    }

    /** What the rank sleeps for; null: it does not sleep, or something has come. */
    @Nullable
    Completion waitsFor() {
        Completion wanted = waitsFor;
        return wanted == null || wanted.isDone() || last != happened ? null : wanted;
    }

    /** That a receive is given up. */
    private static final class Withdrawal extends Event {
        private final Receive receive;

        Withdrawal(Receive receive) {
            this.receive = receive;
        }

        @Override
        void happen(Mailbox mailbox) {
            mailbox.withdraw(receive);
        }
    }

    // What happens.

    void arrive(Message message) {
        Receive before = null;
        Receive receive = firstPosted;
        while (receive != null) {
            Receive later = receive.laterPosted;
            if (message.suits(receive.context, receive.source, receive.tag)) {
                unlink(before, receive);
                give(receive, message);
                if (receive.kind != Receive.Kind.PROBE) {
                    return;
                }
            } else {
                before = receive;
            }
            receive = later;
        }
        arrivals.add(message);
    }

    void begin(Receive receive) {
        Message message = arrivals.find(receive);
        if (message == null) {
            if (lastPosted == null) {
                firstPosted = receive;
            } else {
                lastPosted.laterPosted = receive;
            }
            lastPosted = receive;
            return;
        }
        if (receive.kind != Receive.Kind.PROBE) {
            arrivals.remove(message);
        }
        give(receive, message);
    }

    @SuppressWarnings("NonAtomicVolatileUpdate") // one tends at a time
    private void give(Receive receive, Message message) {
        if (receive.kind != Receive.Kind.PROBE) {
            taken++;
            if (receive.kind == Receive.Kind.CLAIM) {
                message.detach(); // another thread may look into it at any time from now on
            }
        }
        receive.take(message);
    }

    void withdraw(Receive receive) {
        Receive before = null;
        for (Receive posted = firstPosted; posted != null; posted = posted.laterPosted) {
            if (posted == receive) {
                unlink(before, receive);
                receive.giveUp();
                return;
            }
            before = posted;
        }
    }

    private void unlink(@Nullable Receive before, Receive receive) {
        Receive later = receive.laterPosted;
        if (before == null) {
            firstPosted = later;
        } else {
            before.laterPosted = later;
        }
        if (later == null) {
            lastPosted = before;
        }
        receive.laterPosted = null;
    }
}
