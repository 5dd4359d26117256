package jpi;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Random collective operations, on several communicators, many of them under way at once. */
final class CollectivesMixTest {
    private static final int STEPS = 300;
    private static final int MOST_UNDER_WAY = 12;

    /** An operation that was begun, and what shows that it went well. */
    private record Step(JRequest<?> request, Runnable check) {
        void finish() {
            var _ = request.await();
            check.run();
        }
    }

    private static long[] values(int rank, int step, int count) {
        long[] values = new long[count];
        Arrays.setAll(values, i -> rank * 1_000_003L + step * 1009L + i);
        return values;
    }

    private static long[] sum(int size, int step, int count) {
        long[] sum = new long[count];
        for (int rank = 0; rank < size; rank++) {
            long[] values = values(rank, step, count);
            Arrays.setAll(sum, i -> sum[i] + values[i]);
        }
        return sum;
    }

    private static Step begin(JComm comm, Random random, int step) {
        int size = comm.size();
        int me = comm.rank();
        int root = random.nextInt(size);
        int count = random.nextInt(4) == 0 ? random.nextInt(20_000) : random.nextInt(50);
        long[] mine = values(me, step, count);
        long[] result = new long[count];
        JBuffer into = JBuffer.of(result);
        return switch (random.nextInt(7)) {
            case 0 -> {
                long[] passed = me == root ? mine : result;
                yield new Step(
                        comm.ibcast(JBuffer.of(passed), root),
                        () -> assertArrayEquals(values(root, step, count), passed));
            }
            case 1 ->
                new Step(
                        comm.iallreduce(JBuffer.of(mine), into, JOperation.SUM),
                        () -> assertArrayEquals(sum(size, step, count), result));
            case 2 ->
                new Step(
                        comm.ireduce(JBuffer.of(mine), me == root ? into : null, JOperation.SUM, root),
                        () -> assertArrayEquals(me == root ? sum(size, step, count) : new long[count], result));
            case 3 -> {
                long[] all = new long[size * count];
                yield new Step(comm.iallgather(JBuffer.of(mine), JBuffer.of(all)), () -> {
                    long[] last = Arrays.copyOfRange(all, (size - 1) * count, size * count);
                    assertArrayEquals(values(size - 1, step, count), last);
                });
            }
            case 4 -> {
                JRequest<Integer> scan = comm.iscan(me + 1, JOperation.SUM);
                yield new Step(scan, () -> assertEquals((me + 1) * (me + 2) / 2, scan.await()));
            }
            case 5 -> {
                JRequest<List<long[]>> all = comm.iallgather(mine);
                yield new Step(
                        all,
                        () -> assertArrayEquals(
                                values(root, step, count), all.await().get(root)));
            }
            default -> {
                comm.barrier();
                yield new Step(comm.ibarrier(), () -> {});
            }
        };
    }

    private static void mix(JHandle handle, long seed) {
        JComm world = handle.COMM_WORLD;
        Random same = new Random(seed); // what all ranks must agree about
        Random own = new Random(seed + world.rank());
        JComm half = world.split(world.rank() % 2, 0);
        assertNotNull(half);
        List<JComm> comms = List.of(world, half, world.dup());
        List<Step> underWay = new ArrayList<>();
        for (int step = 0; step < STEPS; step++) {
            JComm comm = comms.get(same.nextInt(3));
            underWay.add(begin(comm, new Random(seed + step), step));
            while (underWay.size() > own.nextInt(MOST_UNDER_WAY)) {
                underWay.remove(own.nextInt(underWay.size())).finish();
            }
        }
        underWay.forEach(Step::finish);
    }

    /** Persistent ones. */
    @Test
    void operationsAreBegunAgainAndAgain() {
        Ranks.Body body = handle -> {
            JComm world = handle.COMM_WORLD;
            long[] mine = new long[3];
            long[] sum = new long[3];
            JBuffer shared = JBuffer.of(new int[100]);
            JPersistent<@Nullable Void> adds =
                    JPersistent.of(() -> world.iallreduce(JBuffer.of(mine), JBuffer.of(sum), JOperation.SUM));
            JPersistent<@Nullable Void> tells = JPersistent.of(() -> world.ibcast(shared, 1));
            JPersistent<@Nullable Void> meets = JPersistent.of(world::ibarrier);
            for (int round = 0; round < 5; round++) {
                Arrays.fill(mine, world.rank() + round);
                if (world.rank() == 1) {
                    shared.copyFrom(filled(round));
                }
                JRequest.awaitAll(JPersistent.startAll(List.of(adds, tells, meets)));
                long ranks = world.size();
                long expected = ranks * (ranks - 1) / 2 + ranks * round;
                assertArrayEquals(new long[] {expected, expected, expected}, sum);
                assertArrayEquals((int[]) filled(round).toArray(), (int[]) shared.toArray());
            }
        };
        Ranks.everyWay(5, body);
        Ranks.runVirtual(5, body);
        Ranks.runVirtualApart(4, 2, body);
    }

    private static JBuffer filled(int value) {
        int[] array = new int[100];
        Arrays.fill(array, value);
        return JBuffer.of(array);
    }

    @Test
    void amongPlatformThreads() {
        for (int size : new int[] {1, 2, 4, 5, 8}) {
            Ranks.everyWay(size, handle -> mix(handle, 42 + size));
        }
    }

    @Test
    void amongVirtualThreads() {
        for (int size : new int[] {2, 7, 32}) {
            Ranks.runVirtual(size, handle -> mix(handle, 99 + size));
        }
    }

    @Test
    void inCheckingMode() {
        Ranks.runChecking(6, handle -> mix(handle, 7));
    }
}
