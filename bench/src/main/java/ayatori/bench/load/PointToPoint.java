package ayatori.bench.load;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import jpi.JApplication;
import jpi.JBuffer;
import jpi.JComm;
import jpi.JRequest;
import org.jspecify.annotations.Nullable;

/**
 * {@code jpi.JRun OPTIONS PointToPoint BUDGET_MILLISECONDS WARM_UP_MILLISECONDS LARGEST_BYTES MODE...}: what the point-to-point
 * programs of the OSU micro-benchmarks measure. The first half of the ranks send to the second half, a pair each; for each mode and
 * size rank 0 prints {@code result,MODE,BYTES,VALUE,LINE_NS}; the last is NaN if more ranks than two have more CPUs than two. Does what
 * {@code bench/src/main/c/point_to_point.c} does, step by step. Modes:
 *
 * <ul>
 *   <li>latency: microseconds of a message in one direction, of pairs that all play at once
 *   <li>bandwidth: MB/s of all pairs; 64 messages at once, then a reply
 *   <li>bidirectional: the same both ways
 *   <li>rate: messages/s of all pairs
 * </ul>
 */
public final class PointToPoint extends JApplication {
    private static final int[] SIZES = {1, 8, 64, 512, 4 << 10, 32 << 10, 256 << 10, 1 << 20};
    private static final int WINDOW = 64;

    private static final long BURST_NANOS = 500_000;
    private static final int LEAST_BURSTS = 5;
    private static final int MOST_BURSTS = 2000;

    // Tags.
    private static final int MESSAGES = 1;
    private static final int REPLIES = 2;
    private static final int BACK = 3;

    private final JComm world = JPI.COMM_WORLD;
    private final int ranks = world.size();
    private final boolean sender = world.rank() < ranks / 2;
    private final int other = (world.rank() + ranks / 2) % ranks;
    private final List<JRequest<?>> requests = new ArrayList<>();
    private final JBuffer reply = JBuffer.of(new byte[1]);
    private final long[] took = new long[1];
    private final JBuffer tookBuffer = JBuffer.of(took);
    /** Null: there is no one distance. */
    private @Nullable Line line;

    // Of the size that is measured.
    private JBuffer out = reply;
    private JBuffer in = reply;

    @Override
    public void Jmain(String[] arguments) {
        long budget = TimeUnit.MILLISECONDS.toNanos(Long.parseLong(arguments[0]));
        long warmUp = TimeUnit.MILLISECONDS.toNanos(Long.parseLong(arguments[1]));
        int largest = Integer.parseInt(arguments[2]);
        List<String> modes = List.of(arguments).subList(3, arguments.length);
        try (Line opened = Line.of(world)) {
            line = opened;
            warmUpAndMeasure(modes, largest, budget, warmUp);
        }
    }

    private void warmUpAndMeasure(List<String> modes, int largest, long budget, long warmUp) {
        List<String> lines = new ArrayList<>();
        long begin = System.nanoTime();
        do {
            modes.forEach(mode -> measure(mode, largest, budget / LEAST_BURSTS, lines));
            lines.clear();
            took[0] = System.nanoTime() - begin;
            world.bcast(tookBuffer, 0);
        } while (took[0] < warmUp);
        modes.forEach(mode -> measure(mode, largest, budget, lines));
        if (world.rank() == 0) {
            lines.forEach(System.out::println);
        }
    }

    private void measure(String mode, int largest, long budget, List<String> lines) {
        for (int bytes : SIZES) {
            if (bytes > largest) {
                return;
            }
            out = JBuffer.of(new byte[bytes]);
            in = JBuffer.of(new byte[bytes]);
            Line.Beside<Double> beside = Line.beside(() -> Line.shared(line), () -> value(mode, bytes, budget));
            lines.add("result," + mode + "," + bytes + "," + beside.measured() + "," + beside.nanos());
        }
    }

    private double value(String mode, int bytes, long budget) {
        double pairs = ranks / 2.0;
        return switch (mode) {
            case "latency" -> median(this::playLatency, budget) / 1e3 / 2;
            case "bandwidth" -> WINDOW * pairs * bytes / median(this::playBandwidth, budget) * 1e3;
            case "bidirectional" -> 2 * WINDOW * pairs * bytes / median(this::playBothWays, budget) * 1e3;
            case "rate" -> WINDOW * pairs / median(this::playBandwidth, budget) * 1e9;
            default -> throw new IllegalArgumentException("no mode " + mode);
        };
    }

    private void playLatency() {
        if (sender) {
            world.send(out, other, MESSAGES);
            var _ = world.recv(in, other, MESSAGES);
        } else {
            var _ = world.recv(in, other, MESSAGES);
            world.send(out, other, MESSAGES);
        }
    }

    /** After a window of messages the receiver says that it has all of them. */
    private void reply() {
        JRequest.awaitAll(requests);
        requests.clear();
        if (sender) {
            var _ = world.recv(reply, other, REPLIES);
        } else {
            world.send(reply, other, REPLIES);
        }
    }

    private void playBandwidth() {
        for (int i = 0; i < WINDOW; i++) {
            requests.add(sender ? world.isend(out, other, MESSAGES) : world.irecv(in, other, MESSAGES));
        }
        reply();
    }

    private void playBothWays() {
        for (int i = 0; i < WINDOW; i++) {
            requests.add(world.irecv(in, other, sender ? BACK : MESSAGES));
        }
        for (int i = 0; i < WINDOW; i++) {
            requests.add(world.isend(out, other, sender ? MESSAGES : BACK));
        }
        reply();
    }

    /** Of one play, nanoseconds. */
    private double median(Runnable play, long budget) {
        long enough = Math.min(BURST_NANOS, budget / 4);
        int times = 1;
        while (burst(play, times) < enough) {
            times *= 2;
        }
        double[] nanos = new double[Math.clamp(budget / took[0], LEAST_BURSTS, MOST_BURSTS)];
        for (int i = 0; i < nanos.length; i++) {
            nanos[i] = (double) burst(play, times) / times;
        }
        Arrays.sort(nanos);
        return Bursts.quantile(0.5, nanos, nanos.length);
    }

    /** What so many plays take, by rank 0, when all pairs have done them. All ranks get it. */
    private long burst(Runnable play, int times) {
        world.barrier();
        long begin = System.nanoTime();
        for (int i = 0; i < times; i++) {
            play.run();
        }
        if (ranks > 2) {
            world.barrier();
        }
        took[0] = System.nanoTime() - begin;
        world.bcast(tookBuffer, 0);
        return took[0];
    }
}
