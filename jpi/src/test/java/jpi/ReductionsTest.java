package jpi;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.Arena;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Reductions, against what they should bring. */
final class ReductionsTest {
    private static final int[] COUNTS = {0, 1, 7, 5000, 100_000};
    private static final long MODULUS = 1_000_003;

    /** Maps x → ax + b in one long, joined as functions: associative, and the order counts. */
    private static final JOperation<Object> AFFINE =
            JOperation.ofLongs(ReductionsTest::join).nonCommutative();

    private static long join(long left, long right) {
        long a = (left >> 32) * (right >> 32) % MODULUS;
        long b = ((int) left * (right >> 32) + (int) right) % MODULUS;
        return a << 32 | b;
    }

    private static long[] maps(int rank, int count) {
        long[] maps = new long[count];
        Arrays.setAll(maps, i -> (i % 1000 + rank + 2L) << 32 | (i % 777 + 3L * rank + 1));
        return maps;
    }

    /** Joined over ranks from {@code first} to before {@code end}. */
    private static long[] joined(int first, int end, int count) {
        long[] result = maps(first, count);
        for (int rank = first + 1; rank < end; rank++) {
            long[] more = maps(rank, count);
            for (int i = 0; i < count; i++) {
                result[i] = join(result[i], more[i]);
            }
        }
        return result;
    }

    private static double[] doubles(int rank, int count) {
        double[] values = new double[count];
        Arrays.setAll(values, i -> 1.0 + rank * 0.5 + i);
        return values;
    }

    private static double[] sum(int size, int count) {
        double[] result = new double[count];
        Arrays.setAll(result, i -> size * (1.0 + i) + 0.5 * size * (size - 1) / 2);
        return result;
    }

    private static boolean skips(int size, int count) {
        return count == 100_000 && size != 2 && size != 3 && size != 8;
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 4, 5, 6, 7, 8, 9, 18})
    void buffersInTheOrderOfTheRanks(int size) {
        Ranks.everyWay(size, handle -> {
            JComm world = handle.COMM_WORLD;
            int me = world.rank();
            for (int count : COUNTS) {
                if (skips(size, count)) {
                    continue;
                }
                long[] mine = maps(me, count);
                long[] result = new long[count];
                for (int root : new int[] {0, size - 1, size / 2}) {
                    world.reduce(JBuffer.of(mine), me == root ? JBuffer.of(result) : null, AFFINE, root);
                    if (me == root) {
                        assertArrayEquals(joined(0, size, count), result);
                    }
                }
                long[] all = new long[count];
                world.allreduce(JBuffer.of(mine), JBuffer.of(all), AFFINE);
                assertArrayEquals(joined(0, size, count), all);
                world.scan(JBuffer.of(mine), JBuffer.of(result), AFFINE);
                assertArrayEquals(joined(0, me + 1, count), result);
                Arrays.fill(result, -1);
                world.exscan(JBuffer.of(mine), JBuffer.of(result), AFFINE);
                assertArrayEquals(me == 0 ? filled(count, -1) : joined(0, me, count), result);
                assertArrayEquals(maps(me, count), mine);
                int[] counts = new int[size];
                Arrays.setAll(counts, i -> (int) ((long) count * (i + 1) / size - (long) count * i / size));
                long[] part = new long[counts[me]];
                world.reduceScatter(JBuffer.of(mine), JBuffer.of(part), counts, AFFINE);
                int start = (int) ((long) count * me / size);
                assertArrayEquals(Arrays.copyOfRange(joined(0, size, count), start, start + part.length), part);
            }
        });
    }

    private static long[] filled(int count, long value) {
        long[] array = new long[count];
        Arrays.fill(array, value);
        return array;
    }

    /** MPI forbids that; here the operands are those from before the call. */
    @ParameterizedTest
    @CsvSource({"2, 3", "3, 100000", "4, 20000"})
    void theResultMayOverlapWhatIsGiven(int size, int count) {
        Ranks.everyWay(size, handle -> {
            JComm world = handle.COMM_WORLD;
            int me = world.rank();
            int shift = count / 3;
            for (int from : new int[] {0, shift}) {
                long[] memory = new long[count + shift];
                JBuffer send = JBuffer.of(memory, from, count);
                JBuffer receive = JBuffer.of(memory, shift - from, count);
                give(send, receive, maps(me, count));
                world.reduce(send, receive, AFFINE, size / 2);
                assertArrayEquals(
                        me == size / 2 ? joined(0, size, count) : maps(me, count),
                        toArray(me == size / 2 ? receive : send));
                give(send, receive, maps(me, count));
                world.scan(send, receive, AFFINE);
                assertArrayEquals(joined(0, me + 1, count), toArray(receive));
                give(send, receive, maps(me, count));
                world.exscan(send, receive, AFFINE);
                assertArrayEquals(me == 0 ? maps(me, count) : joined(0, me, count), toArray(me == 0 ? send : receive));
                give(send, receive, maps(me, count));
                world.allreduce(send, receive, AFFINE);
                assertArrayEquals(joined(0, size, count), toArray(receive));
            }
        });
    }

    private static void give(JBuffer send, JBuffer receive, long[] given) {
        receive.copyFrom(JBuffer.of(filled(given.length, -1)));
        send.copyFrom(JBuffer.of(given));
    }

    private static long[] toArray(JBuffer buffer) {
        return (long[]) buffer.toArray();
    }

    private static void sumDoubles(JComm world) {
        int size = world.size();
        int me = world.rank();
        for (int count : COUNTS) {
            if (skips(size, count)) {
                continue;
            }
            double[] mine = doubles(me, count);
            double[] result = mine.clone();
            JBuffer inPlace = JBuffer.of(result);
            world.allreduce(inPlace, inPlace, JOperation.SUM);
            assertArrayEquals(sum(size, count), result);
            System.arraycopy(mine, 0, result, 0, count);
            world.exscan(inPlace, inPlace, JOperation.SUM);
            assertArrayEquals(me == 0 ? mine : sum(me, count), result);
            System.arraycopy(mine, 0, result, 0, count);
            world.scan(inPlace, inPlace, JOperation.SUM);
            assertArrayEquals(sum(me + 1, count), result);
            System.arraycopy(mine, 0, result, 0, count);
            world.reduce(inPlace, inPlace, JOperation.SUM, size / 2);
            assertArrayEquals(me == size / 2 ? sum(size, count) : mine, result);
            double[] before = world.exscan(mine, JOperation.SUM);
            if (me > 0) {
                assertArrayEquals(sum(me, count), before);
            } else {
                assertNull(before);
            }
            double[] upTo = world.scan(mine, JOperation.SUM);
            assertArrayEquals(sum(me + 1, count), upTo);
            assertNotSame(mine, upTo);
            double[] all = world.allreduce(mine, JOperation.SUM);
            assertArrayEquals(sum(size, count), all);
            assertNotSame(mine, all);
            double[] atLast = world.reduce(mine, JOperation.SUM, size - 1);
            if (me == size - 1) {
                assertArrayEquals(sum(size, count), atLast);
                assertNotSame(mine, atLast);
            } else {
                assertNull(atLast);
            }
            double[] blocks = new double[size * count];
            Arrays.setAll(blocks, i -> me + i);
            double[] block = new double[count];
            world.reduceScatterBlock(JBuffer.of(blocks), JBuffer.of(block), JOperation.SUM);
            for (int i = 0; i < count; i++) {
                assertEquals(size * (size - 1) / 2.0 + size * (double) (me * count + i), block[i]);
            }
            assertArrayEquals(doubles(me, count), mine);
            double[] begun = new double[count];
            JRequest<?> request = world.ireduceScatterBlock(JBuffer.of(blocks), JBuffer.of(begun), JOperation.SUM);
            JRequest<?> greatest = world.ireduceScatterBlock(JBuffer.of(blocks), JBuffer.of(mine), JOperation.MAX);
            JRequest.awaitAll(List.of(greatest, request));
            assertArrayEquals(block, begun);
            for (int i = 0; i < count; i++) {
                assertEquals(size - 1.0 + me * count + i, mine[i]);
            }
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 4, 5, 6, 7, 8, 9, 18})
    void sums(int size) {
        Ranks.everyWay(size, handle -> sumDoubles(handle.COMM_WORLD));
        Ranks.runVirtual(size, handle -> sumDoubles(handle.COMM_WORLD));
    }

    private static void reduceObjects(JComm world) {
        int size = world.size();
        int me = world.rank();
        JOperation<String> concat = JOperation.nonCommutative((a, b) -> a + b);
        String digits = "0123456789abcdefghijklmnopqrstuvwxyz";
        String mine = digits.substring(me, me + 1);
        String all = digits.substring(0, size);
        assertEquals(all, world.allreduce(mine, concat));
        for (int root = 0; root < size; root++) {
            assertEquals(me == root ? all : null, world.reduce(mine, concat, root));
        }
        assertEquals(digits.substring(0, me + 1), world.scan(mine, concat));
        assertEquals(me == 0 ? null : digits.substring(0, me), world.exscan(mine, concat));
        List<String> parts = new ArrayList<>();
        for (int i = 0; i < size; i++) {
            parts.add(mine + i);
        }
        StringBuilder expected = new StringBuilder();
        for (int i = 0; i < size; i++) {
            expected.append(digits.charAt(i)).append(me);
        }
        assertEquals(expected.toString(), world.reduceScatter(parts, concat));
        assertEquals(size, world.allreduce(1, JOperation.SUM));
        int sumOfSquares = world.allreduce(me * me, JOperation.of((a, b) -> a + b));
        assertEquals((size - 1) * size * (2 * size - 1) / 6, sumOfSquares);
    }

    @Test
    void objectsInTheOrderOfTheRanks() {
        for (int size = 1; size <= 9; size++) {
            Ranks.everyWay(size, handle -> reduceObjects(handle.COMM_WORLD));
            Ranks.runVirtual(size, handle -> reduceObjects(handle.COMM_WORLD));
            Ranks.runChecking(size, handle -> reduceObjects(handle.COMM_WORLD));
        }
        Ranks.runVirtual(35, handle -> reduceObjects(handle.COMM_WORLD));
    }

    @Test
    void usualOperationsOnObjects() {
        Ranks.run(3, handle -> {
            JComm world = handle.COMM_WORLD;
            int me = world.rank();
            assertEquals((byte) 200, world.allreduce((byte) 100, JOperation.of((Byte a, Byte b) -> (byte) 200)));
            assertEquals((byte) 300, world.allreduce((byte) 100, JOperation.SUM));
            assertEquals((short) 6, world.allreduce((short) (me + 1), JOperation.PROD));
            assertEquals('c', world.allreduce((char) ('a' + me), JOperation.MAX));
            assertEquals(0.5f, world.allreduce(me + 0.5f, JOperation.MIN));
            assertEquals(7L, world.allreduce(1L << me, JOperation.BOR));
            assertEquals(5, world.allreduce(new int[] {1, 5, 0}[me], JOperation.BXOR) + 1);
            assertEquals(0, world.allreduce(me, JOperation.LAND));
            assertEquals(1, world.allreduce(4 * me, JOperation.LOR));
            assertEquals(true, world.allreduce(me > 0, JOperation.LOR));
            assertEquals(false, world.allreduce(me > 0, JOperation.LAND));
            assertEquals(false, world.allreduce(me > 0, JOperation.LXOR));
            assertTrue(Double.isNaN(world.allreduce(me == 1 ? Double.NaN : 1.0, JOperation.MAX)));
            assertEquals(BigInteger.TWO, world.allreduce(BigInteger.valueOf(me), JOperation.MAX));
            assertEquals("a0", world.allreduce("a" + me, JOperation.MIN));
            assertEquals(
                    new JLocated<>(4.0, 1),
                    world.allreduce(new JLocated<>(me == 0 ? 3.0 : 4.0, me), JOperation.MAXLOC));
            assertEquals(new JLocated<>("x", 0), world.allreduce(new JLocated<>("x", me), JOperation.MINLOC));
            short[] shorts = assertNotNull2(world.scan(new short[] {(short) me, 3}, JOperation.SUM));
            assertArrayEquals(new short[] {(short) (me * (me + 1) / 2), (short) (3 * (me + 1))}, shorts);
            assertArrayEquals(
                    new int[] {3, 3},
                    world.reduceScatter(List.of(new int[] {1, 1}, new int[] {1, 1}, new int[] {1, 1}), JOperation.SUM));
        });
        int[] only = {1};
        Ranks.run(1, handle -> assertNotSame(only, handle.COMM_WORLD.reduceScatter(List.of(only), JOperation.SUM)));
    }

    private static <T> T assertNotNull2(T value) {
        assertNotNull(value);
        return value;
    }

    /** Every usual operation on every type, at different places of arrays and off the heap, against Java's operators. */
    @Test
    void usualOperationsOnElements() {
        List<JOperation<Object>> operations = List.of(
                JOperation.SUM,
                JOperation.PROD,
                JOperation.MAX,
                JOperation.MIN,
                JOperation.LAND,
                JOperation.LOR,
                JOperation.LXOR,
                JOperation.BAND,
                JOperation.BOR,
                JOperation.BXOR);
        int count = 2503;
        for (JType type : JType.values()) {
            for (JOperation<Object> operation : operations) {
                boolean isFloating = type == JType.FLOAT || type == JType.DOUBLE;
                if (isFloating && operations.indexOf(operation) >= 4) {
                    String text = thrown(() -> operation.requireSuits(type));
                    assertTrue(text.contains("not to " + type + "s"), text);
                    continue;
                }
                operation.requireSuits(type);
                for (int shift = 0; shift < 3; shift++) {
                    assertFolds(operation, type, count, shift);
                }
            }
        }
    }

    private static void assertFolds(JOperation<Object> operation, JType type, int count, int shift) {
        try (Arena arena = Arena.ofShared()) {
            Object left = type.newArray(count + 2);
            Object right = type.newArray(count + 2);
            for (int i = 0; i < count + 2; i++) {
                set(left, i, i % 7 - (type == JType.CHAR ? 0 : 3));
                set(right, i, i % 5);
            }
            JBuffer into = JBuffer.ofArray(left).slice(1, count);
            JBuffer from = JBuffer.ofArray(right).slice(shift % 2 + 1, count);
            Object before = into.toArray();
            JBuffer target = into;
            if (shift == 2) {
                target = JBuffer.of(arena.allocate((long) count * type.size()), type);
                target.copyFrom(into);
            }
            operation.fold(target, from, false);
            Object other = from.toArray();
            Object result = target.toArray();
            for (int i = 0; i < count; i++) {
                double expected = reference(operation.toString(), get(before, i), get(other, i));
                assertEquals(narrowed(type, expected), get(result, i) + 0.0, () -> operation + " of " + type);
            }
        }
    }

    private static double get(Object array, int index) {
        return array instanceof char[] chars ? chars[index] : java.lang.reflect.Array.getDouble(array, index);
    }

    private static void set(Object array, int index, int value) {
        switch (array) {
            case byte[] a -> a[index] = (byte) value;
            case char[] a -> a[index] = (char) value;
            case short[] a -> a[index] = (short) value;
            case int[] a -> a[index] = value;
            case long[] a -> a[index] = value;
            case float[] a -> a[index] = value;
            case double[] a -> a[index] = value;
            default -> throw new AssertionError(array);
        }
    }

    private static double narrowed(JType type, double value) {
        return type == JType.CHAR ? (char) (int) value : value;
    }

    private static double reference(String operation, double left, double right) {
        long a = (long) left;
        long b = (long) right;
        return switch (operation) {
            case "SUM" -> a + b;
            case "PROD" -> a * b;
            case "MAX" -> Math.max(a, b);
            case "MIN" -> Math.min(a, b);
            case "LAND" -> a != 0 && b != 0 ? 1 : 0;
            case "LOR" -> a != 0 || b != 0 ? 1 : 0;
            case "LXOR" -> (a != 0) != (b != 0) ? 1 : 0;
            case "BAND" -> a & b;
            case "BOR" -> a | b;
            case "BXOR" -> a ^ b;
            default -> throw new AssertionError(operation);
        };
    }

    @Test
    void lambdasOnElements() {
        Ranks.run(4, handle -> {
            JComm world = handle.COMM_WORLD;
            int me = world.rank();
            JOperation<Object> hypot = JOperation.ofDoubles(Math::hypot);
            assertEquals(2.0, world.allreduce(1.0, hypot));
            assertArrayEquals(new float[] {2, 4}, world.allreduce(new float[] {1, 2}, hypot));
            JOperation<Object> last = JOperation.ofInts((_, b) -> b).nonCommutative();
            assertEquals(3, world.allreduce(me, last));
            assertArrayEquals(new byte[] {3}, world.allreduce(new byte[] {(byte) me}, last));
            assertEquals((char) 3, world.scan((char) 3, last));
        });
    }

    private static String thrown(org.junit.jupiter.api.function.Executable code) {
        return String.valueOf(assertThrows(JException.class, code).getMessage());
    }

    @Test
    void whatDoesNotApplyIsRefused() {
        Ranks.run(2, handle -> {
            JComm world = handle.COMM_WORLD;
            JBuffer doubles = JBuffer.of(new double[2]);
            String band = thrown(() -> world.allreduce(doubles, doubles, JOperation.BAND));
            assertTrue(band.startsWith("BAND applies to integers, not to doubles"), band);
            assertTrue(
                    thrown(() -> world.allreduce(new float[1], JOperation.LOR)).startsWith("LOR applies to Booleans"));
            JOperation<Double> onObjects = JOperation.of((a, b) -> a + b);
            String lambda = thrown(() -> world.allreduce(doubles, doubles, onObjects));
            assertTrue(lambda.contains("ofDoubles"), lambda);
            JBuffer one = JBuffer.of(new double[1]);
            assertTrue(
                    thrown(() -> world.allreduce(doubles, one, JOperation.SUM)).contains("same type and count"));
            assertTrue(thrown(() -> world.allreduce("text", JOperation.SUM)).contains("not to String"));
            assertTrue(thrown(() -> world.allreduce(world.rank() == 0 ? (Number) 1 : (Number) 1.0, JOperation.SUM))
                    .contains("same class"));
        });
    }

    /** What a lambda makes one object of may be of any class and length: it alone knows. */
    @Test
    void checkingModeLeavesToLambdasWhatTheyTake() {
        JOperation<long[]> joined = JOperation.nonCommutative(ReductionsTest::concatenation);
        JOperation<Number> sum = JOperation.of((a, b) -> a.doubleValue() + b.doubleValue());
        Ranks.runChecking(3, handle -> {
            JComm world = handle.COMM_WORLD;
            int me = world.rank();
            Number mine = me == 0 ? (Number) 1 : (Number) 0.5;
            assertArrayEquals(new long[] {1, 2, 2}, world.allreduce(filled(me, me), joined));
            assertArrayEquals(me == 2 ? new long[] {1, 2, 2} : null, world.reduce(filled(me, me), joined, 2));
            assertArrayEquals(me == 2 ? new long[] {1} : new long[0], before(world.exscan(filled(me, me), joined)));
            assertEquals(2.0, world.allreduce(mine, sum));
            assertEquals(me == 0 ? (Number) 1 : (Number) (1 + me / 2.0), world.scan(mine, sum));
            String text = thrown(() -> world.allreduce(mine, me == 1 ? sum.nonCommutative() : sum));
            assertTrue(text.contains("rank 1 called allreduce, non-commutative: a lambda on objects"), text);
        });
    }

    private static long[] concatenation(long[] left, long[] right) {
        long[] both = Arrays.copyOf(left, left.length + right.length);
        System.arraycopy(right, 0, both, left.length, right.length);
        return both;
    }

    private static long[] before(long @Nullable [] some) {
        return some == null ? new long[0] : some;
    }

    @Test
    void severalAreUnderWayAtOnce() {
        Ranks.run(5, handle -> {
            JComm world = handle.COMM_WORLD;
            int me = world.rank();
            int count = 5000;
            List<JRequest<double[]>> sums = new ArrayList<>();
            for (int i = 0; i < 10; i++) {
                sums.add(world.iallreduce(doubles(me, count), JOperation.SUM));
            }
            double[] result = new double[count];
            var buffer = world.iallreduce(JBuffer.of(doubles(me, count)), JBuffer.of(result), JOperation.SUM);
            JRequest<Integer> scan = world.iscan(1, JOperation.SUM);
            assertEquals(5, world.allreduce(1, JOperation.SUM));
            assertEquals(me + 1, scan.await());
            for (JRequest<double[]> request : sums.reversed()) {
                assertArrayEquals(sum(5, count), request.await());
            }
            var _ = buffer.await();
            assertArrayEquals(sum(5, count), result);
        });
    }
}
