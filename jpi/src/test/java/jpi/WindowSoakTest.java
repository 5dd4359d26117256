package jpi;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.FutureTask;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Random accesses among ranks, some of which share a JVM: no change of an element is lost, whoever else changes it or the one beside it;
 * who has a part alone is alone; who shares one sees no half of a change.
 */
final class WindowSoakTest {
    private static final int CELLS = 64;

    private static void run(int ranks, int workers, boolean virtual, Ranks.Body body) {
        if (virtual) {
            Ranks.runVirtualApart(ranks, workers, body);
        } else {
            Ranks.runApart(ranks, workers, body);
        }
    }

    @ParameterizedTest
    @CsvSource({"4, 1, false", "4, 2, false", "3, 3, false", "8, 2, true"})
    void noChangeIsLost(int ranks, int workers, boolean virtual) {
        run(ranks, workers, virtual, handle -> {
            JComm world = handle.COMM_WORLD;
            for (JType type : JType.values()) {
                try (JWindow window = world.window(type, CELLS)) {
                    new Adder(world, window).add(3_000);
                }
            }
        });
    }

    /** Else the memory would go from under the other ranks of the JVM. */
    @Test
    void aWindowThatTwoThreadsCloseIsClosedOnce() {
        Ranks.run(1, handle -> {
            for (int i = 0; i < 3_000; i++) {
                JWindow window = handle.COMM_SELF.window(JType.BYTE, 1);
                CyclicBarrier both = new CyclicBarrier(2);
                Callable<@Nullable Void> close = () -> {
                    both.await();
                    window.close();
                    return null;
                };
                FutureTask<@Nullable Void> other = new FutureTask<>(close);
                Thread thread = Thread.ofPlatform().start(other);
                var _ = close.call();
                var _ = other.get();
                thread.join();
            }
        });
    }

    /** Adds small numbers to cells of all parts, and keeps count of what it has added. Sums wrap around; those of floats are exact. */
    private static final class Adder {
        private final JComm world;
        private final JWindow window;
        private final JType type;
        private final SplittableRandom random;
        private final long[] added;

        Adder(JComm world, JWindow window) {
            this.world = world;
            this.window = window;
            type = window.type();
            random = new SplittableRandom(world.rank());
            added = new long[world.size() * CELLS];
        }

        void add(int turns) {
            boolean isInteger = type != JType.FLOAT && type != JType.DOUBLE;
            window.lockAll();
            for (int turn = 0; turn < turns; turn++) {
                int target = random.nextInt(world.size());
                int cell = random.nextInt(CELLS);
                switch (random.nextInt(4)) {
                    case 0 -> addSome(target, cell, null);
                    case 1 -> addSome(target, cell, JBuffer.ofArray(type.newArray(CELLS)));
                    case 2 -> {
                        if (isInteger) {
                            var _ = window.fetchAndOp(1, target, cell, JOperation.SUM);
                        } else {
                            var _ = window.fetchAndOp(1.0, target, cell, JOperation.SUM);
                        }
                        added[target * CELLS + cell]++;
                    }
                    default -> {
                        if (isInteger) {
                            exchange(target, cell);
                        }
                    }
                }
            }
            window.unlockAll();
            window.fence();
            long[] expected = world.allreduce(added, JOperation.SUM);
            long[] mine = longs(JBuffer.of(window.memory(), type).toArray());
            long[] parts = Arrays.copyOfRange(expected, world.rank() * CELLS, (world.rank() + 1) * CELLS);
            assertArrayEquals(
                    Arrays.stream(parts).map(this::wrapped).toArray(), mine, type + "s at rank " + world.rank());
            window.fence();
        }

        private void addSome(int target, int cell, @org.jspecify.annotations.Nullable JBuffer before) {
            int count = random.nextInt(CELLS - cell + 1);
            Object ones = type.newArray(count);
            fillWithOnes(ones);
            if (before == null) {
                window.accumulate(JBuffer.ofArray(ones), target, cell, JOperation.SUM);
            } else {
                window.getAccumulate(JBuffer.ofArray(ones), before.slice(0, count), target, cell, JOperation.SUM);
            }
            for (int i = cell; i < cell + count; i++) {
                added[target * CELLS + i]++;
            }
        }

        private void exchange(int target, int cell) {
            long now = window.fetchAndOp(0, target, cell, JOperation.NO_OP);
            while (true) {
                long seen = window.compareAndExchange(now, wrapped(now + 1), target, cell);
                if (seen == now) {
                    added[target * CELLS + cell]++;
                    return;
                }
                now = seen;
            }
        }

        private long wrapped(long value) {
            return switch (type) {
                case BYTE -> (byte) value;
                case CHAR -> (char) value;
                case SHORT -> (short) value;
                default -> value;
            };
        }
    }

    private static void fillWithOnes(Object array) {
        switch (array) {
            case byte[] a -> Arrays.fill(a, (byte) 1);
            case char[] a -> Arrays.fill(a, (char) 1);
            case short[] a -> Arrays.fill(a, (short) 1);
            case int[] a -> Arrays.fill(a, 1);
            case long[] a -> Arrays.fill(a, 1);
            case float[] a -> Arrays.fill(a, 1);
            case double[] a -> Arrays.fill(a, 1);
            default -> throw new AssertionError(array.getClass());
        }
    }

    private static long[] longs(Object array) {
        long[] longs = new long[CELLS];
        Arrays.setAll(longs, i -> switch (array) {
            case byte[] a -> a[i];
            case char[] a -> a[i];
            case short[] a -> a[i];
            case int[] a -> a[i];
            case long[] a -> a[i];
            case float[] a -> (long) a[i];
            case double[] a -> (long) a[i];
            default -> throw new AssertionError(array.getClass());
        });
        return longs;
    }

    /** Nobody draws the number that another has drawn. */
    @ParameterizedTest
    @CsvSource({"4, 1, false", "4, 2, false", "8, 2, true"})
    void ticketsAreDrawnOnce(int ranks, int workers, boolean virtual) {
        int draws = 5_000;
        run(ranks, workers, virtual, handle -> {
            JComm world = handle.COMM_WORLD;
            try (JWindow window = world.window(JType.INT, 1)) {
                int[] drawn = new int[draws];
                window.lockAll();
                for (int i = 0; i < draws; i++) {
                    drawn[i] = (int) window.fetchAndOp(1, 0, 0, JOperation.SUM);
                }
                window.unlockAll();
                List<int[]> all = world.gather(drawn, 0);
                if (all != null) {
                    BitSet seen = new BitSet();
                    for (int[] some : all) {
                        assertEquals(some[0], Arrays.stream(some).min().orElseThrow());
                        Arrays.stream(some).forEach(seen::set);
                    }
                    assertEquals(ranks * draws, seen.cardinality());
                    assertEquals(ranks * draws, seen.length());
                }
            }
        });
    }

    /** Under a lock two cells always hold the same; each change reads, computes and writes them in pieces. */
    @ParameterizedTest
    @CsvSource({"2, 1, false", "4, 2, false", "3, 3, false", "4, 1, true", "8, 3, true"})
    void whoHasALockIsAlone(int ranks, int workers, boolean virtual) {
        int turns = 1_500;
        run(ranks, workers, virtual, handle -> {
            JComm world = handle.COMM_WORLD;
            SplittableRandom random = new SplittableRandom(world.rank());
            try (JWindow window = world.window(JType.LONG, 2)) {
                long changes = 0;
                long[] pair = new long[2];
                for (int turn = 0; turn < turns; turn++) {
                    int target = random.nextInt(2); // some crowd
                    boolean changing = random.nextInt(3) != 0;
                    if (changing) {
                        window.lock(target);
                    } else if (random.nextBoolean()) {
                        window.lockShared(target);
                    } else {
                        window.lockAll();
                        window.get(JBuffer.of(pair), target, 0);
                        window.unlockAll();
                        assertEquals(pair[0], pair[1]);
                        continue;
                    }
                    window.get(JBuffer.of(pair), target, 0);
                    assertEquals(pair[0], pair[1]);
                    if (changing) {
                        pair[0]++;
                        pair[1]++;
                        window.put(JBuffer.of(pair, 0, 1), target, 0);
                        window.put(JBuffer.of(pair, 1, 1), target, 1);
                        changes++;
                    }
                    window.unlock(target);
                }
                window.fence();
                long[] mine = (long[]) JBuffer.of(window.memory(), JType.LONG).toArray();
                assertEquals(world.allreduce(changes, JOperation.SUM), world.allreduce(mine[0], JOperation.SUM));
                assertEquals(mine[0], mine[1]);
                window.fence();
            }
        });
    }
}
