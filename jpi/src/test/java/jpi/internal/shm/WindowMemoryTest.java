package jpi.internal.shm;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

/** Where things are in the memory of a window. */
final class WindowMemoryTest {
    @Test
    void nothingOverlaps() {
        for (int ranks : new int[] {1, 2, 3, 4, 5, 16, 17, 1000}) {
            WindowLayout layout = new WindowLayout(ranks);
            assertTrue(layout.queueLength() >= ranks && Integer.bitCount(layout.queueLength()) == 1, "of " + ranks);
            long end = layout.entry(ranks);
            for (int rank = 0; rank < ranks; rank++) {
                assertTrue(layout.lock(rank) >= end && layout.lock(rank) % 128 == 0, "lock " + rank + " of " + ranks);
                end = layout.lock(rank) + WindowLayout.QUEUE + 4L * layout.queueLength();
            }
            long[] bytes = new long[ranks];
            Arrays.setAll(bytes, rank -> 7L * rank);
            long[] starts = layout.starts(bytes);
            for (int rank = 0; rank < ranks; rank++) {
                assertTrue(starts[rank] >= end && starts[rank] % 128 == 0, "part " + rank + " of " + ranks);
                end = starts[rank] + bytes[rank];
            }
            assertTrue(starts[ranks] >= end, "the end of " + ranks);
        }
        assertThrows(
                ArithmeticException.class, () -> new WindowLayout(2).starts(new long[] {Long.MAX_VALUE - 4096, 1}));
    }

    @Test
    void memoryIsFoundAsLongAsItsMakerHasItOpen() throws IOException {
        WindowMemory.Place place;
        WindowMemory memory;
        try (Arena arena = Arena.ofConfined()) {
            place = WindowMemory.make(new long[] {3, 0, 5}, 2, arena);
            memory = WindowMemory.open(place);
        }
        memory.retain();
        assertEquals(3, memory.count(0));
        assertEquals(5, memory.count(2));
        assertEquals(
                0,
                memory.segment()
                                .asSlice(memory.start(2), 10)
                                .mismatch(Arena.ofAuto().allocate(10))
                        + 1);
        assertThrows(IOException.class, () -> WindowMemory.open(place));
        assertTrue(memory.release());
        assertTrue(memory.unmap());
        assertThrows(IllegalStateException.class, () -> memory.count(0));
    }
}
