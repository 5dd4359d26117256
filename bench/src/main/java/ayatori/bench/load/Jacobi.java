package ayatori.bench.load;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import jpi.JApplication;
import jpi.JBuffer;
import jpi.JComm;
import jpi.JHandle;

/**
 * {@code jpi.JRun OPTIONS Jacobi ITERATIONS SECONDS}: the heat in a square of 512 × 512 points, one edge of which is hot, by
 * Jacobi's method, in blocks of rows, again and again for so many seconds. Rank 0 prints {@code result,solve,SECONDS} for each, and
 * {@code result,sum,CHECKSUM,RESIDUAL}, hexadecimal. Does what {@code bench/src/main/c/jacobi.c} does, in the same order of
 * additions, and gets the same bits. The number of ranks is a power of two.
 */
public final class Jacobi extends JApplication {
    private static final int SIZE = 512;
    private static final int WIDTH = SIZE + 2;
    private static final double HOT = 100.0;
    /** From one row to the next: whole cache lines. */
    private static final int STRIDE = SIZE + 8;
    /** Of each rank. A constant for C2, and with it the next one. */
    private static final int ROWS = SIZE / JHandle.current().COMM_WORLD.size();
    /**
     * From where a point is in the one field to where it is in the other, in the same array: so both lie alike in cache lines, and what is
     * loaded from above and below is aligned as what is stored. C2, which sees that no iteration of a loop writes what another one
     * reads, uses vector instructions. And no round number, at which caches mistake one field for the other.
     */
    private static final int SHIFT = (ROWS + 2) * STRIDE + 64;

    private static final int ITERATIONS_BETWEEN_CHECKS = 50;
    /** The first one warms up. */
    private static final int LEAST_SOLVES = 2;

    // Tags.
    private static final int UP = 1;
    private static final int DOWN = 2;
    private static final int CHANGE = 3;
    private static final int SUM = 4;

    private final JComm comm = JPI.COMM_WORLD;
    private final int me = comm.rank();
    private final double[] both = new double[2 * SHIFT];
    private Field now = new Field(both, 0);
    private Field then = new Field(both, SHIFT);

    private final double[] mine = new double[1];
    private final double[] others = new double[1];

    /** The values of this rank row by row, with a row more at either end; buffers for those that are sent or received. */
    private static final class Field {
        private final double[] values;
        private final int start;
        private final JBuffer beforeFirst;
        private final JBuffer first;
        private final JBuffer last;
        private final JBuffer afterLast;

        /**
         * All of them the same, as the neighbours of a point. Where C2 sees that it packs half of the loads of a point and its neighbour
         * into one vector, and computes the others one by one.
         */
        private final double[] left;

        private final double[] right;
        private final double[] above;
        private final double[] below;

        Field(double[] values, int start) {
            this.values = values;
            this.start = start;
            beforeFirst = row(0);
            first = row(1);
            last = row(ROWS);
            afterLast = row(ROWS + 1);
            left = values;
            right = values;
            above = values;
            below = values;
        }

        private JBuffer row(int row) {
            return JBuffer.of(values, start + row * STRIDE, WIDTH);
        }

        /** Cold, but for the upper edge. */
        void begin(boolean uppermost) {
            Arrays.fill(values, start, start + (ROWS + 2) * STRIDE, 0);
            if (uppermost) {
                Arrays.fill(values, start, start + WIDTH, HOT);
            }
        }

        /**
         * Each point becomes the mean of its neighbours in the other field. What was done last is still in the cache, and comes first. All
         * rows in one loop: what C2 does before and after its vector instructions it does once, not for each row. So what lies
         * between two rows is computed too, and the edges there become cold again.
         */
        void relax(Field from) {
            int begin = start + STRIDE + 1;
            int end = start + ROWS * STRIDE + SIZE + 1;
            if (start == 0) {
                toLower(from.left, from.right, from.above, from.below, values, begin, end);
            } else {
                toUpper(from.left, from.right, from.above, from.below, values, begin, end);
            }
            for (int row = begin; row < end; row += STRIDE) {
                values[row - 1] = 0;
                values[row + SIZE] = 0;
            }
        }

        /** Upwards in the one field and downwards in the other. */
        private static void toLower(
                double[] left, double[] right, double[] above, double[] below, double[] to, int begin, int end) {
            for (int i = begin; i < end; i++) {
                to[i] = 0.25
                        * (left[i + SHIFT - 1]
                                + right[i + SHIFT + 1]
                                + above[i + SHIFT - STRIDE]
                                + below[i + SHIFT + STRIDE]);
            }
        }

        private static void toUpper(
                double[] left, double[] right, double[] above, double[] below, double[] to, int begin, int end) {
            for (int i = end - 1; i >= begin; i--) {
                to[i] = 0.25
                        * (left[i - SHIFT - 1]
                                + right[i - SHIFT + 1]
                                + above[i - SHIFT - STRIDE]
                                + below[i - SHIFT + STRIDE]);
            }
        }

        /** The largest difference of a point. */
        double change(Field other) {
            double most = 0;
            for (int row = 1; row <= ROWS; row++) {
                for (int i = row * STRIDE + 1; i <= row * STRIDE + SIZE; i++) {
                    double one = Math.abs(values[start + i] - other.values[other.start + i]);
                    most = one > most ? one : most; // not Math.max, which minds NaN and negative zero
                }
            }
            return most;
        }
    }

    @Override
    public void Jmain(String[] arguments) {
        if (Integer.bitCount(comm.size()) != 1 || comm.size() > SIZE) {
            throw new IllegalArgumentException("needs a power of two of ranks, at most " + SIZE);
        }
        int iterations = Integer.parseInt(arguments[0]);
        double end = JPI.wtime() + Double.parseDouble(arguments[1]);
        List<Double> seconds = new ArrayList<>();
        double residual = 0;
        do {
            comm.barrier();
            double start = JPI.wtime();
            residual = solve(iterations);
            comm.barrier();
            seconds.add(JPI.wtime() - start);
        } while (comm.bcast(seconds.size() < LEAST_SOLVES || JPI.wtime() < end, 0));
        long sum = checksum();
        if (me == 0) {
            for (double one : seconds) {
                System.out.println("result,solve," + one);
            }
            System.out.printf("result,sum,%016x,%016x%n", sum, Double.doubleToRawLongBits(residual));
        }
    }

    private double solve(int iterations) {
        double residual = Double.POSITIVE_INFINITY;
        now.begin(me == 0);
        then.begin(me == 0);
        for (int i = 1; i <= iterations && residual > 0; i++) {
            exchange();
            then.relax(now);
            if (i % ITERATIONS_BETWEEN_CHECKS == 0) {
                residual = mostOfAll(then.change(now));
            }
            Field swap = now;
            now = then;
            then = swap;
        }
        return residual;
    }

    /** Gives the neighbours their rows beyond this block's, and gets its own. */
    private void exchange() {
        int above = me == 0 ? JHandle.PROC_NULL : me - 1;
        int below = me == comm.size() - 1 ? JHandle.PROC_NULL : me + 1;
        var _ = comm.sendrecv(now.first, above, UP, now.afterLast, below, UP);
        var _ = comm.sendrecv(now.last, below, DOWN, now.beforeFirst, above, DOWN);
    }

    /** The maximum over all ranks: each tells it to one that is twice as far away each time. */
    private double mostOfAll(double own) {
        mine[0] = own;
        for (int distance = 1; distance < comm.size(); distance *= 2) {
            int other = me ^ distance;
            var _ = comm.sendrecv(JBuffer.of(mine), other, CHANGE, JBuffer.of(others), other, CHANGE);
            mine[0] = Math.max(mine[0], others[0]);
        }
        return mine[0];
    }

    /** Depends on each bit and its place, not on who adds what. Rank 0 gets it. */
    private long checksum() {
        long sum = 0;
        for (int row = 1; row <= ROWS; row++) {
            for (int column = 1; column <= SIZE; column++) {
                long place = ((long) me * ROWS + row) * WIDTH + column;
                sum += Double.doubleToRawLongBits(now.values[now.start + row * STRIDE + column]) * (2 * place + 1);
            }
        }
        if (me > 0) {
            comm.send(sum, 0, SUM);
        }
        for (int rank = 1; me == 0 && rank < comm.size(); rank++) {
            sum += comm.recv(Long.class, rank, SUM);
        }
        return sum;
    }
}
