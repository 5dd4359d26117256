package ayatori.bench.load;

import java.util.Arrays;
import jpi.JBuffer;
import jpi.JOperation;

/** EP: pairs of Gaussian deviates, made of uniform ones by acceptance and rejection, and how many lie in each square ring. */
public final class NasEp extends NasKernel {
    private static final int PAIRS_OF_A_BATCH = 1 << 16;
    private static final double TOLERANCE = 1e-8;
    private static final int RINGS = 10;

    // Where in the sums what is.
    private static final int X = RINGS;
    private static final int Y = RINGS + 1;

    private int pairsLog;
    private double publishedX;
    private double publishedY;
    private final double[] mine = new double[RINGS + 2];
    private final double[] sums = new double[RINGS + 2];

    @Override
    int mostRanks() {
        return 256;
    }

    @Override
    void prepare(NasClass size) {
        switch (size) {
            case S -> set(24, -3.247834652034740e3, -6.958407078382297e3);
            case W -> set(25, -2.863319731645753e3, -6.320053679109499e3);
            case A -> set(28, -4.295875165629892e3, -1.580732573678431e4);
        }
    }

    private void set(int log, double x, double y) {
        pairsLog = log;
        publishedX = x;
        publishedY = y;
    }

    @Override
    void begin() {
        Arrays.fill(mine, 0);
    }

    @Override
    void run() {
        int batches = (1 << pairsLog) / PAIRS_OF_A_BATCH;
        for (int batch = me; batch < batches; batch += ranks) {
            tally(new NasRandom(NasRandom.SEED_OF_EP, 2L * PAIRS_OF_A_BATCH * batch));
        }
        comm.allreduce(JBuffer.of(mine), JBuffer.of(sums), JOperation.SUM);
    }

    private void tally(NasRandom random) {
        double sumX = 0;
        double sumY = 0;
        for (int i = 0; i < PAIRS_OF_A_BATCH; i++) {
            double x = 2 * random.next() - 1;
            double y = 2 * random.next() - 1;
            double square = x * x + y * y;
            if (square <= 1) {
                double factor = Math.sqrt(-2 * Math.log(square) / square);
                double gaussX = x * factor;
                double gaussY = y * factor;
                mine[(int) Math.max(Math.abs(gaussX), Math.abs(gaussY))]++;
                sumX += gaussX;
                sumY += gaussY;
            }
        }
        mine[X] += sumX;
        mine[Y] += sumY;
    }

    @Override
    boolean verify() {
        boolean x = close("EP's sum of x", sums[X], publishedX, TOLERANCE);
        boolean y = close("EP's sum of y", sums[Y], publishedY, TOLERANCE);
        return x && y;
    }

    @Override
    double operations() {
        return 2.0 * (1 << pairsLog);
    }
}
