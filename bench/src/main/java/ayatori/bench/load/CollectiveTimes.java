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
 * size, out of the same buffers again and again and out of more than caches hold, rank 0 prints
 * {@code result,hot|varied,OPERATION,BYTES,MEDIAN_US,P10_US,CHECKSUM,LINE_NS}: what it takes on each rank, without the
 * barrier after it, and of that the mean over the ranks; the last is NaN if more ranks than two have more CPUs than two. Does what
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
    /** Of all ranks together, given and got each. */
    private static final int AREA_BYTES = 128 << 20;

    private static final int MOST_PLACES = 4096;
    /** A cache line. */
    private static final int ALIGNMENT = 64 / Double.BYTES;
    /** In HotSpot what an array holds begins 16 bytes after the array, and that of a large one with a page: as C has it. */
    private static final int FIRST = (4096 - 16) / Double.BYTES;

    private final JComm world = JPI.COMM_WORLD;
    private final int me = world.rank();
    private final int ranks = world.size();
    private final List<String> lines = new ArrayList<>();
    private final double[] give = new double[FIRST + AREA_BYTES / ranks / Double.BYTES];
    private final double[] get = new double[give.length];
    private final Map<String, Runnable> operations = operations();
    /** Other buffers each time. */
    private boolean varied;

    // Of the size that is measured.
    private final int[] parts = new int[ranks];
    private int count;
    /** Elements from the buffers of one time to those of the next. */
    private int step;

    private int places;
    private int place;

    // Of this time.
    private JBuffer mine = JBuffer.of(give);
    private JBuffer giveAll = mine;
    private JBuffer givePart = mine;
    private JBuffer result = mine;
    private JBuffer getAll = mine;
    private JBuffer getPart = mine;

    private final double[] inside = new double[1];
    private final double[] insideAll = new double[1];
    private final long[] took = new long[1];
    /** Null: there is no one distance. */
    private @Nullable Line line;

    @Override
    public void Jmain(String[] arguments) {
        long budget = TimeUnit.MILLISECONDS.toNanos(Long.parseLong(arguments[0]));
        long warmUp = TimeUnit.MILLISECONDS.toNanos(Long.parseLong(arguments[1]));
        int largest = Integer.parseInt(arguments[2]);
        for (int i = FIRST; i < give.length; i++) {
            give[i] = ((i - FIRST) % PERIOD + 1) * (me + 1);
        }
        try (Line opened = Line.of(world)) {
            line = opened;
            warmUpAndMeasure(largest, budget, warmUp);
        }
        if (me == 0) {
            lines.forEach(System.out::println);
        }
    }

    private void warmUpAndMeasure(int largest, long budget, long warmUp) {
        long begin = System.nanoTime();
        do {
            measureHotAndVaried(largest, budget / LEAST_BURSTS);
            lines.clear();
            took[0] = System.nanoTime() - begin;
            world.bcast(JBuffer.of(took), 0);
        } while (took[0] < warmUp);
        measureHotAndVaried(largest, budget);
    }

    private void measureHotAndVaried(int largest, long budget) {
        varied = false;
        measureAll(largest, budget);
        varied = true;
        measureAll(largest, budget);
    }

    private void measureAll(int largest, long budget) {
        operations.forEach((name, operation) -> {
            boolean isBarrier = name.equals(BARRIER);
            for (int bytes : SIZES) {
                // A barrier has neither buffers nor a size.
                if (bytes <= largest && !(isBarrier && (varied || bytes != SIZES[0]))) {
                    size(bytes);
                    measure(name, operation, bytes, budget);
                }
            }
        });
    }

    private void size(int bytes) {
        count = bytes / Double.BYTES;
        Arrays.fill(parts, Math.max(count / ranks, 1));
        step = (ranks * count + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
        places = Math.min((give.length - FIRST) / step, MOST_PLACES);
        place = 0;
        take();
    }

    private void take() {
        int first = first();
        mine = JBuffer.of(give, first, count);
        giveAll = JBuffer.of(give, first, ranks * count);
        givePart = JBuffer.of(give, first, ranks * parts[0]);
        result = JBuffer.of(get, first, count);
        getAll = JBuffer.of(get, first, ranks * count);
        getPart = JBuffer.of(get, first, parts[0]);
    }

    private int first() {
        return FIRST + place * step;
    }

    /** The buffers of the next time. */
    private void advance() {
        if (varied) {
            place = place + 1 == places ? 0 : place + 1;
            take();
        }
    }

    private Map<String, Runnable> operations() {
        JOperation<Object> sum = JOperation.SUM;
        Map<String, Runnable> all = new LinkedHashMap<>();
        all.put(BARRIER, world::barrier);
        all.put("bcast", () -> world.bcast(result, 0));
        all.put("gather", () -> world.gather(mine, getAll, 0));
        all.put("scatter", () -> world.scatter(giveAll, result, 0));
        all.put("allgather", () -> world.allgather(mine, getAll));
        all.put("alltoall", () -> world.alltoall(giveAll, getAll));
        all.put("reduce", () -> world.reduce(mine, result, sum, 0));
        all.put("allreduce", () -> world.allreduce(mine, result, sum));
        all.put("reduceScatter", () -> world.reduceScatter(givePart, getPart, parts, sum));
        all.put("scan", () -> world.scan(mine, result, sum));
        all.put("exscan", () -> world.exscan(mine, result, sum));
        return all;
    }

    private void measure(String name, Runnable operation, int bytes, long budget) {
        long sum = checksum(operation);
        Line.Beside<Timing> beside = Line.beside(() -> Line.shared(line), () -> time(operation, budget));
        Timing timing = beside.measured();
        lines.add("result," + (varied ? "varied," : "hot,") + name + "," + bytes + "," + timing.median() + ","
                + timing.tenth() + "," + Long.toHexString(sum) + "," + beside.nanos());
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
        int first = first();
        Arrays.fill(get, first, first + ranks * count, 0);
        if (me == 0) {
            System.arraycopy(give, first, get, first, count); // what is broadcast
        }
        operation.run();
        long sum = 0;
        for (int i = 0; i < ranks * count; i++) {
            sum += ((long) get[first + i]) * (i + 1) * (me + 1);
        }
        return world.allreduce(sum, JOperation.SUM);
    }

    /** Nanoseconds that it takes in all, by rank 0; what the operation takes on all ranks is in {@link #insideAll}. All ranks get both. */
    private long burst(Runnable operation, int times) {
        long own = 0;
        world.barrier();
        long begin = System.nanoTime();
        for (int i = 0; i < times; i++) {
            advance();
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
