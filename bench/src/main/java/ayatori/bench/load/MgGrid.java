package ayatori.bench.load;

import java.util.Arrays;
import jpi.JBuffer;
import jpi.JComm;

/**
 * A grid of MG, or a slab of its planes: the points row by row and plane by plane, with one more at either end of each row,
 * column and stack, which repeats that of the other end, the cube being periodic.
 */
final class MgGrid {
    // Tags.
    private static final int UP = 1;
    private static final int DOWN = 2;

    // What a point counts in the residual: itself, those across an edge, those across a corner; those beside it do not.
    private static final double SELF = -8.0 / 3;
    private static final double EDGE = 1.0 / 6;
    private static final double CORNER = 1.0 / 12;

    // The same in the smoother, with those beside it but without those across a corner.
    private static final double SMOOTH_SELF = -3.0 / 8;
    private static final double SMOOTH_SIDE = 1.0 / 32;
    private static final double SMOOTH_EDGE = -1.0 / 64;

    private final int side;
    private final int planes;
    /** Whether other ranks have the planes beyond. */
    private final boolean split;

    private final JComm comm;
    /** From a row to the next. */
    private final int row;
    /** From a plane to the next. */
    private final int plane;

    private final double[] values;

    // Of a row: sums over the four neighbours of each point beside and above it, and over the four across.
    private final double[] beside;
    private final double[] across;

    MgGrid(int side, int planes, boolean split, JComm comm) {
        this.side = side;
        this.planes = planes;
        this.split = split;
        this.comm = comm;
        row = side + 2;
        plane = row * row;
        values = new double[plane * (planes + 2)];
        beside = new double[row];
        across = new double[row];
    }

    int planes() {
        return planes;
    }

    void clear() {
        Arrays.fill(values, 0);
    }

    void set(int x, int y, int z, double value) {
        values[z * plane + y * row + x] = value;
    }

    /** Fills the points beyond the ends. */
    void exchange() {
        for (int z = 1; z <= planes; z++) {
            for (int start = z * plane + row; start < (z + 1) * plane - row; start += row) {
                values[start] = values[start + side];
                values[start + side + 1] = values[start + 1];
            }
            System.arraycopy(values, z * plane + side * row, values, z * plane, row);
            System.arraycopy(values, z * plane + row, values, z * plane + (side + 1) * row, row);
        }
        if (split) {
            int above = (comm.rank() + comm.size() - 1) % comm.size();
            int below = (comm.rank() + 1) % comm.size();
            var _ = comm.sendrecv(plane(1), above, UP, plane(planes + 1), below, UP);
            var _ = comm.sendrecv(plane(planes), below, DOWN, plane(0), above, DOWN);
        } else {
            plane(0).copyFrom(plane(planes));
            plane(planes + 1).copyFrom(plane(1));
        }
    }

    private JBuffer plane(int z) {
        return JBuffer.of(values, z * plane, plane);
    }

    /** Gets the planes that other ranks have computed of a grid that is whole on each: so many a rank. */
    void gather(int mine) {
        int count = mine * plane;
        comm.allgather(
                JBuffer.of(values, plane + comm.rank() * count, count), JBuffer.of(values, plane, comm.size() * count));
    }

    private void sums(double[] of, int start) {
        for (int x = 0; x < row; x++) {
            int i = start + x;
            beside[x] = of[i - row] + of[i + row] + of[i - plane] + of[i + plane];
            across[x] = of[i - plane - row] + of[i - plane + row] + of[i + plane - row] + of[i + plane + row];
        }
    }

    /** Becomes what is left of the right-hand side; that may be this very grid. */
    void residual(MgGrid solution, MgGrid rightHand) {
        double[] u = solution.values;
        double[] v = rightHand.values;
        for (int z = 1; z <= planes; z++) {
            for (int y = 1; y <= side; y++) {
                int start = z * plane + y * row;
                sums(u, start);
                for (int x = 1; x <= side; x++) {
                    values[start + x] = v[start + x]
                            - SELF * u[start + x]
                            - EDGE * (across[x] + beside[x - 1] + beside[x + 1])
                            - CORNER * (across[x - 1] + across[x + 1]);
                }
            }
        }
        exchange();
    }

    /** Adds the smoothed residual. */
    void smooth(MgGrid residual) {
        double[] r = residual.values;
        for (int z = 1; z <= planes; z++) {
            for (int y = 1; y <= side; y++) {
                int start = z * plane + y * row;
                sums(r, start);
                for (int x = 1; x <= side; x++) {
                    int i = start + x;
                    values[i] += SMOOTH_SELF * r[i]
                            + SMOOTH_SIDE * (r[i - 1] + r[i + 1] + beside[x])
                            + SMOOTH_EDGE * (across[x] + beside[x - 1] + beside[x + 1]);
                }
            }
        }
        exchange();
    }

    /**
     * Becomes the weighted means of a grid with twice as many points a side. The points beyond the ends are left as they are.
     *
     * @param first how many planes of this grid lie before the finer one's
     * @param count planes that the finer one has twice as many of
     */
    void restrict(MgGrid fine, int first, int count) {
        double[] r = fine.values;
        for (int z = 1; z <= count; z++) {
            for (int y = 1; y <= side; y++) {
                fine.sums(r, 2 * z * fine.plane + 2 * y * fine.row);
                int start = (first + z) * plane + y * row;
                int fineStart = 2 * z * fine.plane + 2 * y * fine.row;
                for (int x = 1; x <= side; x++) {
                    int i = fineStart + 2 * x;
                    values[start + x] = 0.5 * r[i]
                            + 0.25 * (r[i - 1] + r[i + 1] + fine.beside[2 * x])
                            + 0.125 * (fine.across[2 * x] + fine.beside[2 * x - 1] + fine.beside[2 * x + 1])
                            + 0.0625 * (fine.across[2 * x - 1] + fine.across[2 * x + 1]);
                }
            }
        }
    }

    /**
     * Adds a grid with half as many points a side, and means of its neighbours between them; beyond the ends too.
     *
     * @param first how many of its planes lie before this grid's
     */
    void addInterpolated(MgGrid coarse, int first) {
        double[] from = coarse.values;
        double[] ends = beside; // sums over one, two or four coarse points above each other
        for (int z = 0; z < planes + 2; z++) {
            for (int y = 0; y < side + 2; y++) {
                int i = (first + z / 2) * coarse.plane + y / 2 * coarse.row;
                // Between two planes or rows the mean of both, else twice the same.
                int nextPlane = z % 2 * coarse.plane;
                int nextRow = y % 2 * coarse.row;
                for (int x = 0; x < coarse.row; x++) {
                    ends[x] = 0.25
                            * (from[i + x]
                                    + from[i + x + nextRow]
                                    + from[i + x + nextPlane]
                                    + from[i + x + nextPlane + nextRow]);
                }
                int start = z * plane + y * row;
                for (int x = 0; x < coarse.row - 1; x++) {
                    values[start + 2 * x] += ends[x];
                    values[start + 2 * x + 1] += 0.5 * (ends[x] + ends[x + 1]);
                }
            }
        }
    }

    /** The sum over the squares of this rank's points. */
    double squares() {
        double sum = 0;
        for (int z = 1; z <= planes; z++) {
            for (int y = 1; y <= side; y++) {
                int start = z * plane + y * row;
                for (int x = 1; x <= side; x++) {
                    sum += values[start + x] * values[start + x];
                }
            }
        }
        return sum;
    }
}
