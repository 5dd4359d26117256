package jpi;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/**
 * Random collective operations with blocks of random counts and places, or in an order that counts, against what one thread would
 * make of the values of all ranks. Many are under way at once, on and off the heap, into other memory and in place.
 */
final class CollectivesModelTest {
    private static final int STEPS = 120;
    private static final int MOST_UNDER_WAY = 8;
    private static final long MODULUS = 1_000_003;
    private static final long UNTOUCHED = -1;

    /** Maps x → ax + b in one long, joined as functions: associative, and the order counts. */
    private static long join(long left, long right) {
        long a = (left >> 32) * (right >> 32) % MODULUS;
        long b = ((int) left * (right >> 32) + (int) right) % MODULUS;
        return a << 32 | b;
    }

    private static final JOperation<Object> JOIN =
            JOperation.ofLongs(CollectivesModelTest::join).nonCommutative();

    /** The same of arrays of any length. */
    private static final JOperation<long[]> CONCAT = JOperation.nonCommutative(
            (a, b) -> LongStream.concat(Arrays.stream(a), Arrays.stream(b)).toArray());

    /** What has begun, and what is to be there when it is over. */
    private record Step(JRequest<?> request, Runnable check) {
        void finish() {
            var _ = request.await();
            check.run();
        }
    }

    /** What one rank sees of a step; all ranks draw the same numbers. */
    private record Draw(JComm comm, Random random, int step) {
        int size() {
            return comm.size();
        }

        int me() {
            return comm.rank();
        }

        int count() {
            return switch (random.nextInt(8)) {
                case 0 -> 0;
                case 1 -> random.nextInt(9_000);
                default -> random.nextInt(40);
            };
        }

        int[] counts() {
            return IntStream.range(0, size()).map(_ -> count()).toArray();
        }

        /** Of blocks that lie in some order, with gaps. */
        int[] displacements(int[] counts) {
            int[] order = IntStream.range(0, size()).toArray();
            for (int i = size() - 1; i > 0; i--) {
                int other = random.nextInt(i + 1);
                int kept = order[i];
                order[i] = order[other];
                order[other] = kept;
            }
            int[] displacements = new int[size()];
            int next = 0;
            for (int i : order) {
                next += random.nextInt(3);
                displacements[i] = next;
                next += counts[i];
            }
            return displacements;
        }

        /** What a rank gives to another. */
        long[] values(int from, int to, int count) {
            long[] values = new long[count];
            Arrays.setAll(values, i -> (i % 97 + from + 2L * to + step % 7 + 2) << 32 | (i + 31 * from + 17 * to + 1));
            return values;
        }
    }

    /** Somewhere in memory. */
    private static JBuffer memory(Random random, long[] contents) {
        if (random.nextInt(3) == 0) {
            MemorySegment memory = Arena.ofAuto().allocate(8L * contents.length, 8);
            MemorySegment.copy(MemorySegment.ofArray(contents), 0, memory, 0, memory.byteSize());
            return JBuffer.of(memory, JType.LONG);
        }
        int before = random.nextInt(3);
        long[] array = new long[before + contents.length];
        System.arraycopy(contents, 0, array, before, contents.length);
        return JBuffer.of(array, before, contents.length);
    }

    private static JBuffer room(Random random, int count) {
        long[] untouched = new long[count];
        Arrays.fill(untouched, UNTOUCHED);
        return memory(random, untouched);
    }

    private static long[] contents(JBuffer buffer) {
        return (long[]) buffer.toArray();
    }

    private static int length(int[] counts, int[] displacements) {
        return IntStream.range(0, counts.length)
                .map(i -> counts[i] + displacements[i])
                .max()
                .orElse(0);
    }

    /** Blocks in their places, and nothing between them. */
    private static long[] laid(List<long[]> blocks, int[] displacements, int length) {
        long[] all = new long[length];
        Arrays.fill(all, UNTOUCHED);
        for (int i = 0; i < displacements.length; i++) {
            System.arraycopy(blocks.get(i), 0, all, displacements[i], blocks.get(i).length);
        }
        return all;
    }

    private static Step begin(Draw draw) {
        return switch (draw.random.nextInt(10)) {
            case 0 -> gatherv(draw);
            case 1 -> scatterv(draw);
            case 2 -> allgatherv(draw);
            case 3 -> alltoallv(draw);
            case 4 -> reduceScatter(draw);
            case 5 -> scan(draw, true);
            case 6 -> scan(draw, false);
            case 7 -> reduce(draw);
            case 8 -> allreduce(draw);
            default -> objects(draw);
        };
    }

    // Blocks.

    private static List<long[]> blocksFrom(Draw draw, int to, int[] counts) {
        return IntStream.range(0, draw.size())
                .mapToObj(from -> draw.values(from, to, counts[from]))
                .toList();
    }

    private static List<long[]> blocksTo(Draw draw, int from, int[] counts) {
        return IntStream.range(0, draw.size())
                .mapToObj(to -> draw.values(from, to, counts[to]))
                .toList();
    }

    private static Step gatherv(Draw draw) {
        int root = draw.random.nextInt(draw.size());
        int[] counts = draw.counts();
        int[] displacements = draw.displacements(counts);
        boolean isRoot = draw.me() == root;
        JBuffer mine = memory(draw.random, draw.values(draw.me(), root, counts[draw.me()]));
        JBuffer all = room(draw.random, length(counts, displacements));
        JRequest<?> request = isRoot
                ? draw.comm.igatherv(mine, all, counts, displacements, root)
                : draw.comm.igatherv(mine, null, null, null, root);
        long[] expected = laid(blocksFrom(draw, root, counts), displacements, all.count());
        return new Step(request, () -> {
            if (isRoot) {
                assertArrayEquals(expected, contents(all));
            }
        });
    }

    private static Step scatterv(Draw draw) {
        int root = draw.random.nextInt(draw.size());
        int[] counts = draw.counts();
        int[] displacements = draw.displacements(counts);
        JBuffer all =
                memory(draw.random, laid(blocksTo(draw, root, counts), displacements, length(counts, displacements)));
        JBuffer mine = room(draw.random, counts[draw.me()]);
        JRequest<?> request = draw.me() == root
                ? draw.comm.iscatterv(all, counts, displacements, mine, root)
                : draw.comm.iscatterv(null, null, null, mine, root);
        long[] expected = draw.values(root, draw.me(), counts[draw.me()]);
        return new Step(request, () -> assertArrayEquals(expected, contents(mine)));
    }

    private static Step allgatherv(Draw draw) {
        int[] counts = draw.counts();
        int[] displacements = draw.displacements(counts);
        boolean inPlace = draw.random.nextBoolean();
        long[] values = draw.values(draw.me(), 0, counts[draw.me()]);
        JBuffer all = room(draw.random, length(counts, displacements));
        JBuffer mine = inPlace ? all.slice(displacements[draw.me()], values.length) : memory(draw.random, values);
        mine.copyFrom(JBuffer.of(values));
        long[] expected = laid(blocksFrom(draw, 0, counts), displacements, all.count());
        return new Step(
                draw.comm.iallgatherv(mine, all, counts, displacements),
                () -> assertArrayEquals(expected, contents(all)));
    }

    private static Step alltoallv(Draw draw) {
        List<int[]> counts = new ArrayList<>(); // by sender
        List<int[]> places = new ArrayList<>();
        for (int from = 0; from < draw.size(); from++) {
            counts.add(draw.counts());
            places.add(draw.displacements(counts.get(from)));
        }
        int me = draw.me();
        int[] incoming = counts.stream().mapToInt(row -> row[me]).toArray();
        int[] displacements = new Draw(draw.comm, new Random(draw.step + 31L * me), draw.step).displacements(incoming);
        long[] out = laid(blocksTo(draw, me, counts.get(me)), places.get(me), length(counts.get(me), places.get(me)));
        JBuffer all = room(draw.random, length(incoming, displacements));
        JRequest<?> request = draw.comm.ialltoallv(
                memory(draw.random, out), counts.get(me), places.get(me), all, incoming, displacements);
        long[] expected = laid(blocksFrom(draw, me, incoming), displacements, all.count());
        return new Step(request, () -> assertArrayEquals(expected, contents(all)));
    }

    // Reductions.

    private static long combine(boolean ordered, long left, long right) {
        return ordered ? join(left, right) : left + right;
    }

    /** Over ranks from the first to before one. */
    private static long[] reduced(Draw draw, boolean ordered, int end, int count) {
        long[] result = draw.values(0, 0, count);
        for (int rank = 1; rank < end; rank++) {
            long[] more = draw.values(rank, 0, count);
            Arrays.setAll(result, i -> combine(ordered, result[i], more[i]));
        }
        return result;
    }

    private static Step reduceScatter(Draw draw) {
        boolean ordered = draw.random.nextBoolean();
        int[] counts = draw.counts();
        int count = IntStream.of(counts).sum();
        int start = IntStream.of(counts).limit(draw.me()).sum();
        JBuffer part = room(draw.random, counts[draw.me()]);
        JRequest<?> request = draw.comm.ireduceScatter(
                memory(draw.random, draw.values(draw.me(), 0, count)), part, counts, ordered ? JOIN : JOperation.SUM);
        long[] all = reduced(draw, ordered, draw.size(), count);
        return new Step(
                request, () -> assertArrayEquals(Arrays.copyOfRange(all, start, start + part.count()), contents(part)));
    }

    private static Step scan(Draw draw, boolean inclusive) {
        boolean inPlace = draw.random.nextBoolean();
        int count = draw.random.nextInt(12) == 0 ? 20_000 : draw.count();
        long[] values = draw.values(draw.me(), 0, count);
        JBuffer mine = memory(draw.random, values);
        JBuffer result = inPlace ? mine : room(draw.random, count);
        long[] before = contents(result);
        JRequest<?> request = inclusive ? draw.comm.iscan(mine, result, JOIN) : draw.comm.iexscan(mine, result, JOIN);
        int end = inclusive ? draw.me() + 1 : draw.me();
        long[] expected = end == 0 ? before : reduced(draw, true, end, count);
        return new Step(request, () -> {
            assertArrayEquals(expected, contents(result));
            assertArrayEquals(inPlace ? expected : values, contents(mine));
        });
    }

    private static Step reduce(Draw draw) {
        boolean ordered = draw.random.nextBoolean();
        int root = draw.random.nextInt(draw.size());
        boolean inPlace = draw.random.nextBoolean();
        int count = draw.count();
        long[] values = draw.values(draw.me(), 0, count);
        JBuffer mine = memory(draw.random, values);
        JBuffer result = inPlace ? mine : room(draw.random, count);
        boolean isRoot = draw.me() == root;
        JRequest<?> request = draw.comm.ireduce(mine, isRoot ? result : null, ordered ? JOIN : JOperation.SUM, root);
        long[] expected = reduced(draw, ordered, draw.size(), count);
        return new Step(request, () -> {
            if (isRoot) {
                assertArrayEquals(expected, contents(result));
            }
            assertArrayEquals(isRoot && inPlace ? expected : values, contents(mine));
        });
    }

    private static Step allreduce(Draw draw) {
        boolean inPlace = draw.random.nextBoolean();
        int count = draw.count();
        JBuffer mine = memory(draw.random, draw.values(draw.me(), 0, count));
        JBuffer result = inPlace ? mine : room(draw.random, count);
        long[] expected = reduced(draw, true, draw.size(), count);
        return new Step(draw.comm.iallreduce(mine, result, JOIN), () -> assertArrayEquals(expected, contents(result)));
    }

    // Objects.

    private static long @Nullable [] orNull(Draw draw, int from, int to) {
        int count = (from * 7 + to * 3 + draw.step) % 6;
        return count == 5 ? null : draw.values(from, to, count);
    }

    @SuppressWarnings("NullAway") // a message may be null
    private static Step objects(Draw draw) {
        int me = draw.me();
        int root = draw.random.nextInt(draw.size());
        int[] counts = draw.counts();
        List<long[]> toEach = new ArrayList<>();
        List<long[]> fromEach = new ArrayList<>();
        for (int i = 0; i < draw.size(); i++) {
            toEach.add(orNull(draw, me, i));
            fromEach.add(orNull(draw, i, me));
        }
        switch (draw.random.nextInt(4)) {
            case 0 -> {
                JRequest<List<long[]>> request = draw.comm.ialltoall(toEach);
                return new Step(request, () -> assertSame(fromEach, request.await()));
            }
            case 1 -> {
                JRequest<long[]> request = draw.comm.iscatter(me == root ? toEach : null, root);
                return new Step(request, () -> assertArrayEquals(orNull(draw, root, me), request.await()));
            }
            case 2 -> {
                JRequest<List<long[]>> request = draw.comm.igather(orNull(draw, me, root), root);
                return new Step(request, () -> assertSame(me == root ? fromEach : null, request.await()));
            }
            default -> {
                JRequest<long[]> request = draw.comm.iscan(draw.values(me, 0, counts[me]), CONCAT);
                List<long[]> all = blocksFrom(draw, 0, counts).subList(0, me + 1);
                long[] expected = all.stream().flatMapToLong(Arrays::stream).toArray();
                return new Step(request, () -> assertArrayEquals(expected, request.await()));
            }
        }
    }

    private static void assertSame(@Nullable List<long[]> expected, @Nullable List<long[]> received) {
        assertEquals(
                expected == null
                        ? null
                        : expected.stream().map(Arrays::toString).toList(),
                received == null
                        ? null
                        : received.stream().map(Arrays::toString).toList());
    }

    private static void mix(JHandle handle, long seed) {
        JComm world = handle.COMM_WORLD;
        Random same = new Random(seed); // what all ranks must agree about
        Random own = new Random(seed + world.rank());
        JComm backwards = java.util.Objects.requireNonNull(world.split(0, -world.rank()));
        List<JComm> comms = List.of(world, backwards, world.isolated());
        List<Step> underWay = new ArrayList<>();
        for (int step = 0; step < STEPS; step++) {
            JComm comm = comms.get(same.nextInt(comms.size()));
            underWay.add(begin(new Draw(comm, new Random(seed + step), step)));
            while (underWay.size() > own.nextInt(MOST_UNDER_WAY)) {
                underWay.remove(own.nextInt(underWay.size())).finish();
            }
        }
        underWay.forEach(Step::finish);
    }

    @Test
    void amongPlatformThreads() {
        for (int size : new int[] {1, 2, 3, 5, 7}) {
            Ranks.everyWay(size, handle -> mix(handle, 1000 + size));
        }
    }

    @Test
    void amongVirtualThreads() {
        for (int size : new int[] {2, 7, 19}) {
            Ranks.runVirtual(size, handle -> mix(handle, 2000 + size));
        }
        Ranks.runVirtualApart(5, 2, handle -> mix(handle, 3000));
    }

    @Test
    void inCheckingMode() {
        Ranks.runChecking(5, handle -> mix(handle, 4000));
    }
}
