package ayatori.bench.load;

import java.nio.file.Path;
import jpi.JApplication;
import jpi.JBuffer;
import jpi.JComm;
import jpi.JOperation;

/** {@code jpi.JRun OPTIONS ExchangedSums VM GATE SUMS}: ranks that compute a little and add up what they have, again and again. */
public final class ExchangedSums extends JApplication {
    private static final int NUMBERS = 4096;

    @Override
    public void Jmain(String[] arguments) {
        int sums = Integer.parseInt(arguments[2]);
        try {
            new OneOfMany(arguments[0], Path.of(arguments[1])).doTogether(times -> add(JPI.COMM_WORLD, times), sums);
        } catch (InterruptedException ended) {
            Thread.currentThread().interrupt();
        }
    }

    private static void add(JComm comm, int sums) {
        double[] mine = new double[NUMBERS];
        double[] all = new double[1];
        JBuffer buffer = JBuffer.of(all);
        for (int i = 1; i <= sums; i++) {
            double sum = 0;
            for (int k = 0; k < NUMBERS; k++) {
                mine[k] += comm.rank() + 1;
                sum += mine[k];
            }
            all[0] = sum;
            comm.allreduce(buffer, buffer, JOperation.SUM);
            double asked = 0.5 * comm.size() * (comm.size() + 1) * i * NUMBERS;
            if (all[0] != asked) {
                throw new IllegalStateException("the sum is " + all[0] + " and not " + asked);
            }
        }
    }
}
