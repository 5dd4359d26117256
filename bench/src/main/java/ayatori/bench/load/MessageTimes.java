package ayatori.bench.load;

import ayatori.bench.load.Bursts.Timing;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import jpi.JApplication;
import jpi.JComm;

/**
 * {@code jpi.JRun OPTIONS MessageTimes BUDGET_MILLISECONDS WARM_UP_MILLISECONDS LARGEST_BYTES MODE...}: half round trips between
 * ranks 0 and 1; for each mode and size rank 0 prints {@code result,MODE,BYTES,MEDIAN_US,P10_US}. Modes:
 *
 * <ul>
 *   <li>hot, varied: out of arrays into arrays, one or more than caches hold
 *   <li>arrays: the receiver gets a new array; between threads of one JVM (there called reference) the sender's own
 *   <li>record: see {@link RecordTimes}
 * </ul>
 */
public final class MessageTimes extends JApplication {
    private final List<String> lines = new ArrayList<>();
    private long budget;
    private long warmUp;

    @Override
    public void Jmain(String[] arguments) {
        JComm comm = JPI.COMM_WORLD;
        if (comm.rank() > 1) {
            return; // is there to be one rank more than there are CPUs
        }
        budget = TimeUnit.MILLISECONDS.toNanos(Long.parseLong(arguments[0]));
        warmUp = TimeUnit.MILLISECONDS.toNanos(Long.parseLong(arguments[1]));
        int[] sizes = sizes(Integer.parseInt(arguments[2]));
        for (String mode : List.of(arguments).subList(3, arguments.length)) {
            switch (mode) {
                case "hot", "varied" -> play(mode, new BufferRally(comm, mode.equals("varied")), sizes);
                case "arrays", "reference" -> play(mode, new ObjectRally(comm, ObjectRally::array), sizes);
                case "record" -> record(comm);
                default -> throw new IllegalArgumentException("no mode " + mode);
            }
        }
        lines.forEach(System.out::println); // not before: who prints keeps others from their CPU
    }

    private static int[] sizes(int largest) {
        int[] sizes = new int[Integer.SIZE - Integer.numberOfLeadingZeros(largest)];
        for (int i = 0; i < sizes.length; i++) {
            sizes[i] = 1 << i;
        }
        return sizes;
    }

    private void play(String mode, CommRally rally, int... sizes) {
        if (rally.comm.rank() == 0) {
            rally.lead(sizes, budget, warmUp, (bytes, timing) -> add(mode, bytes, timing));
        } else {
            rally.follow();
        }
    }

    /** The record, as many bytes, and what Fory alone takes. */
    private void record(JComm comm) {
        RecordTimes own = new RecordTimes();
        int bytes = own.encodedBytes();
        play("record", new ObjectRally(comm, (_, seed) -> RecordTimes.sample(seed)), bytes);
        play("record-bytes", new BufferRally(comm, false), bytes);
        if (comm.rank() == 0) {
            own.time(budget, warmUp, (mode, timing) -> add(mode, bytes, timing));
        }
        comm.barrier();
    }

    private void add(String mode, int bytes, Timing timing) {
        lines.add("result," + mode + "," + bytes + "," + timing.median() + "," + timing.tenth());
    }
}
