package jpi.internal.shm;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.IntConsumer;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** What is left where ranks assemble, and who finds it. */
class AssemblyTest {
    private static final int RANKS = 5;
    private static final int OPERATIONS = 20_000;
    private static final int LOOKS = 1_000;

    private static long[] given(int number, int rank) {
        return new long[] {number, rank, (long) number * rank};
    }

    /** What the ranks would tell each other by messages. */
    private static final class Told {
        private final Semaphore[] come = semaphores();
        private final Semaphore[] room = semaphores();

        private static Semaphore[] semaphores() {
            return Stream.generate(() -> new Semaphore(0)).limit(RANKS).toArray(Semaphore[]::new);
        }

        private static void each(long ranks, IntConsumer some) {
            IntStream.range(0, RANKS).filter(rank -> (ranks >>> rank & 1) != 0).forEach(some);
        }
    }

    /** Those that a rank waits for: all, those below it, or, if it is not the first, none. */
    private static long needed(int number, int rank) {
        long all = (1L << RANKS) - 1;
        return switch (number / 7 % 3) {
            case 0 -> all;
            case 1 -> (1L << rank) - 1;
            default -> rank == 0 ? all : 0;
        };
    }

    private static void comeAndGo(Assembly assembly, int number, int rank, boolean looks, Told told)
            throws InterruptedException {
        if (!assembly.hasRoom(number, rank) && assembly.wantsRoom(number, rank)) {
            told.room[rank].acquire();
        }
        assertTrue(assembly.hasRoom(number, rank));
        assembly.leave(number, rank, rank, number + 1L, MemorySegment.ofArray(given(number, rank)));
        Told.each(assembly.come(number, rank, other -> needed(number, other)), other -> told.come[other].release());
        long needed = needed(number, rank);
        for (int left = looks ? LOOKS : 0; left > 0 && !assembly.areHere(number, needed); left--) {
            Thread.onSpinWait();
        }
        if (!assembly.areHere(number, needed) && assembly.waitsFor(number, rank, needed)) {
            told.come[rank].acquire();
        }
        Told.each(needed, from -> {
            long[] rest = new long[2];
            assembly.copy(number, from, Long.BYTES, MemorySegment.ofArray(rest));
            assertEquals(
                    List.of(number + 1L, (long) from, (long) number * from),
                    List.of(assembly.said(number, from), rest[0], rest[1]));
        });
        Told.each(assembly.go(number, rank), other -> told.room[other].release());
    }

    @Test
    void eachFindsWhatThoseHaveLeftWhomItNeeds() throws Exception {
        Assembly assembly = Assembly.onHeap(RANKS);
        Told told = new Told();
        try (ExecutorService threads = Executors.newFixedThreadPool(RANKS)) {
            List<Callable<Void>> ranks = IntStream.range(0, RANKS)
                    .<Callable<Void>>mapToObj(rank -> () -> {
                        SplittableRandom random = new SplittableRandom(rank);
                        for (int number = 0; number < OPERATIONS; number++) {
                            comeAndGo(assembly, number, rank, random.nextBoolean(), told);
                        }
                        return null;
                    })
                    .toList();
            for (Future<Void> each : threads.invokeAll(ranks, 2, TimeUnit.MINUTES)) {
                each.get();
            }
        }
        for (int rank = 0; rank < RANKS; rank++) {
            assertEquals(0, told.come[rank].availablePermits() + told.room[rank].availablePermits(), "told in vain");
        }
    }

    @Test
    void whoHasNotComeIsAwaited() {
        Assembly assembly = Assembly.onHeap(3);
        assembly.come(7, 1, _ -> 0);
        assertEquals(0b101, assembly.absent(7, 0b111));
        assertEquals(0b001, assembly.absent(7, 0b011));
        assertEquals(0, assembly.absent(8, 0b111), "nobody has come there");
        assertTrue(assembly.waitsFor(7, 1, 0b011));
        assertEquals(0b010, assembly.come(7, 0, _ -> 0b011));
        assertTrue(assembly.areHere(7, 0b011));
        assertFalse(assembly.waitsFor(7, 0, 0b011), "they are there");
    }

    @Test
    void whoGoesLastMakesRoom() {
        Assembly assembly = Assembly.onHeap(2);
        int next = 5 + 3 * Assembly.PLACES; // those between need no place
        assembly.come(5, 0, _ -> 0);
        assembly.come(5, 1, _ -> 0);
        assertEquals(0, assembly.go(5, 0));
        assertFalse(assembly.hasRoom(next, 0));
        assertTrue(assembly.wantsRoom(next, 0));
        assertEquals(0b01, assembly.go(5, 1), "the first one is told");
        assertEquals(next, assembly.wanted(5, 0));
        assertTrue(assembly.hasRoom(next, 0));
        assertFalse(assembly.wantsRoom(next, 1), "there is some");
        assembly.come(next, 0, _ -> 0);
        assembly.come(next, 1, _ -> 0);
        assertEquals(0, assembly.go(next, 0));
        assertEquals(0, assembly.go(next, 1), "who did not have to wait is not told");
    }

    @Test
    void itIsKnownWhoNeedsACpu() {
        Assembly assembly = Assembly.onHeap(2);
        assembly.leave(1, 1, 6, 0, MemorySegment.ofArray(new byte[0]));
        assertTrue(assembly.needCpu(1, 0b10, 6));
        assertFalse(assembly.needCpu(1, 0b10, 7));
        assembly.come(1, 1, _ -> 0);
        assertFalse(assembly.needCpu(1, 0b10, 6), "it has come");
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
        one.come(0, 0, _ -> 0);
        long all = (1L << RANKS) - 1;
        assertEquals(all & ~1, same.absent(0, all));
        assertEquals(0, another.absent(0, all));
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
