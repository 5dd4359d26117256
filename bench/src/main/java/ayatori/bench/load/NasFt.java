package ayatori.bench.load;

import jpi.JBuffer;
import jpi.JOperation;

/**
 * FT: a partial differential equation on a grid of complex numbers, by Fourier transforms forth, and back at each step of time.
 * A rank has a slab of planes of the grid itself, and of its transform a slab of rows of all planes; in between all exchange
 * blocks with all.
 */
public final class NasFt extends NasKernel {
    private static final int STEPS = 6;
    private static final double DIFFUSION = 1e-6;
    private static final double TOLERANCE = 1e-12;
    private static final int CHECKED_POINTS = 1024;

    // Sums of the checked points after each step, real and imaginary parts in turn.
    private static final double[] PUBLISHED_S = {
        5.546087004964e2, 4.845363331978e2, 5.546385409189e2, 4.865304269511e2, 5.546148406171e2, 4.883910722336e2,
        5.545423607415e2, 4.901273169046e2, 5.544255039624e2, 4.917475857993e2, 5.542683411902e2, 4.932597244941e2
    };
    private static final double[] PUBLISHED_W = {
        5.673612178944e2, 5.293246849175e2, 5.631436885271e2, 5.282149986629e2, 5.594024089970e2, 5.270996558037e2,
        5.560698047020e2, 5.260027904925e2, 5.530898991250e2, 5.249400845633e2, 5.504159734538e2, 5.239212247086e2
    };
    private static final double[] PUBLISHED_A = {
        5.046735008193e2, 5.114047905510e2, 5.059412319734e2, 5.098809666433e2, 5.069376896287e2, 5.098144042213e2,
        5.077892868474e2, 5.101336130759e2, 5.085233095391e2, 5.104914655194e2, 5.091487099959e2, 5.107917842803e2
    };

    private double[] published = {};
    private final double[] sums = new double[2 * STEPS];

    // Points a side of the whole grid.
    private int sizeX;
    private int sizeY;
    private int sizeZ;
    /** Planes of the grid that this rank has. */
    private int planes;
    /** Rows of each plane of the transform that this rank has. */
    private int rows;

    /** The transform, row by row of this rank's rows, plane by plane. */
    private double[] spectrum = {};
    /** The grid, row by row of this rank's planes; on the way back first a spectrum. */
    private double[] work = {};

    /** Blocks that are sent or were received. */
    private double[] other = {};

    private LineTransform alongX = new LineTransform(1);
    private LineTransform alongY = alongX;
    private LineTransform alongZ = alongX;

    @Override
    int mostRanks() {
        return 32;
    }

    @Override
    void prepare(NasClass size) {
        switch (size) {
            case S -> set(64, 64, 64, PUBLISHED_S);
            case W -> set(128, 128, 32, PUBLISHED_W);
            case A -> set(256, 256, 128, PUBLISHED_A);
        }
        planes = sizeZ / ranks;
        rows = sizeY / ranks;
        int doubles = 2 * sizeX * sizeY * planes;
        spectrum = new double[doubles];
        work = new double[doubles];
        other = new double[doubles];
        alongX = new LineTransform(sizeX);
        alongY = new LineTransform(sizeY);
        alongZ = new LineTransform(sizeZ);
    }

    private void set(int x, int y, int z, double[] checksums) {
        sizeX = x;
        sizeY = y;
        sizeZ = z;
        published = checksums;
    }

    @Override
    void begin() {
        // Each run makes the grid anew; NPB measures that too.
    }

    @Override
    void run() {
        NasRandom random = new NasRandom(NasRandom.SEED, (long) work.length * me);
        for (int i = 0; i < work.length; i++) {
            work[i] = random.next();
        }
        transform();
        for (int step = 0; step < STEPS; step++) {
            evolve();
            transformBack();
            addUp(step);
        }
        comm.allreduce(JBuffer.of(sums), JBuffer.of(sums), JOperation.SUM);
    }

    /** From work to the spectrum. */
    private void transform() {
        transformPlanes(1);
        // Blocks for each rank: its rows of my planes, plane by plane. Behind one another they are its rows of all
        // planes.
        int block = 2 * rows * sizeX;
        for (int rank = 0; rank < ranks; rank++) {
            for (int z = 0; z < planes; z++) {
                System.arraycopy(work, (z * ranks + rank) * block, other, (rank * planes + z) * block, block);
            }
        }
        comm.alltoall(JBuffer.of(other), JBuffer.of(spectrum));
        transformStacks(spectrum, 1);
    }

    /** From work, a changed spectrum, to work, the grid. */
    private void transformBack() {
        transformStacks(work, -1);
        comm.alltoall(JBuffer.of(work), JBuffer.of(other));
        int block = 2 * rows * sizeX;
        for (int rank = 0; rank < ranks; rank++) {
            for (int z = 0; z < planes; z++) {
                System.arraycopy(other, (rank * planes + z) * block, work, (z * ranks + rank) * block, block);
            }
        }
        transformPlanes(-1);
    }

    /** Work along x and y. */
    private void transformPlanes(int sign) {
        for (int z = 0; z < planes; z++) {
            int start = z * sizeY * sizeX;
            for (int y = 0; y < sizeY; y += LineTransform.LINES) {
                alongX.transform(work, start + y * sizeX, 1, sizeX, sign);
            }
            for (int x = 0; x < sizeX; x += LineTransform.LINES) {
                alongY.transform(work, start + x, sizeX, 1, sign);
            }
        }
    }

    /** A spectrum along z. */
    private void transformStacks(double[] grid, int sign) {
        for (int start = 0; start < rows * sizeX; start += LineTransform.LINES) {
            alongZ.transform(grid, start, rows * sizeX, 1, sign);
        }
    }

    /** Each wave of the spectrum fades, the sooner the shorter it is. */
    private void evolve() {
        double[] fadingX = fading(sizeX);
        double[] fadingY = fading(sizeY);
        double[] fadingZ = fading(sizeZ);
        int i = 0;
        for (int z = 0; z < sizeZ; z++) {
            for (int y = me * rows; y < (me + 1) * rows; y++) {
                double ofRow = fadingZ[z] * fadingY[y];
                for (int x = 0; x < sizeX; x++, i += 2) {
                    double factor = ofRow * fadingX[x];
                    spectrum[i] *= factor;
                    spectrum[i + 1] *= factor;
                    work[i] = spectrum[i];
                    work[i + 1] = spectrum[i + 1];
                }
            }
        }
    }

    /** By how much the waves along one side fade in a step of time; from the middle on they count as negative. */
    private static double[] fading(int size) {
        double[] factors = new double[size];
        for (int i = 0; i < size; i++) {
            double wave = i < size / 2 ? i : i - size;
            factors[i] = Math.exp(-4 * DIFFUSION * Math.PI * Math.PI * wave * wave);
        }
        return factors;
    }

    private void addUp(int step) {
        double real = 0;
        double imaginary = 0;
        for (int i = 1; i <= CHECKED_POINTS; i++) {
            int z = 5 * i % sizeZ - me * planes;
            if (z >= 0 && z < planes) {
                int place = 2 * ((z * sizeY + 3 * i % sizeY) * sizeX + i % sizeX);
                real += work[place];
                imaginary += work[place + 1];
            }
        }
        // A transform forth and back multiplies by as many points as there are.
        sums[2 * step] = real / points();
        sums[2 * step + 1] = imaginary / points();
    }

    private double points() {
        return (double) sizeX * sizeY * sizeZ;
    }

    @Override
    boolean verify() {
        boolean good = true;
        for (int i = 0; i < sums.length; i++) {
            good &= close("FT's sum " + i, sums[i], published[i], TOLERANCE);
        }
        return good;
    }

    @Override
    double operations() {
        double log = Math.log(points());
        return points() * (14.8157 + 7.19641 * log + (5.23518 + 7.21113 * log) * STEPS);
    }
}
