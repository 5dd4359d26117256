package jpi.internal.shm;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;
import java.util.function.IntToLongFunction;

/**
 * Where a few ranks leave what they give to an operation that all of them do, and find what the others have left. Several operations may
 * be under way: each has a place, in turn, which is free again once all ranks have gone from there.
 *
 * <p>What ranks do at a place are bits of one word, so that it is always plain who has to tell whom: who comes sees which ranks wait to be
 * told, who wants to be told sees if that is too late, and who goes last sees which ranks wait for room.
 */
public final class Assembly {
    /** So many ranks at most. */
    public static final int MOST_RANKS = 16;
    /** So many bytes of each at most. */
    public static final int MOST_BYTES = 4 << 10;
    /** So many operations at a time; a power of two. */
    public static final int PLACES = 4;

    private static final long LINE = 128;
    /** Before contents, of which small ones lie in the same line: what is said of them, on which CPU, and what the rank wants room for. */
    private static final int HEAD = 2 * Long.BYTES;

    private static final long CPU = Long.BYTES;
    private static final long WANTED = CPU + Integer.BYTES;
    private static final long CELL = LINE + MOST_BYTES;

    private static final VarHandle WORD = ValueLayout.JAVA_LONG.varHandle();

    // A bit of the word for each rank: it has come; it has gone; it waits to be told who comes, or that there is room.
    private static final int GONE = MOST_RANKS;
    private static final int WAITING = 2 * MOST_RANKS;
    private static final int WANTING = 3 * MOST_RANKS;

    private final MemorySegment memory;
    private final long all;
    private final int ranks;

    /** In memory of {@link #size}, zeroes at first. */
    Assembly(int ranks, MemorySegment memory) {
        this.ranks = ranks;
        this.memory = memory;
        all = (1L << ranks) - 1;
    }

    /** For ranks of one JVM. */
    public static Assembly onHeap(int ranks) {
        return new Assembly(ranks, MemorySegment.ofArray(new long[(int) (size(ranks) / Long.BYTES)]));
    }

    /** Bytes that are needed. */
    static long size(int ranks) {
        return PLACES * (LINE + ranks * CELL);
    }

    /** Which place an operation has. */
    public static int place(int number) {
        return number & (PLACES - 1);
    }

    private static long word(int number) {
        return place(number) * LINE;
    }

    private long cell(int number, int rank) {
        return PLACES * LINE + ((long) place(number) * ranks + rank) * CELL;
    }

    private long get(int number) {
        return (long) WORD.getAcquire(memory, word(number));
    }

    private long set(int number, long bit) {
        return (long) WORD.getAndBitwiseOr(memory, word(number), bit);
    }

    // A rank comes.

    /** If all have gone that came for the operation before, so that a rank may leave something. By that rank; it has gone itself. */
    public boolean hasRoom(int number, int rank) {
        return (get(number) >>> rank & 1) == 0;
    }

    /** A rank wants to be told when there is room. False: there is by now, and it is not told. */
    public boolean wantsRoom(int number, int rank) {
        memory.set(ValueLayout.JAVA_INT, cell(number, rank) + WANTED, number);
        long bit = 1L << (WANTING + rank);
        if ((set(number, bit) >>> rank & 1) != 0) {
            return true;
        }
        var _ = (long) WORD.getAndBitwiseAnd(memory, word(number), ~bit);
        return false;
    }

    /**
     * Leaves what a rank gives, where it has room.
     *
     * @param number of the operation
     * @param cpu that it runs on
     * @param said what it says of it
     */
    public void leave(int number, int rank, int cpu, long said, MemorySegment contents) {
        long cell = cell(number, rank);
        memory.set(ValueLayout.JAVA_LONG, cell, said);
        memory.set(ValueLayout.JAVA_INT, cell + CPU, cpu);
        MemorySegment.copy(contents, 0, memory, cell + HEAD, contents.byteSize());
    }

    /**
     * A rank has come, and has left what it gives.
     *
     * @param needs a bit for each whose a rank needs
     * @return a bit for each that is to be told: it {@linkplain #waitsFor waits} for this one last
     */
    public long come(int number, int rank, IntToLongFunction needs) {
        long bit = 1L << rank;
        long found = set(number, bit);
        long told = 0;
        for (long waiting = found >>> WAITING & all; waiting != 0; waiting &= waiting - 1) {
            if ((needs.applyAsLong(Long.numberOfTrailingZeros(waiting)) & ~found) == bit) {
                told |= Long.lowestOneBit(waiting);
            }
        }
        return told;
    }

    // It waits for others.

    /** If some have come, a bit for each. */
    public boolean areHere(int number, long some) {
        return (get(number) & some) == some;
    }

    /** A rank wants to be told when some have come, by the last of them. False: they have by now, and it is not told. */
    public boolean waitsFor(int number, int rank, long some) {
        return (set(number, 1L << (WAITING + rank)) & some) != some;
    }

    /** If one of some that have not come needs a CPU, as far as is known: where it was when it came to that place before. */
    public boolean needCpu(int number, long some, int cpu) {
        for (long left = some & ~get(number); left != 0; left &= left - 1) {
            if (memory.get(ValueLayout.JAVA_INT, cell(number, Long.numberOfTrailingZeros(left)) + CPU) == cpu) {
                return true;
            }
        }
        return false;
    }

    /** Those of some that have not come; none at a place that all have gone from. By any thread. */
    public long absent(int number, long some) {
        long found = get(number);
        return (found & all) == 0 ? 0 : some & ~found;
    }

    /** What a rank that is here has said. */
    public long said(int number, int rank) {
        return memory.get(ValueLayout.JAVA_LONG, cell(number, rank));
    }

    /** Copies what a rank that is here has given. */
    public void copy(int number, int rank, long offset, MemorySegment into) {
        MemorySegment.copy(memory, cell(number, rank) + HEAD + offset, into, 0, into.byteSize());
    }

    // It goes.

    /**
     * A rank that has come does not need any more what others have left.
     *
     * @return a bit for each that is to be told that there is room, for what it has {@linkplain #wanted wanted} it
     */
    public long go(int number, int rank) {
        long bit = 1L << (GONE + rank);
        boolean isLast = ((set(number, bit) | bit) >>> GONE & all) == all;
        return isLast ? (long) WORD.getAndSet(memory, word(number), 0L) >>> WANTING : 0;
    }

    /** The operation for which a rank that is to be told wants room at the place of another one. */
    public int wanted(int number, int rank) {
        return memory.get(ValueLayout.JAVA_INT, cell(number, rank) + WANTED);
    }
}
