package jpi.internal.engine;

import static java.util.Objects.requireNonNull;

import ayatori.internal.inheritance.Levels;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import jpi.JException;
import jpi.internal.objects.ObjectCodec;
import jpi.internal.shm.SharedLayout;
import jpi.internal.shm.SharedWord;
import org.jspecify.annotations.Nullable;

/** All that the ranks of this JVM share. */
public final class World {
    /**
     * For this long a rank looks for what it waits for before it sleeps, in looks: some hundred microseconds, and so longer than it takes
     * to wake another. With less, two ranks that have once fallen asleep go on waking each other for ever.
     */
    private static final int SPINS = 20_000;
    /** Where a ring is full nobody says when it is not any more. */
    private static final long FULL_NAP_NANOS = 50_000;

    private final Layout layout;
    private final Settings settings;
    private final Levels levels = Levels.of("JPI", null);
    private final ObjectCodec codec;
    private final @Nullable Timeline timeline;
    private final Rank[] local;
    private final Route[] routes;
    private final Peer[] peers;
    /** What threads of other JVMs sleep on, by rank; none if there is one worker only. */
    private final @Nullable SharedWord[] bells;

    private final @Nullable Attendant attendant;
    private final int spins;
    private final AtomicInteger unattended = new AtomicInteger();
    private final AtomicLong ticks = new AtomicLong();
    private volatile @Nullable JException failure;

    /**
     * The part of this worker.
     *
     * @param codec for what goes to other JVMs, and for copies
     * @param memory shared by all workers, of {@link #memorySize}, zeroes at first; null: there is one worker only
     */
    public World(Layout layout, Settings settings, ObjectCodec codec, @Nullable MemorySegment memory) {
        this(layout, settings, codec, memory, null);
    }

    /**
     * The part of this worker.
     *
     * @param timeline gets what the ranks do; null: nobody wants to know
     */
    public World(
            Layout layout,
            Settings settings,
            ObjectCodec codec,
            @Nullable MemorySegment memory,
            @Nullable Timeline timeline) {
        this.layout = layout;
        this.settings = settings;
        this.codec = codec;
        this.timeline = timeline;
        spins = layout.ranks() <= Runtime.getRuntime().availableProcessors() && !settings.virtual() ? SPINS : 0;
        local = new Rank[layout.count(layout.worker())];
        routes = new Route[layout.ranks()];
        SharedLayout shared = memory == null ? null : new SharedLayout(layout, memory);
        bells = new SharedWord[shared == null ? 0 : layout.ranks()];
        peers = new Peer[layout.workers() - 1];
        int known = 0;
        for (int worker = 0; worker < layout.workers(); worker++) {
            if (worker == layout.worker()) {
                addOwn(shared);
            } else {
                Peer peer = new Peer(this, requireNonNull(shared), layout.worker(), worker);
                peers[known++] = peer;
                add(peer, worker, shared);
            }
        }
        attendant = shared == null ? null : new Attendant(this, shared.ofWorker(layout.worker()));
    }

    private void addOwn(@Nullable SharedLayout shared) {
        int first = layout.first(layout.worker());
        for (int i = 0; i < local.length; i++) {
            Bell bell =
                    shared == null || settings.virtual() ? new ParkBell() : new SharedBell(shared.ofRank(first + i));
            local[i] = new Rank(this, first + i, bell);
            routes[first + i] = new Local(local[i]);
        }
    }

    private void add(Peer peer, int worker, SharedLayout shared) {
        SharedWord ofWorker = shared.ofWorker(worker);
        for (int rank = layout.first(worker); rank < layout.first(worker + 1); rank++) {
            routes[rank] = new Remote(peer, rank);
            bells[rank] = settings.virtual() ? ofWorker : shared.ofRank(rank);
        }
    }

    /** Bytes that the workers share. */
    public static long memorySize(Layout layout) {
        return layout.workers() == 1 ? 0 : SharedLayout.size(layout);
    }

    /** From now on what nobody waits for goes on too. */
    public void start() {
        if (attendant != null) {
            attendant.start();
        }
        if (timeline != null) {
            timeline.start();
        }
    }

    /** Ends what runs for the ranks, all of which have ended. */
    public void close() {
        if (attendant != null) {
            attendant.end();
        }
        if (timeline != null) {
            timeline.close();
        }
    }

    @Nullable
    Timeline timeline() {
        return timeline;
    }

    Layout layout() {
        return layout;
    }

    /** What the user has chosen. */
    public Settings settings() {
        return settings;
    }

    /** A rank of this JVM. */
    public Rank rank(int number) {
        return local[number - layout.first(layout.worker())];
    }

    /** The thread of a rank of this JVM; null: it is none, or cannot be raised. */
    @Nullable
    RankThread threadOf(int number) {
        int place = number - layout.first(layout.worker());
        return number == Receive.ANY || place < 0 || place >= local.length ? null : local[place].thread();
    }

    Levels levels() {
        return levels;
    }

    Route route(int number) {
        return routes[number];
    }

    /** What wakes a rank of another JVM. */
    SharedWord bellOf(int number) {
        return requireNonNull(bells[number]);
    }

    int spins() {
        return spins;
    }

    /** Another number each time, larger than those before. */
    long tick() {
        return ticks.incrementAndGet();
    }

    // Objects.

    ObjectCodec codec() {
        return codec;
    }

    // Other JVMs.

    /**
     * Takes in what has come from other JVMs, and moves on what has to go there.
     *
     * @param tended the mailbox that the calling thread tends, if it does
     */
    void poll(@Nullable Mailbox tended) {
        for (Peer peer : peers) {
            peer.poll(tended);
            peer.pump();
        }
    }

    /** If something has come from another JVM that nobody has looked at. */
    boolean hasInput() {
        for (Peer peer : peers) {
            if (peer.hasInput()) {
                return true;
            }
        }
        return false;
    }

    /** Until when who waits may sleep. */
    long napUntil() {
        return hasPending() ? System.nanoTime() + FULL_NAP_NANOS : Bell.FOREVER;
    }

    boolean hasPending() {
        for (Peer peer : peers) {
            if (peer.isPending()) {
                return true;
            }
        }
        return false;
    }

    /** Something has begun for which nobody may wait. */
    void leaveUnattended() {
        unattended.incrementAndGet();
        if (attendant != null) {
            attendant.wake();
        }
    }

    void attend() {
        unattended.decrementAndGet();
    }

    boolean isUnattended() {
        return unattended.get() != 0;
    }

    // Failure.

    /** The program has failed: every rank that waits, or calls, learns it. */
    public void abort(JException reason) {
        failure = reason;
        for (Rank rank : local) {
            rank.mailbox().wake();
        }
    }

    boolean hasFailed() {
        return failure != null;
    }

    /** Throws what the program has failed with. */
    void check() {
        JException reason = failure;
        if (reason != null) {
            throw new JException(String.valueOf(reason.getMessage()), reason);
        }
    }

    /** What the ranks of this worker do. */
    public Census census() {
        List<@Nullable String> blocked = new ArrayList<>();
        long sent = 0;
        long taken = 0;
        boolean moving = hasInput() || hasPending(); // on a machine without a CPU to spare nobody may have looked yet
        for (Rank rank : local) {
            Completion wanted = moving ? null : rank.mailbox().waitsFor();
            blocked.add(wanted == null ? null : wanted.description());
            sent += rank.sent();
            taken += rank.mailbox().taken();
        }
        return new Census(blocked, sent, taken);
    }

    /** What the ranks of this worker have used so far, if statistics are wanted. */
    public List<Usage> usage() {
        return Stream.of(local).map(Rank::usage).toList();
    }
}
