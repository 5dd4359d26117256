package ayatori.bench.load;

import jpi.JApplication;
import jpi.JComm;

/**
 * {@code jpi.JRun OPTIONS Nas… CLASS RUNS}: a kernel of the NAS Parallel Benchmarks (report NAS-95-020), again and again in the
 * same JVMs. Rank 0 prints {@code result,run,SECONDS,MOPS,VERIFIED} for each run. Operations are counted as NPB 3 does, and its
 * published results and tolerances are what VERIFIED, true or false, depends on. The number of ranks is a power of two.
 */
abstract class NasKernel extends JApplication {
    final JComm comm = JPI.COMM_WORLD;
    final int me = comm.rank();
    final int ranks = comm.size();

    @Override
    public final void Jmain(String[] arguments) {
        if (Integer.bitCount(ranks) != 1 || ranks > mostRanks()) {
            throw new IllegalArgumentException("needs a power of two of ranks, at most " + mostRanks());
        }
        prepare(NasClass.valueOf(arguments[0]));
        int runs = Integer.parseInt(arguments[1]);
        for (int i = 0; i < runs; i++) {
            begin();
            comm.barrier();
            double start = JPI.wtime();
            run();
            comm.barrier();
            double seconds = JPI.wtime() - start;
            boolean verified = verify();
            if (me == 0) {
                System.out.println("result,run," + seconds + "," + operations() * 1e-6 / seconds + "," + verified);
            }
        }
    }

    abstract int mostRanks();

    /** Makes what all runs use. Not measured. */
    abstract void prepare(NasClass size);

    /** Brings back what the last run has changed. Not measured. */
    abstract void begin();

    /** What is measured. */
    abstract void run();

    /** Whether the last run's result is right: at rank 0; elsewhere it need not be the whole truth. All ranks call it. */
    abstract boolean verify();

    /** How many operations a run counts as. */
    abstract double operations();

    /** Whether a value is the published one but for a small part of it; rank 0 says if not. */
    final boolean close(String what, double value, double published, double tolerance) {
        boolean close = Math.abs((value - published) / published) <= tolerance;
        if (!close && me == 0) {
            System.out.println(what + " is " + value + ", not " + published);
        }
        return close;
    }
}
