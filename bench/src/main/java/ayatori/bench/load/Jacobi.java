package ayatori.bench.load;

import java.util.Arrays;
import jpi.JApplication;
import jpi.JBuffer;
import jpi.JComm;
import jpi.JHandle;

/**
 * {@code jpi.JRun OPTIONS Jacobi ITERATIONS SOLVES}: the heat in a square of 512 × 512 points, one edge of which is hot, by
 * Jacobi's method, in blocks of rows. Rank 0 prints {@code result,solve,SECONDS} for each, and
 * {@code result,sum,CHECKSUM,RESIDUAL}, hexadecimal. Does what {@code bench/src/main/c/jacobi.c} does, in the same order of
 * additions, and gets the same bits. The number of ranks is a power of two.
 */
public final class Jacobi extends JApplication {
    private static final int SIZE = 512;
    private static final int WIDTH = SIZE + 2;
    private static final double HOT = 100.0;
    /**
     * From where a point is in the one field to where it is in the other. More than a row: so a loop that goes up while it writes the lower
     * one, and down while it writes the upper, never writes what it would still read if both were one array, and C2, which does not know
     * that they are two, may use vector instructions. And no round number, at which caches mistake one array for the other.
     */
    private static final int SHIFT = WIDTH + 64;

    private static final int ITERATIONS_BETWEEN_CHECKS = 50;

    // Tags.
    private static final int UP = 1;
    private static final int DOWN = 2;
    private static final int CHANGE = 3;
    private static final int SUM = 4;

    private final JComm comm = JPI.COMM_WORLD;
    private final int me = comm.rank();
    private final int rows = SIZE / comm.size();
    private Field now = new Field(rows, 0);
    private Field then = new Field(rows, SHIFT);

    private final double[] mine = new double[1];
    private final double[] others = new double[1];

    /** The values of this rank row by row, with a row more at either end; buffers for those that are sent or received. */
    private static final class Field {
        private final int rows;
        private final int start;
        private final double[] values;
        private final JBuffer above;
        private final JBuffer first;
        private final JBuffer last;
        private final JBuffer below;

        Field(int rows, int start) {
            this.rows = rows;
            this.start = start;
            values = new double[(rows + 2) * WIDTH + start];
            above = row(0);
            first = row(1);
            last = row(rows);
            below = row(rows + 1);
        }

        private JBuffer row(int row) {
            return JBuffer.of(values, start + row * WIDTH, WIDTH);
        }

        /** Cold, but for the upper edge. */
        void begin(boolean uppermost) {
            Arrays.fill(values, 0);
            if (uppermost) {
                Arrays.fill(values, start, start + WIDTH, HOT);
            }
        }

        /** Each point becomes the mean of its neighbours in the other field. */
        void relax(Field from) {
            if (start == 0) {
                upwards(from.values, values, rows);
            } else {
                downwards(from.values, values, rows);
            }
            // The loops go over the edges too, which stay cold.
            for (int row = 1; row <= rows; row++) {
                values[start + row * WIDTH] = 0;
                values[start + row * WIDTH + WIDTH - 1] = 0;
            }
        }

        private static void upwards(double[] from, double[] to, int rows) {
            int end = (rows + 1) * WIDTH - 1;
            for (int i = WIDTH + 1; i < end; i++) {
                to[i] = 0.25
                        * (from[i + SHIFT - 1]
                                + from[i + SHIFT + 1]
                                + from[i + SHIFT - WIDTH]
                                + from[i + SHIFT + WIDTH]);
            }
        }

        private static void downwards(double[] from, double[] to, int rows) {
            int begin = WIDTH + SHIFT;
            for (int i = (rows + 1) * WIDTH - 2 + SHIFT; i > begin; i--) {
                to[i] = 0.25
                        * (from[i - SHIFT - 1]
                                + from[i - SHIFT + 1]
                                + from[i - SHIFT - WIDTH]
                                + from[i - SHIFT + WIDTH]);
            }
        }

        /** The largest difference of a point. */
        double change(Field other) {
            double most = 0;
            for (int i = WIDTH; i < (rows + 1) * WIDTH; i++) {
                double one = Math.abs(values[start + i] - other.values[other.start + i]);
                most = one > most ? one : most; // not Math.max, which minds NaN and negative zero
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
        int solves = Integer.parseInt(arguments[1]);
        double[] seconds = new double[solves];
        double residual = 0;
        for (int i = 0; i < solves; i++) {
            comm.barrier();
            double start = JPI.wtime();
            residual = solve(iterations);
            comm.barrier();
            seconds[i] = JPI.wtime() - start;
        }
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
        var _ = comm.sendrecv(now.first, above, UP, now.below, below, UP);
        var _ = comm.sendrecv(now.last, below, DOWN, now.above, above, DOWN);
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
        for (int row = 1; row <= rows; row++) {
            for (int column = 1; column <= SIZE; column++) {
                long place = ((long) me * rows + row) * WIDTH + column;
                sum += Double.doubleToRawLongBits(now.values[now.start + row * WIDTH + column]) * (2 * place + 1);
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
