package jpi.internal.shm;

import java.lang.foreign.MemorySegment;
import jpi.internal.engine.Layout;

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

    private final Layout layout;
    private final MemorySegment memory;

    /** In memory of {@link #size}. */
    public SharedLayout(Layout layout, MemorySegment memory) {
        this.layout = layout;
        this.memory = memory;
    }

    private static long pages(long bytes) {
        return (bytes + PAGE - 1) / PAGE * PAGE;
    }

    private static long words(Layout layout) {
        return pages((layout.ranks() + layout.workers()) * SharedWord.SIZE);
    }

    /** Bytes that are needed; most of them are never touched, and take no memory. */
    public static long size(Layout layout) {
        return words(layout) + (long) layout.workers() * layout.workers() * (MESSAGES + PIECES);
    }

    /** What a rank sleeps on. */
    public SharedWord ofRank(int rank) {
        return new SharedWord(memory.asSlice(rank * SharedWord.SIZE, SharedWord.SIZE));
    }

    /** What a worker sleeps on. */
    public SharedWord ofWorker(int worker) {
        return ofRank(layout.ranks() + worker);
    }

    private long pair(int from, int to) {
        return words(layout) + ((long) from * layout.workers() + to) * (MESSAGES + PIECES);
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
