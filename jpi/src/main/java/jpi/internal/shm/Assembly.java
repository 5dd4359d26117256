package jpi.internal.shm;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Where a few ranks leave what they give to an operation that all of them do, so that whoever comes last finds all of it. Several
 * operations may be under way: each has a place, in turn, and a rank that comes to one has ended the operation before at that place.
 */
public final class Assembly {
    /** So many ranks at most. */
    public static final int MOST_RANKS = 4;
    /** So many bytes of each at most. */
    public static final int MOST_BYTES = 1 << 10;
    /** So many operations at a time; a power of two. */
    public static final int PLACES = 4;

    private static final long LINE = 128;
    /** The line before contents, for what is said of them. */
    private static final long CELL = LINE + MOST_BYTES;

    /** A bit for each rank that has come. */
    private static final VarHandle PRESENT = ValueLayout.JAVA_LONG.varHandle();

    private final int ranks;
    private final MemorySegment memory;

    /** In memory of {@link #size}, zeroes at first. */
    Assembly(int ranks, MemorySegment memory) {
        this.ranks = ranks;
        this.memory = memory;
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

    private static long present(int number) {
        return (long) place(number) * LINE;
    }

    private long cell(int number, int rank) {
        return PLACES * LINE + ((long) place(number) * ranks + rank) * CELL;
    }

    /**
     * Leaves what a rank gives.
     *
     * @param number of the operation
     * @param said what it says of it
     */
    public void leave(int number, int rank, long said, MemorySegment contents) {
        long cell = cell(number, rank);
        memory.set(ValueLayout.JAVA_LONG, cell, said);
        MemorySegment.copy(contents, 0, memory, cell + LINE, contents.byteSize());
    }

    /** A rank has come, and has left what it gives. True: it is the last one, and the others wait for it. */
    public boolean comesLast(int number, int rank) {
        long bit = 1L << rank;
        long before = (long) PRESENT.getAndBitwiseOr(memory, present(number), bit);
        if ((before | bit) != (1L << ranks) - 1) {
            return false;
        }
        // None comes to this place again before the caller has said something to it.
        memory.set(ValueLayout.JAVA_LONG, present(number), 0L);
        return true;
    }

    /** What a rank has said, for the last one. */
    public long said(int number, int rank) {
        return memory.get(ValueLayout.JAVA_LONG, cell(number, rank));
    }

    /** Copies what a rank has given, for the last one. */
    public void copy(int number, int rank, long offset, MemorySegment into) {
        MemorySegment.copy(memory, cell(number, rank) + LINE + offset, into, 0, into.byteSize());
    }

    /** The ranks that are awaited; none if all have come. By any thread. */
    public List<Integer> absent(int number) {
        long present = (long) PRESENT.getVolatile(memory, present(number));
        return present == 0
                ? List.of()
                : IntStream.range(0, ranks)
                        .filter(rank -> (present >>> rank & 1) == 0)
                        .boxed()
                        .toList();
    }
}
