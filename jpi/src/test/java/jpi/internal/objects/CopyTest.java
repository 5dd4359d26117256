package jpi.internal.objects;

import static java.util.Objects.requireNonNull;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.ByteArrayInputStream;
import java.math.BigInteger;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import jpi.JException;
import jpi.internal.objects.Samples.Five;
import jpi.internal.objects.Samples.Mode;
import jpi.internal.objects.Samples.Node;
import jpi.internal.objects.Samples.Pair;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Copies share nothing that can change, and only that is copied. */
class CopyTest {
    private static final ObjectCodec CODEC = new ObjectCodec(new AllowedTypes(Samples.class, ""), Serialisation.FORY);

    @SuppressWarnings("unchecked")
    private static <T> T copy(T object) {
        return (T) requireNonNull(CODEC.copy(object));
    }

    record Chain(int number, @Nullable Chain next) {}

    record Holder(Object value) {}

    @SuppressWarnings("ArrayRecordComponent") // that is what is tested
    record Rows(double[] row) {}

    @Test
    void whatCannotChangeIsItsOwnCopy() {
        Five five = new Five(1, 2, 3, "4", Mode.DOUBLED);
        assertNull(CODEC.copy(null));
        for (Object value : List.of(
                1,
                "text",
                new BigInteger("12345678901234567890"),
                Mode.DOUBLED,
                Instant.now(),
                UUID.randomUUID(),
                String.class,
                five,
                List.of(five, "a"),
                List.of(1, 2, 3).stream().toList(),
                Set.of(five),
                Map.of("k", List.of(five)),
                Optional.of(five),
                new Pair<>(five, List.of()),
                new Chain(1, new Chain(2, null)),
                new Holder(Optional.of(new Holder(5))))) {
            assertSame(value, copy(value), value.getClass().getName());
        }
    }

    @Test
    void whatHoldsSomethingMutableIsCopied() {
        for (Object value : List.of(
                new BitSet(),
                List.of(new BitSet()),
                new ArrayList<>(List.of(1)),
                Map.of("k", new ArrayList<>(List.of("x"))),
                new Holder(new ArrayList<>()),
                new Pair<>(1, new Holder(new BitSet())),
                Optional.of(new BitSet()))) {
            Object copy = copy(value);
            assertEquals(value, copy);
            assertNotSame(value, copy, value.getClass().getName());
        }
        Rows rows = new Rows(new double[] {1, 2});
        Rows copy = copy(rows);
        rows.row[0] = 9;
        assertArrayEquals(new double[] {1, 2}, copy.row);
    }

    @Test
    void aLongChainOfRecordsIsCopiedRatherThanLookedThrough() {
        Chain chain = new Chain(0, null);
        for (int i = 1; i < 1500; i++) {
            chain = new Chain(i, chain);
        }
        assertNotSame(chain, copy(chain));
    }

    @Test
    void arraysAreCopiedWithTheirRows() {
        int[] row = {1, 2};
        int[][] grid = {row, row, {3}};
        int[][] copy = copy(grid);
        row[0] = 9;
        assertArrayEquals(new int[][] {{1, 2}, {1, 2}, {3}}, copy);
        assertSame(copy[0], copy[1]);
        double[][][] cube = new double[2][3][4];
        cube[1] = new double[][] {{5}};
        assertArrayEquals(cube, copy(cube));
        for (Object array : List.of(
                new boolean[] {true},
                new byte[] {1},
                new char[] {'a'},
                new short[] {1},
                new int[] {1},
                new long[] {1},
                new float[] {1},
                new double[] {1},
                new String[] {"a", "b"},
                new Object[] {"a", new int[] {1}})) {
            Object same = copy(array);
            assertNotSame(array, same);
            assertEquals(Arrays.deepToString(new Object[] {array}), Arrays.deepToString(new Object[] {same}));
        }
    }

    @Test
    void cyclesStay() {
        Node first = new Node(1);
        first.next = new Node(2);
        requireNonNull(first.next).next = first;
        Node copy = copy(first);
        assertNotSame(first, copy);
        assertSame(copy, requireNonNull(copy.next).next);
    }

    @Test
    void whatMayNotTravelIsNotCopiedEither() {
        Samples.Job job = new Samples.Job();
        job.input.log = new ByteArrayInputStream(new byte[0]);
        assertThrows(JException.class, () -> CODEC.copy(job));
    }
}
