package jpi;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.Arena;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import jpi.internal.engine.Usage;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Messages that all ranks pass together, against what they should bring. */
final class CollectivesTest {
    private static final int[] COUNTS = {0, 1, 7, 5000, 50_000, 100_000};

    /** What a rank gives to another as an element. */
    private static int value(int from, int to, int index) {
        return from * 1_000_003 + to * 1009 + index;
    }

    private static int[] values(int from, int to, int count) {
        int[] values = new int[count];
        Arrays.setAll(values, i -> value(from, to, i));
        return values;
    }

    /** Large ones only among few ranks and among many. */
    private static boolean skips(int size, int count) {
        return count >= 50_000 && size != 3 && size != 8 && size != 9;
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 4, 5, 6, 7, 8, 9, 18})
    void buffersFromAndToOne(int size) {
        Ranks.everyWay(size, handle -> {
            JComm world = handle.COMM_WORLD;
            int me = world.rank();
            for (int count : COUNTS) {
                for (int root : new int[] {0, size / 2, size - 1}) {
                    if (skips(size, count)) {
                        continue;
                    }
                    int[] passed = me == root ? values(root, 0, count) : new int[count];
                    world.bcast(JBuffer.of(passed), root);
                    assertArrayEquals(values(root, 0, count), passed);

                    int[] all = new int[size * count];
                    world.gather(JBuffer.of(values(me, root, count)), me == root ? JBuffer.of(all) : null, root);
                    for (int i = 0; me == root && i < size; i++) {
                        assertArrayEquals(values(i, root, count), Arrays.copyOfRange(all, i * count, (i + 1) * count));
                    }

                    int[] mine = new int[count];
                    JBuffer whole = me == root ? JBuffer.of(concatenated(size, root, count)) : null;
                    world.scatter(whole, JBuffer.of(mine), root);
                    assertArrayEquals(values(root, me, count), mine);
                }
            }
        });
    }

    /** What a rank gives to all. */
    private static int[] concatenated(int size, int from, int count) {
        int[] all = new int[size * count];
        Arrays.setAll(all, i -> value(from, i / count, i % count));
        return all;
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 4, 5, 6, 7, 8, 9, 18})
    void buffersFromAllToAll(int size) {
        Ranks.everyWay(size, handle -> {
            JComm world = handle.COMM_WORLD;
            int me = world.rank();
            for (int count : COUNTS) {
                if (skips(size, count)) {
                    continue;
                }
                int[] all = new int[size * count];
                world.allgather(JBuffer.of(values(me, 0, count)), JBuffer.of(all));
                int[] expected = new int[size * count];
                Arrays.setAll(expected, i -> value(i / count, 0, i % count));
                assertArrayEquals(expected, all);

                world.alltoall(JBuffer.of(concatenated(size, me, count)), JBuffer.of(all));
                Arrays.setAll(expected, i -> value(i / count, me, i % count));
                assertArrayEquals(expected, all);
            }
        });
    }

    /** Elements of a block of different size for each rank; of some none. */
    private static int uneven(int rank, int count) {
        return rank % 3 == 1 ? 0 : rank * 17 + count;
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 5, 8})
    void blocksOfDifferentCounts(int size) {
        Ranks.everyWay(size, handle -> {
            JComm world = handle.COMM_WORLD;
            int me = world.rank();
            for (int count : new int[] {0, 1, 7, 5000}) {
                int root = size - 1;
                int[] counts = new int[size];
                Arrays.setAll(counts, i -> uneven(i, count));
                int[] displacements = new int[size]; // in the order opposite to that of the ranks, and with gaps
                for (int i = size - 2; i >= 0; i--) {
                    displacements[i] = displacements[i + 1] + counts[i + 1] + 3;
                }
                int[] all = new int[displacements[0] + counts[0]];
                JBuffer mine = JBuffer.of(values(me, 0, counts[me]));
                world.gatherv(mine, me == root ? JBuffer.of(all) : null, counts, displacements, root);
                for (int i = 0; me == root && i < size; i++) {
                    assertArrayEquals(values(i, 0, counts[i]), range(all, displacements[i], counts[i]));
                }
                int[] everything = new int[all.length];
                world.allgatherv(mine, JBuffer.of(everything), counts, displacements);
                for (int i = 0; i < size; i++) {
                    assertArrayEquals(values(i, 0, counts[i]), range(everything, displacements[i], counts[i]));
                }
                int[] back = new int[counts[me]];
                world.scatterv(me == root ? JBuffer.of(all) : null, counts, displacements, JBuffer.of(back), root);
                assertArrayEquals(values(me, 0, counts[me]), back);

                int[] out = everything;
                for (int i = 0; i < size; i++) {
                    System.arraycopy(values(me, i, counts[i]), 0, out, displacements[i], counts[i]);
                }
                int[] same = new int[size];
                Arrays.fill(same, counts[me]);
                int[] in = new int[size * counts[me]];
                world.alltoallv(JBuffer.of(out), counts, displacements, JBuffer.of(in), same, null);
                for (int i = 0; i < size; i++) {
                    assertArrayEquals(values(i, me, counts[me]), range(in, i * counts[me], counts[me]));
                }
            }
        });
    }

    private static int[] range(int[] array, int start, int count) {
        return Arrays.copyOfRange(array, start, start + count);
    }

    /** No element of it is looked at, so that it may lie anywhere. */
    @Test
    void anEmptyBlockHasNoPlace() {
        Ranks.run(3, handle -> {
            JComm world = handle.COMM_WORLD;
            int me = world.rank();
            int[] counts = {2, 0, 1};
            int[] displacements = {1, me == 0 ? 77 : -1, 0};
            int[] all = new int[3];
            JBuffer mine = JBuffer.of(values(me, 0, counts[me]));
            world.allgatherv(mine, JBuffer.of(all), counts, displacements);
            assertArrayEquals(new int[] {value(2, 0, 0), value(0, 0, 0), value(0, 0, 1)}, all);
            int[] back = new int[counts[me]];
            world.scatterv(JBuffer.of(all), counts, displacements, JBuffer.of(back), 1);
            assertArrayEquals(values(me, 0, counts[me]), back);
        });
    }

    private static void passObjects(JComm world) {
        int size = world.size();
        int me = world.rank();
        List<String> names = new ArrayList<>();
        List<List<Integer>> pairs = new ArrayList<>();
        for (int i = 0; i < size; i++) {
            names.add("n".repeat(i));
            pairs.add(List.of(me, i));
        }
        world.barrier();
        assertEquals(names, world.allgather("n".repeat(me)));
        for (int root = 0; root < Math.min(size, 9); root++) {
            assertEquals("from " + root, world.bcast(me == root ? "from " + root : null, root));
            assertEquals(me == root ? names : null, world.gather("n".repeat(me), root));
            assertEquals("n".repeat(me), world.scatter(me == root ? names : null, root));
        }
        List<List<Integer>> received = world.alltoall(pairs);
        for (int i = 0; i < size; i++) {
            assertEquals(List.of(i, me), received.get(i));
        }
        assertEquals(Collections.nCopies(size, null), world.<Object>allgather(nothing()));
    }

    @SuppressWarnings("NullAway") // a message may be null
    private static Object nothing() {
        return null;
    }

    @Test
    void objects() {
        for (int size = 1; size <= 9; size++) {
            Ranks.everyWay(size, handle -> passObjects(handle.COMM_WORLD));
            Ranks.runVirtual(size, handle -> passObjects(handle.COMM_WORLD));
            Ranks.runChecking(size, handle -> passObjects(handle.COMM_WORLD));
        }
        Ranks.runVirtual(100, handle -> passObjects(handle.COMM_WORLD));
    }

    @Test
    void anObjectIsOneForAllRanksOfAJvm() {
        Object[] message = {new Object()};
        Ranks.run(5, handle -> {
            assertSame(message, handle.COMM_WORLD.bcast(handle.COMM_WORLD.rank() == 2 ? message : null, 2));
        });
    }

    @Test
    void allTypesOnAndOffTheHeap() {
        for (JType type : JType.values()) {
            Ranks.run(3, handle -> {
                JComm world = handle.COMM_WORLD;
                try (Arena arena = Arena.ofShared()) {
                    for (int count : new int[] {1, 3000}) {
                        JBuffer mine = JBuffer.of(arena.allocate((long) count * type.size()), type);
                        mine.memory().fill((byte) (world.rank() + 1));
                        Object all = type.newArray(3 * count);
                        world.allgather(mine, JBuffer.ofArray(all));
                        JBuffer back = JBuffer.of(arena.allocate(3L * count * type.size()), type);
                        world.alltoall(JBuffer.ofArray(all), back);
                        for (int i = 0; i < 3; i++) {
                            JBuffer expected = JBuffer.ofArray(type.newArray(count));
                            expected.memory().fill((byte) (i + 1));
                            JBuffer block = JBuffer.ofArray(all).slice(i * count, count);
                            assertEquals(-1, expected.memory().mismatch(block.memory()));
                            expected.memory().fill((byte) (world.rank() + 1));
                            JBuffer passed = back.slice(i * count, count);
                            assertEquals(-1, expected.memory().mismatch(passed.memory()));
                        }
                    }
                }
            });
        }
    }

    @Test
    void severalAreUnderWayAtOnce() {
        for (int size : new int[] {1, 2, 3, 6}) {
            Ranks.everyWay(size, handle -> {
                JComm world = handle.COMM_WORLD;
                int me = world.rank();
                int count = 6000;
                List<JRequest<?>> requests = new ArrayList<>();
                List<int[]> passed = new ArrayList<>();
                for (int i = 0; i < 20; i++) {
                    int root = i % size;
                    int[] array = me == root ? values(root, i, count) : new int[count];
                    passed.add(array);
                    requests.add(world.ibcast(JBuffer.of(array), root));
                }
                int[] all = new int[size * count];
                requests.add(world.iallgather(JBuffer.of(values(me, 0, count)), JBuffer.of(all)));
                JRequest<List<Integer>> ranks = world.iallgather(me);
                JRequest<String> object = world.ibcast(me == 0 ? "object" : null, 0);
                requests.add(world.ibarrier());
                if (me == 0) { // waits in another order than others
                    assertEquals("object", object.await());
                }
                assertEquals(size, ranks.await().size());
                assertEquals("object", object.toCompletableFuture().join());
                JRequest.awaitAll(requests);
                for (int i = 0; i < 20; i++) {
                    assertArrayEquals(values(i % size, i, count), passed.get(i));
                }
                assertArrayEquals(values(size - 1, 0, count), range(all, (size - 1) * count, count));
                int last = JRequest.awaitAny(
                        List.of(world.igather(me, 0), world.iscatter(null, me)).subList(0, 1));
                assertEquals(0, last);
            });
        }
    }

    @Test
    void aBarrierThatWasBegunIsOverWhenAllHaveBegun() {
        AtomicInteger begun = new AtomicInteger();
        Ranks.run(4, handle -> {
            JComm world = handle.COMM_WORLD;
            for (int i = 1; i <= 50; i++) {
                begun.incrementAndGet();
                var _ = world.ibarrier().await();
                assertTrue(begun.get() >= 4 * i);
                world.barrier();
            }
        });
    }

    @Test
    void manyVirtualRanks() {
        int size = 2000;
        Ranks.runVirtual(size, handle -> {
            JComm world = handle.COMM_WORLD;
            List<Integer> all = world.gather(world.rank(), 7);
            assertEquals(world.rank() == 7 ? size : 0, all == null ? 0 : all.size());
            assertEquals(world.rank(), world.scatter(all, 7));
            assertEquals(size * (size - 1) / 2, world.allreduce(world.rank(), JOperation.SUM));
            int[] one = {world.rank() == 3 ? 5 : 0};
            world.bcast(JBuffer.of(one), 3);
            assertEquals(5, one[0]);
        });
    }

    /** Not as many as the square of the ranks, with a tiny part in each. */
    @Test
    void amongManyRanksFewMessagesAreEnough() {
        int size = 300;
        long fewSteps = 30;
        List<Usage> usage = Ranks.runWatched(size, 1, true, _ -> {}, handle -> {
            JComm world = handle.COMM_WORLD;
            byte[] passed = new byte[300_000];
            Arrays.fill(passed, (byte) (world.rank() == 5 ? 1 : 0));
            world.bcast(JBuffer.of(passed), 5);
            assertEquals(1, passed[size]);
            long[] mine = new long[8 * size];
            Arrays.setAll(mine, i -> i + world.rank());
            long[] part = new long[8];
            world.reduceScatterBlock(JBuffer.of(mine), JBuffer.of(part), JOperation.SUM);
            assertEquals(8L * world.rank() * size + size * (size - 1) / 2, part[0]);
        });
        long messages = usage.stream().mapToLong(Usage::sent).sum();
        assertTrue(messages <= fewSteps * size, () -> messages + " messages");
    }

    private static String thrown(org.junit.jupiter.api.function.Executable code) {
        return String.valueOf(assertThrows(JException.class, code).getMessage());
    }

    @Test
    void whatIsWrongIsSaid() {
        Ranks.run(1, handle -> {
            JComm world = handle.COMM_WORLD;
            JBuffer two = JBuffer.of(new int[2]);
            assertEquals("rank 1 is not in COMM_WORLD, which has ranks 0 to 0", thrown(() -> world.bcast("x", 1)));
            assertTrue(thrown(() -> world.scatter(List.of(1, 2), 0)).startsWith("2 messages for the 1 ranks"));
            assertTrue(thrown(() -> world.scatter((List<?>) null, 0)).contains("has given no list"));
            assertTrue(thrown(() -> world.gather(two, null, 0)).contains("no buffer"));
            assertTrue(
                    thrown(() -> world.allgather(two, JBuffer.of(new int[3]))).contains("must have 2 elements"));
            assertTrue(thrown(() -> world.allgatherv(two, two, new int[] {3}, null))
                    .contains("lies outside"));
            assertTrue(thrown(() -> world.gatherv(two, two, null, null, 0)).contains("no counts"));
            JRequest<?> request = world.iallgatherv(two, two, new int[] {1, 1}, null);
            assertTrue(thrown(request::await).startsWith("2 counts for the 1 ranks"));
        });
        Ranks.run(2, handle -> {
            JBuffer buffer = JBuffer.of(new int[2 + handle.COMM_WORLD.rank()]);
            if (handle.COMM_WORLD.rank() == 0) {
                handle.COMM_WORLD.bcast(buffer, 0);
            } else {
                assertTrue(thrown(() -> handle.COMM_WORLD.bcast(buffer, 0))
                        .startsWith("rank 0 of COMM_WORLD gave 2 ints, but 3 were expected"));
            }
        });
        Ranks.runApart(
                2,
                2,
                handle -> { // in parts, the first of which are alike
                    JBuffer buffer = JBuffer.of(new int[60_000 - handle.COMM_WORLD.rank()]);
                    if (handle.COMM_WORLD.rank() == 0) {
                        handle.COMM_WORLD.bcast(buffer, 0);
                    } else {
                        assertTrue(thrown(() -> handle.COMM_WORLD.bcast(buffer, 0))
                                .startsWith("rank 0 of COMM_WORLD gave 60000 ints, but 59999 were expected"));
                    }
                });
    }

    @Test
    void checkingModeTellsWhoCalledWhat() {
        Ranks.runChecking(4, handle -> {
            JComm world = handle.COMM_WORLD;
            int me = world.rank();
            world.barrier();
            String text = thrown(() -> {
                if (me == 1) {
                    world.bcast(JBuffer.of(new int[3]), 0);
                } else {
                    world.barrier();
                }
            });
            assertEquals(
                    "collective calls in COMM_WORLD do not match: ranks 0, 2, 3 called barrier;"
                            + " rank 1 called bcast of 3 ints, root 0: let all ranks make the same calls in the same order",
                    text);
            String roots = thrown(() -> world.bcast("x", me / 2));
            assertTrue(roots.contains("ranks 0, 1 called bcast, root 0; ranks 2, 3 called bcast, root 1"), roots);
            JOperation<Object> operation = me == 0 ? JOperation.SUM : JOperation.MAX;
            String operations = thrown(() -> world.allreduce(1.0, operation));
            assertTrue(operations.contains("rank 0 called allreduce of a java.lang.Double, SUM;"), operations);
            JBuffer buffer = me == 3 ? JBuffer.of(new float[5]) : JBuffer.of(new double[5]);
            JRequest<?> request = world.iallreduce(buffer, buffer, JOperation.SUM);
            assertTrue(thrown(request::await).contains("rank 3 called allreduce of 5 floats, SUM"));
            String counts = thrown(() -> world.reduce(new long[me], JOperation.SUM, 0));
            assertTrue(counts.contains("rank 3 called reduce of 3 longs in an array, SUM, root 0"), counts);
            assertNull(me == 0 ? null : world.gather(me, 0));
            if (me == 0) {
                assertEquals(List.of(0, 1, 2, 3), world.gather(me, 0));
            }
        });
    }

    @Test
    void checkingModeSeesPartsAndEdgesThatDiffer() {
        Ranks.runChecking(3, handle -> {
            JComm world = handle.COMM_WORLD;
            int me = world.rank();
            JBuffer six = JBuffer.of(new int[6]);
            int[] counts = me == 0 ? new int[] {2, 2, 2} : new int[] {1, 2, 3};
            String parts =
                    thrown(() -> world.reduceScatter(six, JBuffer.of(new int[counts[me]]), counts, JOperation.SUM));
            assertTrue(
                    parts.contains("rank 0 called reduceScatter of 6 ints in parts of [2, 2, 2], SUM; ranks 1, 2"),
                    parts);
            int[] none = {};
            int[] next = {(me + 1) % 3};
            int[] previous = {(me + 2) % 3};
            assertEquals(
                    "in a graph of COMM_WORLD rank 1 names rank 2 as a destination 1 times, and rank 2 names rank 1 as a source"
                            + " 0 times: let both ends name each edge",
                    thrown(() -> world.graph(me == 2 ? none : previous, next)));
            world.graph(previous, next).free();
        });
    }

    @Test
    void checkingModeRefusesToReceiveOverWhatIsToGo() {
        Ranks.runChecking(2, handle -> {
            JComm world = handle.COMM_WORLD;
            int[] numbers = new int[6];
            JBuffer first = JBuffer.of(numbers, 0, 4);
            JBuffer last = JBuffer.of(numbers, 3, 2);
            String remedy =
                    "which overlap: what comes would be written over what is to go; receive into another buffer";
            for (Executable call : List.<Executable>of(
                    () -> world.alltoall(first, first),
                    () -> world.reduceScatter(first, last, new int[] {2, 2}, JOperation.SUM),
                    () -> world.reduceScatterBlock(first, last, JOperation.SUM),
                    () -> world.sendrecv(first, 1 - world.rank(), 0, last, 1 - world.rank(), 0))) {
                String text = thrown(call);
                assertTrue(text.endsWith(remedy), text);
            }
            world.alltoall(JBuffer.of(numbers, 0, 2), JBuffer.of(numbers, 2, 2));
            world.allreduce(first, first, JOperation.SUM);
        });
    }
}
