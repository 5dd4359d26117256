package ayatori.bench.load;

import java.util.Arrays;
import jpi.JBuffer;
import jpi.JOperation;

/**
 * CG: the smallest eigenvalue of a sparse matrix by the inverse power method, each step of which solves a system by conjugate
 * gradients. Blocks of rows; the whole of the vector that they are multiplied by is gathered on each rank.
 */
public final class NasCg extends NasKernel {
    private static final int POWER_STEPS = 15;
    private static final int GRADIENT_STEPS = 25;
    private static final double TOLERANCE = 1e-10;

    private int size;
    private int nonzeros;
    private double shift;
    private double publishedZeta;

    private SparseRows rows = new SparseRows(1, 1, 0, 0, 1);
    private int[] counts = {};
    private int first;
    private int count;
    private double[] x = {};
    private double[] z = {};
    private double[] r = {};
    private double[] q = {};
    /** Of all ranks; this one's begins at {@link #first}. */
    private double[] p = {};

    private final double[] one = new double[1];
    private double zeta;
    private double residual;

    @Override
    int mostRanks() {
        return 256;
    }

    @Override
    void prepare(NasClass letter) {
        switch (letter) {
            case S -> set(1400, 7, 10, 8.5971775078648);
            case W -> set(7000, 8, 12, 10.362595087124);
            case A -> set(14000, 11, 20, 17.130235054029);
        }
        counts = new int[ranks];
        for (int rank = 0; rank < ranks; rank++) {
            counts[rank] = size * (rank + 1) / ranks - size * rank / ranks;
        }
        first = size * me / ranks;
        count = counts[me];
        rows = new SparseRows(size, nonzeros, shift, first, count);
        x = new double[count];
        z = new double[count];
        r = new double[count];
        q = new double[count];
        p = new double[size];
    }

    private void set(int matrixSize, int nonzerosOfVector, double diagonalShift, double published) {
        size = matrixSize;
        nonzeros = nonzerosOfVector;
        shift = diagonalShift;
        publishedZeta = published;
    }

    @Override
    void begin() {
        Arrays.fill(x, 1);
    }

    @Override
    void run() {
        for (int step = 0; step < POWER_STEPS; step++) {
            solve();
            zeta = shift + 1 / ofAll(product(x, 0, z));
            double scale = 1 / Math.sqrt(ofAll(product(z, 0, z)));
            for (int i = 0; i < count; i++) {
                x[i] = scale * z[i];
            }
        }
    }

    /** z becomes what the matrix makes x of, nearly. */
    private void solve() {
        Arrays.fill(z, 0);
        System.arraycopy(x, 0, r, 0, count);
        System.arraycopy(x, 0, p, first, count);
        double rho = ofAll(product(r, 0, r));
        for (int step = 0; step < GRADIENT_STEPS; step++) {
            gather();
            rows.times(p, q);
            double alpha = rho / ofAll(product(p, first, q));
            for (int i = 0; i < count; i++) {
                z[i] += alpha * p[first + i];
                r[i] -= alpha * q[i];
            }
            double before = rho;
            rho = ofAll(product(r, 0, r));
            double beta = rho / before;
            for (int i = 0; i < count; i++) {
                p[first + i] = r[i] + beta * p[first + i];
            }
        }
        residual = residual();
    }

    /** How far z is from solving the system; NPB counts its operations. */
    private double residual() {
        System.arraycopy(z, 0, p, first, count);
        gather();
        rows.times(p, q);
        double sum = 0;
        for (int i = 0; i < count; i++) {
            double difference = x[i] - q[i];
            sum += difference * difference;
        }
        return Math.sqrt(ofAll(sum));
    }

    private void gather() {
        comm.allgatherv(JBuffer.of(p, first, count), JBuffer.of(p), counts, null);
    }

    private static double product(double[] a, int start, double[] b) {
        double sum = 0;
        for (int i = 0; i < b.length; i++) {
            sum += a[start + i] * b[i];
        }
        return sum;
    }

    private double ofAll(double part) {
        one[0] = part;
        comm.allreduce(JBuffer.of(one), JBuffer.of(one), JOperation.SUM);
        return one[0];
    }

    @Override
    boolean verify() {
        return close("CG's zeta", zeta, publishedZeta, TOLERANCE) && residual < TOLERANCE;
    }

    /** As NPB counts them, from the elements drawn, not from those in the matrix. */
    @Override
    double operations() {
        double ofRow = nonzeros * (nonzeros + 1.0);
        return 2.0 * POWER_STEPS * size * (3 + ofRow + GRADIENT_STEPS * (5 + ofRow) + 3);
    }
}
