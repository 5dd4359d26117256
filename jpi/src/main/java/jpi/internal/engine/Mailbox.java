package jpi.internal.engine;

import java.lang.invoke.VarHandle;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import jpi.JBuffer;
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
    /** Two cache lines of references at least: the one in the middle has a line of its own. */
    private static final int LENGTH = 32;

    private static final int LAST = LENGTH / 2;

    private final Places places = new Places();
    private final Copies copies = new Copies(places);
    /** Of who tends. */
    private final Matching matching;

    private final Baton baton = new Baton.Apart();
    private final Runnable work = this::work;
    /** The place that is empty. */
    private final AtomicReferenceArray<Place> last = new AtomicReferenceArray<>(LENGTH);

    /** Of any message that has come from a rank of this JVM. */
    private final AtomicInteger highestPriority = new AtomicInteger();

    /** What has begun and has a follower: who brings something has to see to it, for perhaps nobody waits here. */
    private final AtomicInteger unattended = new AtomicInteger();

    /** Messages from other JVMs that have been {@linkplain #hand handed} to who tends, and have not arrived. */
    private final AtomicInteger handed = new AtomicInteger();

    /** Receives that have been put into the queue, and have not begun. */
    private final AtomicInteger queued = new AtomicInteger();

    private final Aside aside = new Aside();

    /** What has a follower. */
    private final Set<Completion> followed = ConcurrentHashMap.newKeySet();

    private final Bell bell;
    private final World world;
    /** Whose it is. */
    private final int rank;

    private volatile @Nullable Completion waitsFor;

    Mailbox(World world, int rank, Bell bell) {
        this.world = world;
        this.rank = rank;
        this.bell = bell;
        matching =
                new Matching.Apart(places, new Migration(rank, world.settings().crowded()));
        last.set(LAST, matching.place());
    }

    /** Puts an event into the queue, with a new place for the next, and sees to it that somebody looks. By any thread. */
    void add(Event event, Place next) {
        last.getAndSet(LAST, next).fill(event, next);
        call();
    }

    /** The same with a message from another JVM, by who has taken it in and does not tend. */
    void hand(Message message) {
        Place next = new Place(); // for which there may be no memory
        handed.incrementAndGet();
        add(message, next);
    }

    /**
     * The same with a message of a rank of this JVM. By a thread of that rank.
     *
     * @param body as {@link Message#body}; or a small buffer, whose contents are taken now
     */
    void add(Mailbox sender, Envelope envelope, @Nullable Object body, @Nullable Sending sending) {
        Place next = sender.places.take();
        long held = body instanceof JBuffer small ? sender.places.hold(next, small) : 0;
        if (envelope.priority() > highestPriority.get()) {
            var _ = highestPriority.accumulateAndGet(envelope.priority(), Math::max);
        }
        last.getAndSet(LAST, next).fill(envelope, body, held, sending, next);
        call();
    }

    Copies copies() {
        return copies;
    }

    /** See {@link Places#own}. */
    void own() {
        places.own();
    }

    /** If the calling thread is the rank's own. */
    boolean isOwn() {
        return places.isOwner();
    }

    /** Sees to it that somebody looks. By any thread, which may have something else to do than to copy large messages. */
    void call() {
        bell.ring();
        if (unattended.get() != 0) {
            look(0, Baton.SOMEBODY);
        }
    }

    /** Has what has come happen, unless another thread does that. */
    void tend() {
        if (baton.pass(work, Baton.SOMEBODY)) {
            bell.ring(); // one that waits may have found this one at it, and has left no sign
        }
    }

    private void work() {
        do {
            happenAll(null);
            tellOthers();
        } while (matching.copyPiece());
    }

    // By who tends. The receive that the thread waits for leads: it need not be among the others, and takes its message
    // directly.

    private void happenAll(@Nullable Receive leading) {
        Place place = matching.place();
        while (place.isFilled()) {
            matching.isDone = true;
            Place next = place.next();
            Event event = place.event();
            if (event == null) {
                arrive(place, leading);
                if (leading != null && leading.isDone()) {
                    return; // and does not wait for the memory in which the next one will lie, which its sender holds
                }
            } else {
                post(leading);
                event.happen(this);
            }
            if (!next.isFilled()) {
                return;
            }
            place = matching.place();
        }
    }

    private void arrive(Place place, @Nullable Receive leading) {
        boolean first = leading == null
                || leading.standing != Receive.Standing.NEW
                || (!isOvertaken(place) && !(leading.sender == Receive.ANY && world.hasMessages(null)));
        Receive taker = taker(leading, first, place.context, place.source, place.tag);
        if (taker != null) {
            taker.take(place.source, place.tag, place.priority(), place.body(), place.sending());
        } else {
            arrive(place.message(), leading);
        }
    }

    /** If a message that has come after this one may be more important; only then is the next place looked at, which its sender holds. */
    private boolean isOvertaken(Place place) {
        return place.priority() < highestPriority.get() && place.isFollowed();
    }

    /** If there is something that has not happened. By any thread; who does not tend may be wrong as long as another does. */
    boolean hasMore() {
        return matching.hasMore();
    }

    /** A receive of this rank has ended. */
    void hasEnded() {
        matching.ended = true;
    }

    /** What has ended may be what another thread of the rank waits for. */
    private void tellOthers() {
        if (matching.ended) {
            matching.ended = false;
            VarHandle.fullFence();
            bell.ring();
        }
    }

    /**
     * Tends no more, and lets another that waits go on, if there is anything for it: who is woken in vain wakes others in turn. Only then is
     * the next place looked at, which its sender holds.
     */
    private void letGo() {
        boolean hasEnded = matching.ended;
        matching.ended = false;
        boolean isLeft = matching.hasCopying();
        if (!baton.letGo()) {
            tend();
        }
        if (hasEnded || isLeft || (bell.hasSleepers() && hasMore())) {
            bell.ring();
        }
        if (isLeft && unattended.get() != 0) {
            startAside(() -> world.guard(this::tend)); // else the rank goes on with it when it waits or asks again
        }
    }

    /**
     * Has what has come happen, and goes on with what is to be copied until something else comes: for one that asks.
     *
     * @param pieces at most
     * @param holder see {@link Baton#take}
     */
    void look(int pieces, int holder) {
        if (!baton.take(holder)) {
            tend();
            return;
        }
        try {
            happenAll(null);
            tellOthers();
            for (int left = pieces; left > 0 && !hasMore() && matching.copyPiece(); left--) {
                tellOthers();
            }
            happenAll(null);
        } finally {
            letGo();
        }
    }

    /** A large message is to be copied. */
    void copy(Copying copying) {
        matching.add(copying);
    }

    // By any thread.

    World world() {
        return world;
    }

    int rank() {
        return rank;
    }

    void wake() {
        bell.ring();
    }

    void addFollowed(Completion some) {
        var _ = followed.add(some);
    }

    void removeFollowed(Completion some) {
        var _ = followed.remove(some);
    }

    /** The program has failed: what follows on what will not end any more learns it. */
    void tellFailure() {
        followed.forEach(Completion::runFollower);
    }

    void leaveUnattended() {
        unattended.incrementAndGet();
        world.leaveUnattended();
    }

    void attend() {
        unattended.decrementAndGet();
        world.attend();
    }

    // Messages; by who tends.

    /**
     * If a message that has come from another JVM may arrive now, {@linkplain World#poll polled} by who tends. Not if one that
     * came before it may still be on its way through the queue, behind a place that somebody is about to fill.
     */
    boolean isCaughtUp(@Nullable Receive leading) {
        happenAll(leading);
        return handed.get() == 0;
    }

    /**
     * The receive that is to take such a message now; null: it is to {@linkplain #arrive(Message, Receive) arrive}.
     *
     * @param first if nothing that has come from there is to be preferred to it
     */
    @Nullable
    Receive taker(@Nullable Receive leading, boolean first, int context, int source, int tag) {
        Receive wanting = leading != null && leading.wants(context, source, tag) ? leading : null;
        Receive taker;
        if (leading != null && leading.standing == Receive.Standing.ALONE) {
            taker = wanting;
        } else {
            boolean isNext =
                    wanting != null && wanting.standing == Receive.Standing.NEW && first && !matching.hasArrivals();
            taker = matching.takePosted(context, source, tag, isNext ? wanting : null);
        }
        if (taker != null) {
            matching.countTaken();
        }
        return taker;
    }

    /** A message is to be kept as it is. */
    void arrive(Message message, @Nullable Receive leading) {
        post(leading);
        matching.arrive(message);
    }

    /** One for which no message is there joins them at once. */
    private void postNew(Receive receive) {
        receive.standing = Receive.Standing.ALONE;
        post(receive);
    }

    /** A receive that has been alone joins the others. */
    private void post(@Nullable Receive receive) {
        if (receive != null && receive.standing == Receive.Standing.ALONE) {
            receive.standing = Receive.Standing.POSTED;
            receive.makeKnown();
            matching.post(receive);
        }
    }

    /** How many messages have been taken. */
    long taken() {
        return matching.taken();
    }

    // What happens.

    void arriveHanded(Message message) {
        matching.arrive(message);
        handed.decrementAndGet();
    }

    void begin(Receive receive) {
        queued.decrementAndGet();
        if (!matching.serve(receive)) {
            postNew(receive);
        }
    }

    // Waiting.

    /**
     * Begins a receive. It may have ended when this returns.
     *
     * @return the same
     */
    Receive start(Receive receive) {
        world.check();
        if (mayLead()) {
            try {
                if (!findsMessage(receive)) {
                    postNew(receive);
                }
            } finally {
                letGo();
            }
        } else {
            queue(receive);
        }
        return receive;
    }

    /** Begins a receive and waits for its end. */
    void fetch(Receive receive) {
        world.check();
        boolean interrupted = false;
        int looks = world.looks();
        if (mayLead()) {
            try {
                interrupted = lead(receive);
            } finally {
                letGo();
            }
            looks = 0;
        } else {
            queue(receive);
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
        if (!receive.isDone()) {
            await(receive, looks);
        }
    }

    /**
     * Takes the baton for a receive that begins; false: it has to queue. So it has where an earlier one does: that may stand behind a
     * place which somebody has taken and not filled yet, and would have its message taken away.
     */
    private boolean mayLead() {
        return queued.get() == 0 && baton.take(rank);
    }

    private void queue(Receive receive) {
        receive.makeKnown();
        Place next = new Place();
        queued.incrementAndGet();
        add(receive, next);
    }

    /** If what has come already has the message of a receive that is new. */
    private boolean findsMessage(Receive receive) {
        Receive leading = receive.kind == Receive.Kind.TAKE ? receive : null;
        happenAll(leading);
        if (receive.standing == Receive.Standing.NEW
                && matching.hasArrivals()
                && matching.serveFirst(receive, world.mostImportant(receive.sender))) {
            return true;
        }
        world.pollAll(rank, this, receive, leading);
        return receive.standing != Receive.Standing.NEW || matching.serve(receive);
    }

    /** Begins a receive and tends until it has ended; see {@link #lead(Completion, Receive, int)}. */
    private boolean lead(Receive receive) {
        if (findsMessage(receive)) {
            return !receive.isDone() && lead(receive, null, world.looks()); // a long one has only begun to come
        }
        receive.standing = Receive.Standing.ALONE;
        if (receive.kind != Receive.Kind.TAKE || matching.hasPosted()) {
            post(receive);
        }
        return lead(receive, receive, world.looks());
    }

    /** Waits until something has ended, and tends the mailbox meanwhile. The thread's interrupt status stays what it is. */
    void await(Completion wanted) {
        await(wanted, world.looks());
    }

    private void await(Completion wanted, int firstLooks) {
        boolean interrupted = false;
        int looks = firstLooks;
        try {
            while (!wanted.isDone()) {
                if (baton.take(rank)) {
                    try {
                        interrupted |= lead(wanted, null, looks);
                    } finally {
                        letGo();
                    }
                } else {
                    var _ = world.poll(rank, null, null); // who tends may sleep, and not hear what comes from others
                }
                looks = 0;
                if (wanted.isDone()) {
                    break;
                }
                world.check();
                interrupted |= sleepFor(wanted, () -> wanted.isDone() || (baton.isFree() && hasWork()));
            }
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    /** If who tends would find something to do. By any thread, as {@link #hasMore}. */
    private boolean hasWork() {
        return hasMore() || matching.hasCopying();
    }

    /**
     * Tends until something has ended, or the program has failed; or it would have to sleep and is not the rank's own thread: that one would
     * get no message as long as who is woken with it has no CPU, or no carrier.
     *
     * @param leading the same, if it is a receive that may not have been posted
     * @return if the thread was interrupted meanwhile
     */
    private boolean lead(Completion wanted, @Nullable Receive leading, int looks) {
        boolean interrupted = false;
        int left = looks;
        boolean gaveWay = false;
        while (true) {
            happenAll(leading);
            boolean moves = world.poll(rank, this, leading);
            if (wanted.isDone()) {
                matching.countTogether(left != looks, gaveWay);
                return interrupted;
            }
            tellOthers();
            if (moves || matching.copyPiece() || wanted.help()) {
                left = world.looks(); // more is to be expected, and who sleeps between two pieces is woken for each
                gaveWay = false;
            } else if (left-- > 0) {
                gaveWay = world.betweenLooks(left, matching.isTogether());
            } else if (world.hasFailed()) {
                return interrupted;
            } else if (!isOwn()) {
                post(leading);
                return interrupted;
            } else {
                interrupted |= sleepFor(wanted, () -> hasMore() || wanted.isDone() || matching.hasPiece());
            }
        }
    }

    /**
     * Sleeps, unless there is no reason to.
     *
     * @return if the thread was interrupted meanwhile
     */
    private boolean sleepFor(Completion wanted, BooleanSupplier condition) {
        wanted.makeKnown(); // to whoever looks for a deadlock
        boolean isOwn = isOwn(); // while another one sleeps the rank may compute
        if (isOwn) {
            waitsFor = wanted;
        } else {
            aside.fallAsleep(wanted);
        }
        try {
            lendAndSleep(wanted, condition);
        } finally {
            if (isOwn) {
                waitsFor = null;
            } else {
                aside.wakeUp();
            }
        }
        return Thread.interrupted();
    }

    /**
     * Who is to send what it waits for has its priority meanwhile, if that is a rank of this JVM; else whoever has begun to take in what
     * has come from other JVMs, or to move on what goes there, and may have lost its CPU over it: for a moment, since that is soon done.
     */
    private void lendAndSleep(Completion wanted, BooleanSupplier condition) {
        int sender = wanted instanceof Receive receive ? receive.sender : Receive.ANY;
        boolean comesFromHere = world.threadOf(sender) != null;
        int helped = comesFromHere ? sender : world.busy();
        boolean briefly = !comesFromHere && world.threadOf(helped) != null;
        lend(helped, () -> sleepUnless(condition, briefly));
    }

    /** The rank's thread waits a moment for another one, which has its priority meanwhile. */
    void lendAndNap(int holder) {
        lend(holder, () -> LockSupport.parkNanos(World.NAP_NANOS));
    }

    private void lend(int toRank, Runnable wait) {
        RankThread own = world.threadOf(rank);
        RankThread other = world.threadOf(toRank);
        if (own == null || other == null || other == own || own.thread() != Thread.currentThread()) {
            wait.run();
        } else {
            own.waitFor(other, wait);
        }
    }

    private void sleepUnless(BooleanSupplier condition, boolean briefly) {
        boolean attended = bell.hearsOthers();
        if (!attended) {
            leaveUnattended();
        }
        int ticket = bell.enter();
        if (!condition.getAsBoolean() && !world.isLeft() && !world.hasFailed()) {
            bell.sleep(ticket, briefly ? System.nanoTime() + World.NAP_NANOS : world.napUntil());
        }
        bell.leave();
        if (!attended) {
            attend();
        }
    }

    /** Gives up a receive, unless its message has come. */
    void giveUp(Receive receive) {
        add(mailbox -> mailbox.matching.withdraw(receive), new Place());
        await(receive);
    }

    /** Does something for the rank in a virtual thread of its own. */
    void startAside(Runnable some) {
        aside.start(some);
    }

    /** If a thread does something for the rank besides its own, or is about to go on. */
    boolean isBusyAside() {
        return aside.isBusy();
    }

    /** What the rank's own thread sleeps for; null: it does not sleep, or something has come, or goes on beside it. */
    @Nullable
    Completion waitsFor() {
        Completion wanted = waitsFor;
        return wanted == null || isBusyAside() || wanted.isDone() || hasWork() ? null : wanted;
    }
}
