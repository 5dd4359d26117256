package jpi.internal.shm;

import ayatori.internal.linux.MappedMemory;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Path;
import java.util.Arrays;

/**
 * The memory of a window as one JVM sees it. It has no name in any directory, so that nothing stays of it whatever the program ends
 * by: one rank makes it, the others find it among the open files of that one's JVM, until all have it mapped.
 */
public final class WindowMemory {
    private static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG;

    private final Arena arena;
    private final MemorySegment segment;
    private final WindowLayout layout;
    private final SharedLocks locks;
    /** Ranks of this JVM that have it; guarded by who keeps it. */
    private int users;

    private WindowMemory(Arena arena, MemorySegment segment, WindowLayout layout) {
        this.arena = arena;
        this.segment = segment;
        this.layout = layout;
        locks = new SharedLocks(segment, layout);
    }

    /**
     * Where memory is to be found.
     *
     * @param process the id of the JVM that has made it
     * @param descriptor of its file there
     * @param ranks of the window
     */
    public record Place(long process, int descriptor, int ranks) {}

    /**
     * Makes memory, zeroes at first.
     *
     * @param counts elements of each rank's part
     * @param elementSize bytes
     * @param arena as long as it is open, the others find the memory
     * @throws ArithmeticException if it is more than any memory has
     * @throws IOException if the kernel refuses
     */
    public static Place make(long[] counts, int elementSize, Arena arena) throws IOException {
        WindowLayout layout = new WindowLayout(counts.length);
        long[] starts = layout.starts(Arrays.stream(counts)
                .map(count -> Math.multiplyExact(count, elementSize))
                .toArray());
        MappedMemory made = MappedMemory.createAnonymous("jpi-window", starts[counts.length], arena);
        for (int rank = 0; rank < counts.length; rank++) {
            made.segment().set(LONG, layout.entry(rank), starts[rank]);
            made.segment().set(LONG, layout.entry(rank) + Long.BYTES, counts[rank]);
        }
        return new Place(ProcessHandle.current().pid(), made.descriptor(), counts.length);
    }

    /** Maps it. */
    public static WindowMemory open(Place place) throws IOException {
        Arena arena = Arena.ofShared();
        try {
            Path file = Path.of("/proc/" + place.process + "/fd/" + place.descriptor);
            MappedMemory mapped = MappedMemory.open(file, arena);
            mapped.closeDescriptor();
            return new WindowMemory(arena, mapped.segment(), new WindowLayout(place.ranks));
        } catch (IOException | RuntimeException e) {
            arena.close();
            throw e;
        }
    }

    /** One more rank has it. */
    public void retain() {
        users++;
    }

    /** One rank less has it. True: it was the last one. */
    public boolean release() {
        return --users == 0;
    }

    /** Unmaps it. False: a call that the JDK will not be disturbed in, such as one that reads a file into it, goes on. */
    public boolean unmap() {
        try {
            arena.close();
            return true;
        } catch (IllegalStateException e) {
            return false;
        }
    }

    /** All of it. */
    public MemorySegment segment() {
        return segment;
    }

    /** The locks of the parts. */
    public SharedLocks locks() {
        return locks;
    }

    /** Where a rank's part begins. */
    public long start(int rank) {
        return segment.get(LONG, layout.entry(rank));
    }

    /** How many elements it has. */
    public long count(int rank) {
        return segment.get(LONG, layout.entry(rank) + Long.BYTES);
    }
}
