package jpi;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** What a few ranks that share CPUs do with little; what comes of it is seen in {@link CollectivesModelTest} too. */
class TogetherTest {
    /** Numbers that stand for x -> factor * x + term, one after the other: the order counts. */
    private static final JOperation<Object> THEN =
            JOperation.ofLongs(TogetherTest::then).nonCommutative();

    private static long map(int factor, int term) {
        return (long) factor << Integer.SIZE | Integer.toUnsignedLong(term);
    }

    private static long then(long first, long second) {
        int factor = (int) (second >> Integer.SIZE);
        return map((int) (first >> Integer.SIZE) * factor, (int) first * factor + (int) second);
    }

    private static void inOneJvmAndInSeveral(int ranks, Ranks.Body body) {
        Ranks.run(ranks, body);
        Ranks.runVirtual(ranks, body);
        Ranks.runApart(ranks, 2, body);
        Ranks.runVirtualApart(ranks, 2, body);
    }

    @Test
    void valuesAreReducedInTheOrderOfTheRanks() {
        inOneJvmAndInSeveral(4, handle -> {
            JComm world = handle.COMM_WORLD;
            for (int i = 0; i < 200; i++) {
                long expected = map(1, i);
                for (int rank = 1; rank < 4; rank++) {
                    expected = then(expected, map(rank + 1, rank + i));
                }
                long given = map(world.rank() + 1, world.rank() + i);
                long[] mine = {given, map(1, 0), given};
                long[] all = new long[3];
                world.allreduce(JBuffer.of(mine), JBuffer.of(all), THEN);
                assertArrayEquals(new long[] {expected, map(1, 0), expected}, all);
                assertArrayEquals(all, world.allreduce(mine, THEN));
                world.allreduce(JBuffer.of(mine), JBuffer.of(mine), THEN); // where what is given lies
                assertArrayEquals(all, mine);
            }
        });
    }

    /** Ranks of which only some need others: those that need none may be several operations ahead, and then wait for room. */
    @Test
    void whoNeedsNobodyGoesAhead() {
        inOneJvmAndInSeveral(5, handle -> {
            JComm world = handle.COMM_WORLD;
            int me = world.rank();
            for (int i = 0; i < 300; i++) {
                long given = map(me + 1, me + i);
                JBuffer mine = JBuffer.of(new long[] {given, map(1, 0)});
                long[] up = new long[2];
                long[] before = {-1, -1};
                long[] all = new long[2];
                int root = i % 7 % 5;
                world.scan(mine, JBuffer.of(up), THEN);
                world.exscan(mine, JBuffer.of(before), THEN);
                world.reduce(mine, me == root ? JBuffer.of(all) : null, THEN, root);
                long expected = map(1, i);
                for (int rank = 1; rank <= me; rank++) {
                    if (rank == me) {
                        assertArrayEquals(new long[] {expected, map(1, 0)}, before);
                    }
                    expected = then(expected, map(rank + 1, rank + i));
                }
                assertArrayEquals(new long[] {expected, map(1, 0)}, up);
                for (int rank = me + 1; rank < 5; rank++) {
                    expected = then(expected, map(rank + 1, rank + i));
                }
                assertEquals(me == root ? expected : 0, all[0]);
            }
        });
    }

    @Test
    void nobodyLeavesABarrierBeforeAllHaveCome() {
        int ranks = 6;
        for (boolean apart : List.of(false, true)) {
            AtomicInteger come = new AtomicInteger();
            Ranks.Body body = handle -> {
                for (int i = 1; i <= 500; i++) {
                    come.getAndIncrement();
                    handle.COMM_WORLD.barrier();
                    int found = come.get();
                    assertTrue(found >= i * ranks, () -> found + " have come");
                }
            };
            if (apart) {
                Ranks.runApart(ranks, 2, body);
            } else {
                Ranks.run(ranks, body);
            }
        }
    }

    /** Those that are begun wait for their places, also where others pass them that need none. */
    @Test
    void manyAreUnderWayAtOnce() {
        inOneJvmAndInSeveral(3, handle -> {
            JComm world = handle.COMM_WORLD;
            List<JRequest<@Nullable Void>> begun = new ArrayList<>();
            List<int[]> sums = new ArrayList<>();
            for (int i = 0; i < 60; i++) {
                int[] sum = new int[i % 3 == 0 ? 5000 : 5];
                int[] mine = new int[sum.length];
                mine[4] = world.rank() + i;
                sums.add(sum);
                begun.add(world.iallreduce(JBuffer.of(mine), JBuffer.of(sum), JOperation.SUM));
                if (i % 7 == 6) {
                    int[] all = new int[3];
                    world.allgather(JBuffer.of(new int[] {world.rank() * i}), JBuffer.of(all));
                    assertArrayEquals(new int[] {0, i, 2 * i}, all);
                }
            }
            JRequest.awaitAll(begun.reversed());
            for (int i = 0; i < sums.size(); i++) {
                assertEquals(3 + 3 * i, sums.get(i)[4]);
            }
        });
    }

    /** Also where the operation before at the same place waits for something else than its ranks. */
    @Test
    void whatNeedsNoPlaceKeepsNobodyWaiting() {
        CountDownLatch passed = new CountDownLatch(3);
        Ranks.run(3, handle -> {
            JComm world = handle.COMM_WORLD;
            JRequest<Integer> slow = world.iallreduce(1, JOperation.<Integer>of((a, b) -> {
                awaitAll(passed);
                return a + b;
            }));
            for (int i = 0; i < 20; i++) {
                int[] all = new int[3];
                world.allgather(JBuffer.of(new int[] {i}), JBuffer.of(all));
                assertArrayEquals(new int[] {i, i, i}, all);
            }
            passed.countDown();
            assertEquals(3, slow.await());
        });
    }

    private static void awaitAll(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Groups of one split have communicators of one id. */
    @Test
    void groupsKeepApart() {
        Ranks.Body body = handle -> {
            JComm world = handle.COMM_WORLD;
            int group = world.rank() % 2;
            JComm half = world.split(group, 0);
            for (int i = 0; half != null && i < 500; i++) {
                int[] all = new int[4];
                half.alltoall(JBuffer.of(new int[] {group, group, group, group}), JBuffer.of(all));
                assertArrayEquals(new int[] {group, group, group, group}, all);
            }
        };
        Ranks.run(8, body);
        Ranks.runApart(8, 2, body);
    }

    /** Of numbers in arrays: one of objects is not made together. */
    private static int sum(JComm comm, int mine) {
        return comm.allreduce(new int[] {mine}, JOperation.SUM)[0];
    }

    @Test
    void thereAreMoreCommunicatorsThanPlacesForTheirRanks() {
        Ranks.runApart(4, 2, handle -> {
            List<JComm> copies = new ArrayList<>();
            for (int i = 0; i < 80; i++) {
                JComm copy = handle.COMM_WORLD.dup();
                copies.add(copy);
                assertEquals(6 + 4 * i, sum(copy, copy.rank() + i));
            }
            for (JComm copy : copies) {
                assertEquals(6, sum(copy, copy.rank()));
            }
        });
    }

    /** Who needs another's part finds out; the others fail with it. */
    @Test
    void callsThatDoNotMatchAreFoundOut() {
        Ranks.Body body = handle -> {
            JComm world = handle.COMM_WORLD;
            JBuffer mine = JBuffer.of(new int[3]);
            if (world.rank() == 1) {
                world.allreduce(mine, JBuffer.of(new int[3]), JOperation.SUM);
            } else {
                world.alltoall(mine, JBuffer.of(new int[3]));
            }
        };
        for (AssertionError error : List.of(
                assertThrows(AssertionError.class, () -> Ranks.run(3, body)),
                assertThrows(AssertionError.class, () -> Ranks.runApart(3, 2, body)))) {
            assertTrue(
                    String.valueOf(error.getMessage()).contains("the collective calls of the ranks do not match"),
                    error::getMessage);
        }
    }

    /** Before they have come: nobody waits for what cannot be done. */
    @Test
    void badBuffersAreRefusedByEachRank() {
        Ranks.run(3, handle -> {
            JComm world = handle.COMM_WORLD;
            JBuffer mine = JBuffer.of(new int[3]);
            JBuffer fixed = JBuffer.of(MemorySegment.ofArray(new int[3]).asReadOnly(), JType.INT);
            Arena arena = Arena.ofShared();
            JBuffer gone = JBuffer.of(arena.allocate(12, 4), JType.INT);
            arena.close();
            for (Runnable wrong : List.<Runnable>of(
                    () -> world.alltoall(mine, fixed),
                    () -> world.allgather(mine.slice(0, 1), fixed),
                    () -> world.allreduce(mine, fixed, JOperation.SUM),
                    () -> world.reduceScatter(mine, fixed.slice(0, 1), new int[] {1, 1, 1}, JOperation.SUM),
                    () -> world.reduceScatter(mine, JBuffer.of(new long[1]), new int[] {1, 1, 1}, JOperation.SUM),
                    () -> world.alltoall(mine, JBuffer.of(new float[3])),
                    () -> world.allgather(mine, JBuffer.of(new double[9])),
                    () -> world.allgather(mine, JBuffer.of(new short[9])),
                    () -> world.alltoall(gone, mine),
                    () -> world.allreduce(gone, mine, JOperation.SUM))) {
                assertThrows(JException.class, wrong::run);
            }
            assertEquals(3, sum(world, world.rank()), "nothing of that is left");
        });
    }
}
