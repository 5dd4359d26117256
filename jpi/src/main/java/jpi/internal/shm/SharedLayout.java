package jpi.internal.shm;

import ayatori.internal.linux.MappedMemory;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;

/**
 * Where things are in the memory that the workers share: a word for each rank and each worker to sleep on, then two rings from each
 * worker to each other one; if they are more than two, then a {@linkplain Board board} of each; if ranks share CPUs, then {@linkplain Assembly
 * assemblies} of the first communicators that need one; if they are few, and there is memory for it, then {@linkplain Detour detours} of the rings.
 */
public final class SharedLayout {
    /** So many messages are on their way from one worker to another. */
    public static final int MOST_MESSAGES = 1024;

    /**
     * Of few: what the sender writes next has left the receiver's cache, and need not be asked back from there. That of many would be
     * much memory, and where ranks share CPUs, and so a cache, it costs more than it saves.
     */
    private static final Rings LONG = new Rings(MOST_MESSAGES, 1 << 20, 128, 2 << 20);

    private static final Rings ORDINARY = new Rings(MOST_MESSAGES, 256 << 10, 64, 1 << 20);
    /**
     * Each goes round in memory of its own: of many, only short ones stay in the caches. Where each rank has a CPU, that costs more than
     * it saves: the sender waits for room.
     */
    private static final Rings SHORT = new Rings(128, 64 << 10, 16, 128 << 10);

    /** Of few too. Caches of 32 MB are the largest that many CPUs share: both directions do not fit. */
    private static final int MESSAGES_DETOUR = 16 << 20;
    /** So many messages have room there, of 32 KB at most. */
    private static final int MESSAGES_ON_DETOUR = 256;

    private static final int PIECES_DETOUR = 32 << 20;
    private static final int DETOURS = MESSAGES_DETOUR + PIECES_DETOUR;

    private static final long PAGE = 4096;

    private static final int ASSEMBLIES = 32;
    private static final VarHandle OWNER = ValueLayout.JAVA_LONG.varHandle();

    private static final int FEW_WORKERS = 4;
    /** Of fewer, none sends anything to several others. */
    private static final int LEAST_WITH_BOARDS = 3;
    /** Bytes that a few workers post at once, and many. */
    private static final long POSTED_BY_FEW = 1 << 20;

    private static final long POSTED_BY_MANY = 128 << 10;
    /** Bytes in all; no more are set aside. */
    private static final long MOST_RESERVED = 64 << 20;

    /** Sizes of the rings from one worker to another. */
    private record Rings(int messageSlots, int messageBytes, int pieceSlots, int pieceBytes) {
        static Rings of(int workers, boolean crowded) {
            if (workers > FEW_WORKERS) {
                return crowded ? SHORT : ORDINARY;
            }
            return crowded ? ORDINARY : LONG;
        }

        long messages() {
            return pages(Ring.size(messageSlots, messageBytes));
        }

        long pieces() {
            return pages(Ring.size(pieceSlots, pieceBytes));
        }

        long both() {
            return messages() + pieces();
        }
    }

    private final Rings rings;
    private final int ranks;
    private final int workers;
    private final MemorySegment memory;
    /** Bytes, without detours. */
    private final long size;

    /**
     * In memory of {@link #size} or {@link #roomySize}.
     *
     * @param crowded if ranks share CPUs
     */
    public SharedLayout(int ranks, int workers, boolean crowded, MemorySegment memory) {
        this.ranks = ranks;
        rings = Rings.of(workers, crowded);
        this.workers = workers;
        this.memory = memory;
        size = size(ranks, workers, crowded);
    }

    private static long pages(long bytes) {
        return (bytes + PAGE - 1) / PAGE * PAGE;
    }

    private static long words(int ranks, int workers) {
        return pages((ranks + workers) * SharedWord.SIZE);
    }

    /** Bytes that are needed; most of them are never touched, and take no memory. The most that there can be if they are more. */
    public static long size(int ranks, int workers, boolean crowded) {
        Rings rings = Rings.of(workers, crowded);
        long pairs = pairs(workers);
        long pair = rings.both();
        long others =
                words(ranks, workers) + workers * boardSize(workers) + (crowded ? ASSEMBLIES * assemblySize(ranks) : 0);
        return pairs > (Long.MAX_VALUE - others) / pair ? Long.MAX_VALUE : others + pairs * pair;
    }

    /** The same with detours, if these are to have some: for where there is plenty. */
    public static long roomySize(int ranks, int workers, boolean crowded) {
        long size = size(ranks, workers, crowded);
        return workers <= FEW_WORKERS ? size + pairs(workers) * DETOURS : size;
    }

    /**
     * Sets the memory aside that a worker writes first: what it sends goes through that. Not of very many workers: it would be hundreds of
     * megabytes, where most have nothing to say to most others, and a third of a second for each 360 of them.
     *
     * @throws IOException if there is no room for it
     */
    public static void reserve(MappedMemory memory, int ranks, int workers, boolean crowded, int worker)
            throws IOException {
        SharedLayout layout = new SharedLayout(ranks, workers, crowded, memory.segment());
        if (worker == 0) {
            memory.reserve(0, words(ranks, workers));
        }
        if (size(ranks, workers, crowded) > MOST_RESERVED) {
            return;
        }
        for (int to = 0; to < workers; to++) {
            if (to != worker) {
                memory.reserve(layout.pair(worker, to), layout.rings.both());
            }
        }
        if (workers >= LEAST_WITH_BOARDS) {
            memory.reserve(layout.boardOf(worker), boardSize(workers));
        }
        if (worker == 0 && crowded) {
            memory.reserve(layout.assemblies(), ASSEMBLIES * assemblySize(ranks));
        }
    }

    /** What a rank sleeps on. */
    public SharedWord ofRank(int rank) {
        return new SharedWord(memory.asSlice(rank * SharedWord.SIZE, SharedWord.SIZE));
    }

    /** What a worker sleeps on. */
    public SharedWord ofWorker(int worker) {
        return ofRank(ranks + worker);
    }

    private static long pairs(int workers) {
        return (long) workers * (workers - 1);
    }

    /** Among the ways from each worker to each other one. */
    private long indexOf(int from, int to) {
        return (long) from * (workers - 1) + (to < from ? to : to - 1);
    }

    private long pair(int from, int to) {
        return words(ranks, workers) + indexOf(from, to) * rings.both();
    }

    private static long boardSize(int workers) {
        return workers < LEAST_WITH_BOARDS ? 0 : pages(Board.size(mostPosted(workers)));
    }

    private long boardOf(int worker) {
        return words(ranks, workers) + pairs(workers) * rings.both() + worker * boardSize(workers);
    }

    private long assemblies() {
        return boardOf(workers);
    }

    /** Bytes of one assembly, with the word before it that says whose it is. */
    private static long assemblySize(int ranks) {
        return pages(SharedWord.SIZE + Assembly.size(Math.min(ranks, Assembly.MOST_RANKS)));
    }

    /** So many bytes can be posted at once; 0: nothing can. */
    public static long mostPosted(int workers) {
        return workers < LEAST_WITH_BOARDS ? 0 : workers <= FEW_WORKERS ? POSTED_BY_FEW : POSTED_BY_MANY;
    }

    /** What a worker posts; null: nothing. */
    public @Nullable Board board(int worker) {
        return workers < LEAST_WITH_BOARDS
                ? null
                : new Board(memory.asSlice(boardOf(worker), boardSize(workers)), mostPosted(workers));
    }

    /**
     * That of some ranks; null: others have all. The same for all of them, since none is ever given back.
     *
     * @param id tells these from all others
     * @param members how many they are
     */
    public @Nullable Assembly assembly(long id, int members) {
        for (int i = 0; i < ASSEMBLIES; i++) {
            long start = assemblies() + i * assemblySize(ranks);
            long owner = (long) OWNER.compareAndExchange(memory, start, 0L, id + 1);
            if (owner == 0 || owner == id + 1) {
                return new Assembly(members, memory.asSlice(start + SharedWord.SIZE, Assembly.size(members)));
            }
        }
        return null;
    }

    /** Messages, or what announces long ones, from one worker to another; also what it says of those that it receives. */
    public Ring messages(int from, int to) {
        int slots = rings.messageSlots();
        return new Ring(
                memory.asSlice(pair(from, to), rings.messages()),
                slots,
                rings.messageBytes(),
                detour(from, to, 0, MESSAGES_DETOUR, Math.min(slots, MESSAGES_ON_DETOUR)));
    }

    /** Pieces of long messages. */
    public Ring pieces(int from, int to) {
        int slots = rings.pieceSlots();
        return new Ring(
                memory.asSlice(pair(from, to) + rings.messages(), rings.pieces()),
                slots,
                rings.pieceBytes(),
                detour(from, to, MESSAGES_DETOUR, PIECES_DETOUR, slots));
    }

    private @Nullable Detour detour(int from, int to, int offset, int bytes, int slots) {
        if (memory.byteSize() == size) {
            return null;
        }
        long start = size + indexOf(from, to) * DETOURS + offset;
        return new Detour(memory.asSlice(start, bytes), slots);
    }
}
