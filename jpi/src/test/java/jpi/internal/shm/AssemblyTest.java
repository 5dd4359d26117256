package jpi.internal.shm;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** What is left where ranks assemble, and who finds it. */
class AssemblyTest {
    private static final int RANKS = Assembly.MOST_RANKS;
    private static final int OPERATIONS = 20_000;

    private static long[] given(int number, int rank) {
        return new long[] {number, rank, (long) number * rank};
    }

    /** How often it was the last one. */
    private static int come(Assembly assembly, int rank, CyclicBarrier done) throws Exception {
        int last = 0;
        for (int number = 0; number < OPERATIONS; number++) {
            assembly.leave(number, rank, number + 1L, MemorySegment.ofArray(given(number, rank)));
            if (assembly.comesLast(number, rank)) {
                last++;
                for (int from = 0; from < RANKS; from++) {
                    long[] found = new long[2];
                    assembly.copy(number, from, Long.BYTES, MemorySegment.ofArray(found));
                    assertEquals(
                            List.of(number + 1L, (long) from, (long) number * from),
                            List.of(assembly.said(number, from), found[0], found[1]));
                }
            }
            done.await();
        }
        return last;
    }

    @Test
    void oneOfThemComesLastAndFindsWhatAllHaveLeft() throws Exception {
        Assembly assembly = Assembly.onHeap(RANKS);
        CyclicBarrier done = new CyclicBarrier(RANKS);
        try (ExecutorService threads = Executors.newFixedThreadPool(RANKS)) {
            List<Callable<Integer>> ranks = IntStream.range(0, RANKS)
                    .<Callable<Integer>>mapToObj(rank -> () -> come(assembly, rank, done))
                    .toList();
            int last = 0;
            for (Future<Integer> each : threads.invokeAll(ranks)) {
                last += each.get();
            }
            assertEquals(OPERATIONS, last);
        }
    }

    @Test
    void whoHasNotComeIsAwaited() {
        Assembly assembly = Assembly.onHeap(3);
        assertFalse(assembly.comesLast(7, 1));
        assertEquals(List.of(0, 2), assembly.absent(7));
        assertEquals(List.of(), assembly.absent(8), "nobody has come there");
        assertFalse(assembly.comesLast(7, 2));
        assertEquals(List.of(0), assembly.absent(7));
        assertTrue(assembly.comesLast(7, 0));
        assertEquals(List.of(), assembly.absent(7));
    }

    /** One worker's view of memory that others see too. */
    private static SharedLayout layout(MemorySegment memory) {
        return new SharedLayout(RANKS, 2, true, memory);
    }

    @Test
    void inSharedMemoryEachCommunicatorHasItsOwn() {
        MemorySegment memory = Arena.ofAuto().allocate(SharedLayout.size(RANKS, 2, true), 4096);
        Assembly one = layout(memory).assembly(0, RANKS);
        Assembly another = layout(memory).assembly(1L << 32, RANKS);
        Assembly same = layout(memory).assembly(0, RANKS);
        assertNotNull(one);
        assertNotNull(another);
        assertNotNull(same);
        assertFalse(one.comesLast(0, 0));
        assertEquals(List.of(1, 2, 3), same.absent(0));
        assertEquals(List.of(), another.absent(0));
    }

    @Test
    void whoFindsNoneLeftNeverDoes() {
        MemorySegment memory = Arena.ofAuto().allocate(SharedLayout.size(RANKS, 2, true), 4096);
        long id = 0;
        while (layout(memory).assembly(id, RANKS) != null) {
            assertTrue(id < 1000, "there is no end to them");
            id++;
        }
        assertNull(layout(memory).assembly(id, RANKS));
        assertNotNull(layout(memory).assembly(id - 1, RANKS));
    }
}
