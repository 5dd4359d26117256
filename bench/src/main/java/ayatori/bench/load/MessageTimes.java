package ayatori.bench.load;

import ayatori.bench.load.Bursts.Timing;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import jpi.JApplication;
import jpi.JComm;
import org.jspecify.annotations.Nullable;

/**
 * {@code jpi.JRun OPTIONS MessageTimes BUDGET_MILLISECONDS WARM_UP_MILLISECONDS LARGEST_BYTES MODE...}: half round trips between
 * ranks 0 and 1; for each mode and size rank 0 prints {@code result,MODE,BYTES,MEDIAN_US,P10_US,LINE_NS}, the last
 * NaN where there are more ranks or no messages. Modes:
 *
 * <ul>
 *   <li>hot, varied: out of arrays into arrays, one or more than caches hold
 *   <li>arrays: the receiver gets a new array; between threads of one JVM (there called reference) the sender's own
 *   <li>isolated: the same with a copy of the sender's, and what that copy takes, see {@link CopyTimes}
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
        if (comm.size() == 2) {
            try (Line line = new Line(comm)) {
                play(comm, line, arguments);
            }
        } else if (comm.rank() < 2) { // the others are there to be more than there are CPUs
            play(comm, null, arguments);
        }
        lines.forEach(System.out::println); // not before: who prints keeps others from their CPU
    }

    private void play(JComm comm, @Nullable Line line, String... arguments) {
        budget = TimeUnit.MILLISECONDS.toNanos(Long.parseLong(arguments[0]));
        warmUp = TimeUnit.MILLISECONDS.toNanos(Long.parseLong(arguments[1]));
        int[] sizes = sizes(Integer.parseInt(arguments[2]));
        for (String mode : List.of(arguments).subList(3, arguments.length)) {
            switch (mode) {
                case "hot", "varied" -> play(mode, new BufferRally(comm, line, mode.equals("varied")), sizes);
                case "arrays", "reference" -> play(mode, new ObjectRally(comm, line, ObjectRally::array), sizes);
                case "isolated" -> isolated(comm, line, sizes);
                case "record" -> record(comm, line);
                default -> throw new IllegalArgumentException("no mode " + mode);
            }
        }
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
            rally.lead(sizes, budget, warmUp, (bytes, timing, nanos) -> add(mode, bytes, timing, nanos));
        } else {
            rally.follow();
        }
    }

    /** Arrays that are copied on their way, and what it takes to copy them. */
    private void isolated(JComm comm, @Nullable Line line, int... sizes) {
        play("isolated", new ObjectRally(comm.isolated(), line, ObjectRally::array), sizes);
        if (comm.rank() == 0) {
            new CopyTimes().time(sizes, budget, warmUp, (mode, bytes, timing) -> add(mode, bytes, timing, Double.NaN));
        }
        comm.barrier();
    }

    /** The record, as many bytes, and what Fory alone takes. */
    private void record(JComm comm, @Nullable Line line) {
        RecordTimes own = new RecordTimes();
        int bytes = own.encodedBytes();
        play("record", new ObjectRally(comm, line, (_, seed) -> RecordTimes.sample(seed)), bytes);
        play("record-bytes", new BufferRally(comm, line, false), bytes);
        if (comm.rank() == 0) {
            own.time(budget, warmUp, (mode, timing) -> add(mode, bytes, timing, Double.NaN));
        }
        comm.barrier();
    }

    private void add(String mode, int bytes, Timing timing, double lineNanos) {
        lines.add("result," + mode + "," + bytes + "," + timing.median() + "," + timing.tenth() + "," + lineNanos);
    }
}
