package ayatori.bench.load;

import ayatori.bench.load.Bursts.Timing;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import jpi.JApplication;
import jpi.JBuffer;
import jpi.JComm;
import jpi.JOperation;
import org.jspecify.annotations.Nullable;

/**
 * {@code jpi.JRun OPTIONS CollectiveTimes BUDGET_MILLISECONDS WARM_UP_MILLISECONDS LARGEST_BYTES}: for each collective operation and
 * size rank 0 prints {@code result,OPERATION,BYTES,MEDIAN_US,P10_US,CHECKSUM,LINE_NS}: what it takes on each rank, without the
 * barrier after it, and of that the mean over the ranks; the last is NaN unless there are two ranks. Does what
 * {@code bench/src/main/c/collectives.c} does, step by step, and gets the same.
 */
public final class CollectiveTimes extends JApplication {
    private static final int[] SIZES = {8, 256, 4 << 10, 32 << 10, 256 << 10, 1 << 20};
    private static final String BARRIER = "barrier";

    private static final long BURST_NANOS = 500_000;
    private static final int LEAST_BURSTS = 5;
    private static final int MOST_BURSTS = 2000;
    /** Of what the ranks give. */
    private static final int PERIOD = 1000;

    private final JComm world = JPI.COMM_WORLD;
    private final int me = world.rank();
    private final int ranks = world.size();
    private final List<String> lines = new ArrayList<>();
    private double[] give = {};
    private double[] get = {};

    // Of the size that is measured.
    private Map<String, Runnable> operations = Map.of();
    private int count;

    private final double[] inside = new double[1];
    private final double[] insideAll = new double[1];
    private final long[] took = new long[1];
    private final double[] lineNanos = new double[1];
    /** Null: there are more ranks than two. */
    private @Nullable Line line;

    @Override
    public void Jmain(String[] arguments) {
        long budget = TimeUnit.MILLISECONDS.toNanos(Long.parseLong(arguments[0]));
        long warmUp = TimeUnit.MILLISECONDS.toNanos(Long.parseLong(arguments[1]));
        int largest = Integer.parseInt(arguments[2]);
        give = new double[ranks * largest / Double.BYTES];
        get = new double[give.length];
        Arrays.setAll(give, i -> (i % PERIOD + 1) * (me + 1));
        if (ranks == 2) {
            try (Line opened = new Line(world)) {
                line = opened;
                warmUpAndMeasure(largest, budget, warmUp);
            }
        } else {
            warmUpAndMeasure(largest, budget, warmUp);
        }
        if (me == 0) {
            lines.forEach(System.out::println);
        }
    }

    private void warmUpAndMeasure(int largest, long budget, long warmUp) {
        long begin = System.nanoTime();
        do {
            measureAll(largest, budget / LEAST_BURSTS);
            lines.clear();
            took[0] = System.nanoTime() - begin;
            world.bcast(JBuffer.of(took), 0);
        } while (took[0] < warmUp);
        measureAll(largest, budget);
    }

    private void measureAll(int largest, long budget) {
        size(SIZES[0]);
        for (String name : List.copyOf(operations.keySet())) {
            for (int bytes : SIZES) {
                if (bytes <= largest && (bytes == SIZES[0] || !name.equals(BARRIER))) {
                    size(bytes);
                    measure(name, operations.getOrDefault(name, () -> {}), bytes, budget);
                }
            }
        }
    }

    private void size(int bytes) {
        count = bytes / Double.BYTES;
        int part = Math.max(count / ranks, 1);
        int[] parts = new int[ranks];
        Arrays.fill(parts, part);
        JBuffer mine = JBuffer.of(give, 0, count);
        JBuffer giveAll = JBuffer.of(give, 0, ranks * count);
        JBuffer result = JBuffer.of(get, 0, count);
        JBuffer getAll = JBuffer.of(get, 0, ranks * count);
        JBuffer givePart = JBuffer.of(give, 0, ranks * part);
        JBuffer getPart = JBuffer.of(get, 0, part);
        JOperation<Object> sum = JOperation.SUM;
        operations = new LinkedHashMap<>();
        operations.put(BARRIER, world::barrier);
        operations.put("bcast", () -> world.bcast(result, 0));
        operations.put("gather", () -> world.gather(mine, getAll, 0));
        operations.put("scatter", () -> world.scatter(giveAll, result, 0));
        operations.put("allgather", () -> world.allgather(mine, getAll));
        operations.put("alltoall", () -> world.alltoall(giveAll, getAll));
        operations.put("reduce", () -> world.reduce(mine, result, sum, 0));
        operations.put("allreduce", () -> world.allreduce(mine, result, sum));
        operations.put("reduceScatter", () -> world.reduceScatter(givePart, getPart, parts, sum));
        operations.put("scan", () -> world.scan(mine, result, sum));
        operations.put("exscan", () -> world.exscan(mine, result, sum));
    }

    private void measure(String name, Runnable operation, int bytes, long budget) {
        long sum = checksum(operation);
        Line.Beside<Timing> result = Line.beside(this::line, () -> time(operation, budget));
        Timing timing = result.measured();
        lines.add("result," + name + "," + bytes + "," + timing.median() + "," + timing.tenth() + ","
                + Long.toHexString(sum) + "," + result.nanos());
    }

    /** What a {@link Line} takes, the same on all ranks; NaN: that is not measured. */
    private double line() {
        lineNanos[0] = line == null ? Double.NaN : line.nanos();
        world.bcast(JBuffer.of(lineNanos), 0);
        return lineNanos[0];
    }

    private Timing time(Runnable operation, long budget) {
        long enough = Math.min(BURST_NANOS, budget / 4);
        int times = 1;
        while (burst(operation, times) < enough) {
            times *= 2;
        }
        double[] micros = new double[Math.clamp(budget / took[0], LEAST_BURSTS, MOST_BURSTS)];
        for (int i = 0; i < micros.length; i++) {
            var _ = burst(operation, times);
            micros[i] = insideAll[0] / 1e3 / times / ranks;
        }
        Arrays.sort(micros);
        return new Timing(Bursts.quantile(0.5, micros, micros.length), Bursts.quantile(0.1, micros, micros.length));
    }

    /** Depends on each element, its place and its rank. */
    private long checksum(Runnable operation) {
        Arrays.fill(get, 0, ranks * count, 0);
        if (me == 0) {
            System.arraycopy(give, 0, get, 0, count); // what is broadcast
        }
        operation.run();
        long sum = 0;
        for (int i = 0; i < ranks * count; i++) {
            sum += ((long) get[i]) * (i + 1) * (me + 1);
        }
        return world.allreduce(sum, JOperation.SUM);
    }

    /** Nanoseconds that it takes in all, by rank 0; what the operation takes on all ranks is in {@link #insideAll}. All ranks get both. */
    private long burst(Runnable operation, int times) {
        long own = 0;
        world.barrier();
        long begin = System.nanoTime();
        for (int i = 0; i < times; i++) {
            long start = System.nanoTime();
            operation.run();
            own += System.nanoTime() - start;
            world.barrier();
        }
        took[0] = System.nanoTime() - begin;
        inside[0] = own;
        world.allreduce(JBuffer.of(inside), JBuffer.of(insideAll), JOperation.SUM);
        world.bcast(JBuffer.of(took), 0);
        return took[0];
    }
}
