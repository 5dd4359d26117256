package ayatori.bench.load;

import java.util.Arrays;
import java.util.List;
import jpi.JApplication;
import jpi.JBuffer;
import jpi.JComm;
import jpi.JRequest;
import jpi.JStatus;
import org.jspecify.annotations.Nullable;

/**
 * {@code jpi.JRun OPTIONS UrgentTimes TRANSFERS WARM_UP_TRANSFERS}: rank 0 sends rank 1 urgent messages of 8 bytes, while nothing else
 * is under way, and while an unimportant one of 64 MB is. Rank 1 prints {@code result,idle|urgent,MEDIAN_US,P99_US,COUNT}, from where
 * they are sent to where they have come, by the clock that all processes share; {@code result,piece,MICROS}, a piece's share of
 * the large one's time; and {@code result,line,NANOSECONDS}, see {@link Line}.
 */
public final class UrgentTimes extends JApplication {
    private static final int LARGE_BYTES = 64 << 20;
    private static final int PIECE_BYTES = 32 << 10;
    private static final int IDLE_MESSAGES = 50;
    private static final long PAUSE_NANOS = 50_000;

    // Tags.
    private static final int LARGE = 1;
    private static final int URGENT = 2;
    /** Instead of a time. */
    private static final long END = 0;

    private final JComm world = JPI.COMM_WORLD;
    private final JComm urgent = world.priority(Thread.MAX_PRIORITY);
    private final JBuffer large = JBuffer.of(new byte[LARGE_BYTES]);
    private final long[] time = new long[1];
    private final JBuffer timeBuffer = JBuffer.of(time);

    /** Microseconds. */
    private static final class Times {
        private double[] micros = new double[1024];
        private int count;

        void add(double one) {
            if (count == micros.length) {
                micros = Arrays.copyOf(micros, 2 * count);
            }
            micros[count++] = one;
        }

        double quantile(double q) {
            Arrays.sort(micros, 0, count);
            return count == 0 ? Double.NaN : Bursts.quantile(q, micros, count);
        }

        void clear() {
            count = 0;
        }
    }

    private final double[] lineNanos = new double[1];
    private final Times idle = new Times();
    private final Times overtaking = new Times();
    private final Times transfers = new Times();

    @Override
    public void Jmain(String[] arguments) {
        int count = Integer.parseInt(arguments[0]);
        int warmUp = Integer.parseInt(arguments[1]);
        Line.Beside<List<String>> result = Line.beside(this::nanos, () -> transfer(count, warmUp));
        if (world.rank() == 1) {
            result.measured().forEach(System.out::println);
            System.out.println("result,line," + result.nanos());
        }
    }

    /** The same on both ranks. */
    private double nanos() {
        try (Line line = new Line(world)) {
            lineNanos[0] = line.nanos();
        }
        world.bcast(JBuffer.of(lineNanos), 0);
        return lineNanos[0];
    }

    /** So many large messages; what rank 1 has to say of them. After a warm-up in the same loop: compilers would take the CPUs. */
    private List<String> transfer(int count, int warmUp) {
        for (int i = -warmUp; i < count; i++) {
            if (i == 0) {
                idle.clear();
                overtaking.clear();
                transfers.clear();
            }
            if (world.rank() == 0) {
                send();
            } else {
                receive();
            }
        }
        return List.of(
                line("idle", idle),
                line("urgent", overtaking),
                "result,piece," + transfers.quantile(0.5) * PIECE_BYTES / LARGE_BYTES);
    }

    private static String line(String what, Times times) {
        return "result," + what + "," + times.quantile(0.5) + "," + times.quantile(0.99) + "," + times.count;
    }

    private void send() {
        for (int i = 0; i < IDLE_MESSAGES; i++) {
            pause(null);
            send(System.nanoTime());
        }
        send(END);
        world.barrier();
        JRequest<@Nullable Void> request = world.priority(Thread.MIN_PRIORITY).isend(large, 1, LARGE);
        pause(request);
        while (!request.test()) {
            send(System.nanoTime());
            pause(request);
        }
        send(END);
    }

    private void send(long now) {
        time[0] = now;
        urgent.send(timeBuffer, 1, URGENT);
    }

    /** What is under way goes on meanwhile. */
    private static void pause(@Nullable JRequest<?> underWay) {
        long end = System.nanoTime() + PAUSE_NANOS;
        while (System.nanoTime() < end) {
            if (underWay == null) {
                Thread.onSpinWait();
            } else {
                var _ = underWay.test();
            }
        }
    }

    private void receive() {
        receiveUrgent(idle, null);
        JRequest<JStatus> request = world.irecv(large, 0, LARGE);
        world.barrier();
        long begin = System.nanoTime();
        receiveUrgent(overtaking, request);
        var _ = request.await();
        transfers.add((System.nanoTime() - begin) / 1e3);
    }

    /** @param underWay only those that come while this is count */
    private void receiveUrgent(Times times, @Nullable JRequest<?> underWay) {
        while (true) {
            boolean before = underWay != null && underWay.test();
            var _ = world.recv(timeBuffer, 0, URGENT);
            long took = System.nanoTime() - time[0];
            if (time[0] == END) {
                return;
            }
            if (!before) {
                times.add(took / 1e3);
            }
        }
    }
}
