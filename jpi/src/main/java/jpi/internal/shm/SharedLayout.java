package jpi.internal.shm;

import java.lang.foreign.MemorySegment;

/**
 * Where things are in the memory that the workers share: a word for each rank and each worker to sleep on, then two rings from each
 * worker to each other one.
 */
public final class SharedLayout {
    private static final int MESSAGE_SLOTS = 1024;
    private static final int MESSAGE_BYTES = 256 << 10;
    private static final int PIECE_SLOTS = 64;
    private static final int PIECE_BYTES = 1 << 20;
    private static final long PAGE = 4096;
    private static final long MESSAGES = pages(Ring.size(MESSAGE_SLOTS, MESSAGE_BYTES));
    private static final long PIECES = pages(Ring.size(PIECE_SLOTS, PIECE_BYTES));

    private final int ranks;
    private final int workers;
    private final MemorySegment memory;

    /** In memory of {@link #size}. */
    public SharedLayout(int ranks, int workers, MemorySegment memory) {
        this.ranks = ranks;
        this.workers = workers;
        this.memory = memory;
    }

    private static long pages(long bytes) {
        return (bytes + PAGE - 1) / PAGE * PAGE;
    }

    private static long words(int ranks, int workers) {
        return pages((ranks + workers) * SharedWord.SIZE);
    }

    /** Bytes that are needed; most of them are never touched, and take no memory. */
    public static long size(int ranks, int workers) {
        return words(ranks, workers) + (long) workers * workers * (MESSAGES + PIECES);
    }

    /** What a rank sleeps on. */
    public SharedWord ofRank(int rank) {
        return new SharedWord(memory.asSlice(rank * SharedWord.SIZE, SharedWord.SIZE));
    }

    /** What a worker sleeps on. */
    public SharedWord ofWorker(int worker) {
        return ofRank(ranks + worker);
    }

    private long pair(int from, int to) {
        return words(ranks, workers) + ((long) from * workers + to) * (MESSAGES + PIECES);
    }

    /** Messages, or what announces long ones, from one worker to another; also what it says of those that it receives. */
    public Ring messages(int from, int to) {
        return new Ring(memory.asSlice(pair(from, to), MESSAGES), MESSAGE_SLOTS, MESSAGE_BYTES);
    }

    /** Pieces of long messages. */
    public Ring pieces(int from, int to) {
        return new Ring(memory.asSlice(pair(from, to) + MESSAGES, PIECES), PIECE_SLOTS, PIECE_BYTES);
    }
}
