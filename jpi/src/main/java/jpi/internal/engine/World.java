package jpi.internal.engine;

import static java.util.Objects.requireNonNull;

import ayatori.internal.inheritance.Levels;
import ayatori.internal.linux.MappedMemory;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import jpi.JException;
import jpi.internal.objects.ObjectCodec;
import jpi.internal.shm.Assembly;
import jpi.internal.shm.Board;
import jpi.internal.shm.SharedLayout;
import jpi.internal.shm.SharedWord;
import jpi.internal.shm.WindowMemory;
import org.jspecify.annotations.Nullable;

/** All that the ranks of this JVM share. */
public final class World {
    /**
     * For this long a rank looks for what it waits for before it sleeps, in looks: some hundred microseconds, and so longer than it takes
     * to wake another. With less, two ranks that have once fallen asleep go on waking each other for ever.
     */
    private static final int SPINS = 20_000;
    /** A processor's pause takes as long as several looks: a message that comes meanwhile is seen late. */
    private static final int SPINS_A_PAUSE = 16;
    /**
     * Some ten microseconds. The kernel may have put both ranks on one CPU, and there leave them if each sleeps soon: whoever looks in vain
     * for longer than a message takes lets the other go on, so that both can be seen to want a CPU.
     */
    private static final int SPINS_A_YIELD = 2_000;
    /** The same where the last message was there once the other had been let go on: both are on one CPU. */
    private static final int SPINS_A_YIELD_TOGETHER = 40;
    /**
     * The same of more ranks than CPUs, which let each other go on between two looks: who has something to say need not wake anybody.
     * None where priorities are in force, since nobody gives way to a lower one.
     */
    private static final int YIELDS = 50;

    /** Where a ring is full, or in another thread's hands, nobody says when it is not any more. */
    static final long NAP_NANOS = 50_000;

    private final Layout layout;
    private final Settings settings;
    private final Levels levels = Levels.of("JPI", null);
    private final ObjectCodec codec;
    private final @Nullable Timeline timeline;
    private final Rank[] local;
    /** Number of the first of these. */
    private final int first;

    private final Route[] routes;
    private final Peer[] peers;
    /** What threads of other JVMs sleep on, by rank; none if there is one worker only. */
    private final @Nullable SharedWord[] bells;

    private final @Nullable Attendant attendant;
    private final int looks;

    private final AtomicInteger unattended = new AtomicInteger();
    private final AtomicLong ticks = new AtomicLong();
    /** By the number of their communicator. Guarded by itself. */
    private final Map<Integer, WindowMemory> windows = new HashMap<>();
    /** Those that all ranks have closed, and that could not be unmapped yet. Guarded by the others. */
    private final List<WindowMemory> closedWindows = new ArrayList<>();
    /** Of communicators all of whose ranks are here; kept by those. Guarded by itself. */
    private final WeakValues<Long, Assembly> assemblies = new WeakValues<>();

    /** Null: there is one worker only. */
    private final @Nullable SharedLayout shared;

    private final @Nullable Board board;

    private volatile @Nullable JException failure;

    /**
     * The part of this worker.
     *
     * @param codec for what goes to other JVMs, and for copies
     * @param memory shared by all workers, of {@link #memorySize} or {@link #roomyMemorySize}, zeroes at first; null: there is one worker only
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
        looks = settings.virtual() ? 0 : !settings.crowded() ? SPINS : levels.inForce() ? 0 : YIELDS;
        first = layout.first(layout.worker());
        this.timeline = timeline;
        local = new Rank[layout.count(layout.worker())];
        routes = new Route[layout.ranks()];
        shared = memory == null ? null : new SharedLayout(layout.ranks(), layout.workers(), settings.crowded(), memory);
        board = shared == null ? null : shared.board(layout.worker());
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
        for (int i = 0; i < local.length; i++) {
            Bell bell =
                    shared == null || settings.virtual() ? new ParkBell() : new SharedBell(shared.ofRank(first + i));
            local[i] = new Rank(this, first + i, bell);
            routes[first + i] = new Local(local[i].mailbox());
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
    public static long memorySize(Layout layout, boolean crowded) {
        return layout.workers() == 1 ? 0 : SharedLayout.size(layout.ranks(), layout.workers(), crowded);
    }

    /** Bytes that they share where there is plenty; most of the difference is never touched, and takes no memory. */
    public static long roomyMemorySize(Layout layout, boolean crowded) {
        return layout.workers() == 1 ? 0 : SharedLayout.roomySize(layout.ranks(), layout.workers(), crowded);
    }

    /**
     * Sets memory aside that this worker writes, so that there is room for it later too.
     *
     * @param memory of either size
     * @throws IOException if there is no room now
     */
    public static void reserve(MappedMemory memory, Layout layout, boolean crowded) throws IOException {
        SharedLayout.reserve(memory, layout.ranks(), layout.workers(), crowded, layout.worker());
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
        return local[number - first];
    }

    /** The thread of a rank of this JVM; null: it is none, or cannot be raised. */
    @Nullable
    RankThread threadOf(int number) {
        int place = number - first;
        return number == Receive.ANY || place < 0 || place >= local.length ? null : local[place].thread();
    }

    Levels levels() {
        return levels;
    }

    Route route(int number) {
        return routes[number];
    }

    /** What this worker posts; null: nothing. */
    @Nullable
    Board board() {
        return board;
    }

    /** What wakes a rank of another JVM. */
    SharedWord bellOf(int number) {
        return requireNonNull(bells[number]);
    }

    /** How often a rank looks before it sleeps. */
    int looks() {
        return looks;
    }

    /**
     * What it does between two looks, of which some are left. A virtual thread keeps its carrier: it may have what others wait for.
     *
     * @param together if it seems to share a CPU with what it waits for
     * @return if it has let others go on
     */
    @SuppressWarnings("ThreadPriorityCheck") // to give way, not to come before others
    boolean betweenLooks(int left, boolean together) {
        if (Thread.currentThread().isVirtual()) {
            Thread.onSpinWait();
        } else if (settings.crowded() || left % (together ? SPINS_A_YIELD_TOGETHER : SPINS_A_YIELD) == 0) {
            Thread.yield();
            return true;
        } else if (left % SPINS_A_PAUSE == 0) {
            Thread.onSpinWait();
        }
        return false;
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
     * @param rank whose thread it is, or {@link Baton#SOMEBODY}
     * @param tended the mailbox that the calling thread tends, if it does
     * @param leading see {@link Mailbox#taker}
     * @return if there was any: there may be more
     */
    boolean poll(int rank, @Nullable Mailbox tended, @Nullable Receive leading) {
        boolean any = false;
        for (Peer peer : peers) {
            any |= peer.poll(rank, tended, leading);
            any |= peer.pump(rank);
        }
        if (rank != Baton.SOMEBODY && attendant != null) {
            rank(rank).countLook();
        }
        return any;
    }

    /**
     * The same for a receive that is new, until it is not any more: a message that is more important than those that are taken in at once may
     * lie behind them.
     */
    void pollAll(int rank, Mailbox tended, Receive receive, @Nullable Receive leading) {
        int left = Peer.TURNS;
        boolean more = true;
        while (more) {
            more = poll(rank, tended, leading)
                    && receive.standing == Receive.Standing.NEW
                    && --left > 0
                    && hasMessages(null);
        }
    }

    /** How often the ranks of this JVM have done so. */
    long looked() {
        long sum = 0;
        for (Rank rank : local) {
            sum += rank.looked();
        }
        return sum;
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

    /**
     * If messages have come from other JVMs that have not been taken in.
     *
     * @param but not from this one
     */
    boolean hasMessages(@Nullable Peer but) {
        for (Peer peer : peers) {
            if (peer != but && peer.hasMessages()) {
                return true;
            }
        }
        return false;
    }

    /**
     * No message is more important than that of those that have come from other JVMs and have not been taken in; while another thread
     * takes some in that may be wrong.
     *
     * @param sender number of the rank that is asked about, or {@link Receive#ANY}
     */
    int mostImportant(int sender) {
        if (sender != Receive.ANY) {
            return routes[sender] instanceof Remote(Peer peer, int _) ? peer.mostImportant() : 0;
        }
        int most = 0;
        for (Peer peer : peers) {
            most = Math.max(most, peer.mostImportant());
        }
        return most;
    }

    /** If something has come from another JVM that nobody looks at. */
    boolean isLeft() {
        for (Peer peer : peers) {
            if (peer.isLeft()) {
                return true;
            }
        }
        return false;
    }

    /** The rank whose thread is about what others may wait for; or {@link Baton#SOMEBODY}. */
    int busy() {
        for (Peer peer : peers) {
            int busy = peer.busy();
            if (busy != Baton.SOMEBODY) {
                return busy;
            }
        }
        return Baton.SOMEBODY;
    }

    /**
     * Until when who waits may sleep. What has come may say that something may go: until it is not seen to have come any more what is to
     * go is.
     */
    long napUntil() {
        return hasInput() || hasPending() ? System.nanoTime() + NAP_NANOS : Bell.FOREVER;
    }

    /** If somebody in another JVM is not to wait until a rank of this one makes room. */
    boolean isAsked() {
        for (Peer peer : peers) {
            if (peer.isAsked()) {
                return true;
            }
        }
        return false;
    }

    boolean hasPending() {
        for (Peer peer : peers) {
            if (peer.isPending()) {
                return true;
            }
        }
        return false;
    }

    /** All ranks of this JVM have ended: what others still send them is to be taken in, or there would be no room for it some time. */
    public void retire() {
        leaveUnattended();
    }

    /** Something has begun for which nobody may wait. */
    void leaveUnattended() {
        unattended.incrementAndGet();
        wakeAttendant();
    }

    /** There is more to be done than who waits does. */
    void wakeAttendant() {
        if (attendant != null) {
            attendant.wake();
        }
    }

    /** The same in another JVM. */
    void wakeAttendantOf(int worker) {
        requireNonNull(shared).ofWorker(worker).ring();
    }

    void attend() {
        unattended.decrementAndGet();
    }

    boolean isUnattended() {
        return unattended.get() != 0;
    }

    // Windows.

    /** See {@link Rank#openWindow}. Opened once here, and as long as a rank has it. */
    WindowMemory openWindow(int id, WindowMemory.Place place) throws IOException {
        synchronized (windows) {
            var _ = closedWindows.removeIf(WindowMemory::unmap);
            WindowMemory memory = windows.get(id);
            if (memory == null) {
                memory = WindowMemory.open(place);
                windows.put(id, memory);
            }
            memory.retain();
            return memory;
        }
    }

    /** See {@link Rank#closeWindow}. One that is in use goes when the next is opened or closed here. */
    void closeWindow(int id) {
        synchronized (windows) {
            WindowMemory memory = requireNonNull(windows.get(id));
            if (memory.release()) {
                closedWindows.add(memory);
                var _ = windows.remove(id);
            }
            var _ = closedWindows.removeIf(WindowMemory::unmap);
        }
    }

    // Assemblies.

    /** See {@link Rank#assembly}. None where priorities are in force, and who waits is to raise the one that it waits for. */
    @Nullable
    Assembly assembly(long id, int ranks, boolean here) {
        if (levels.inForce()) {
            return null;
        }
        if (!here) {
            return requireNonNull(shared).assembly(id, ranks);
        }
        synchronized (assemblies) {
            Assembly found = assemblies.get(id);
            if (found == null) {
                found = Assembly.onHeap(ranks);
                assemblies.put(id, found);
            }
            return found;
        }
    }

    // Failure.

    /** The program has failed: every rank that waits, or calls, learns it. */
    public void abort(JException reason) {
        if (failure == null) {
            failure = reason;
        }
        for (Rank rank : local) {
            wake(rank); // what follows on others' ends may find no memory to do so
        }
        for (Rank rank : local) {
            rank.mailbox().tellFailure();
        }
    }

    private static void wake(Rank rank) {
        try {
            rank.mailbox().wake();
            Fault.settle();
        } catch (InternalError e) {
            // What it sleeps on may be what is not there: others are to learn the failure all the same.
        }
    }

    /** Does something for which no rank answers. */
    void guard(Runnable work) {
        try {
            work.run();
        } catch (InternalError e) {
            throw lost(e);
        }
    }

    /**
     * Memory is not there, and where is not known: of what goes to other JVMs too much may be half done for any rank to go on.
     *
     * @return for the caller to throw
     */
    JException lost(InternalError e) {
        JException reason = Fault.of(e);
        abort(reason);
        return reason;
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
        boolean busy = false;
        boolean moving = hasInput() || hasPending(); // on a machine without a CPU to spare nobody may have looked yet
        for (Rank rank : local) {
            Completion wanted = moving ? null : rank.mailbox().waitsFor();
            busy |= rank.mailbox().isBusyAside();
            blocked.add(wanted == null ? null : wanted.description());
            sent += rank.sent();
            taken += rank.mailbox().taken();
        }
        return new Census(blocked, busy, sent, taken);
    }

    /** What the ranks of this worker have used so far, if statistics are wanted. */
    public List<Usage> usage() {
        return Stream.of(local).map(Rank::usage).toList();
    }
}
