package ayatori.bench;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One JVM of the deadline experiment, and what came of it.
 *
 * @param way how the threads got their priorities
 * @param hog whether another program computed on the same CPU
 * @param objects the paper's objects a period
 * @param threads from the lowest priority
 * @param collections while the periods were measured
 * @param stolen share of the CPU that the hypervisor took, by /proc/stat
 * @param throttled the same of gaps as long as the kernel's real-time throttling makes them
 * @param others the same of other programs, less the hog
 */
record DeadlineRun(
        Way way,
        boolean hog,
        int objects,
        int round,
        int periods,
        List<Missed> threads,
        long collections,
        double stolen,
        double throttled,
        double others) {
    static final List<Integer> PRIORITIES = List.of(2, 4, 6, 8);

    private static final long PERIOD_NANOS = 1_000_000;
    private static final long LIMIT_SECONDS = 60;
    /** The throttling's gaps are 50 ms at most; where it is felt at all they are longer than this. */
    private static final long THROTTLING_NANOS = 15_000_000;

    /**
     * How the four threads get their priorities.
     *
     * @param key in files
     * @param agent options of the agent; null for stock
     */
    record Way(
            String key,
            String title,
            List<String> jvm,
            @Nullable String agent) {
        static final Way STOCK = new Way("stock-0", "stock, policy 0", List.of("-XX:ThreadPriorityPolicy=0"), null);
        static final Way NICE =
                new Way("stock-1", "stock, policy 1 (figure 3)", List.of("-XX:ThreadPriorityPolicy=1"), null);
        static final Way NAIVE = new Way(
                "naive",
                "static without placement (figure 4)",
                List.of(),
                "policy=static,placement=off,runaway-limit=0");
        static final Way STATIC = new Way("static", "ayatori static", List.of(), "policy=static,runaway-limit=0");
        static final List<Way> ALL = List.of(STOCK, NICE, NAIVE, STATIC);
    }

    /**
     * What one thread missed.
     *
     * @param level what the kernel had for it
     * @param own periods missed though its CPU could be had
     * @param lost periods missed that it would not have missed without the time for which the CPU was taken from all
     */
    record Missed(int priority, String level, long own, long lost) {}

    /** The share of its periods that the thread of this priority missed by the JVM's own doing. */
    double missed(int priority) {
        return (double) of(priority).own() / periods;
    }

    Missed of(int priority) {
        return threads.get(PRIORITIES.indexOf(priority));
    }

    /** Runs it on one CPU, under a witness. */
    static DeadlineRun of(Jdk jdk, Way way, boolean hog, int objects, int factor, int round, int periods, int warmUp)
            throws IOException, InterruptedException {
        int cpu = Bench.oneCpu();
        List<String> jvm = new ArrayList<>(List.of(DeadlineMisses.HEAP));
        jvm.addAll(way.jvm());
        Load load = Load.of(jdk, "Deadlines", objects * factor, periods, warmUp)
                .withJvm(jvm.toArray(String[]::new))
                .onCpu(cpu)
                .withAgent(way.agent());
        try (@Nullable
                        HogProcess computing =
                                hog ? HogProcess.start(jdk, 1, "taskset", "-c", Integer.toString(cpu)) : null;
                Witness witness = Witness.start(cpu, LIMIT_SECONDS)) {
            long begun = System.nanoTime();
            CpuTicks before = CpuTicks.read(cpu);
            long hogBefore = computing == null ? 0 : computing.cpuNanos();
            Load.Outcome outcome = load.run(LIMIT_SECONDS);
            CpuTicks taken = CpuTicks.read(cpu).since(before);
            long hogNanos = (computing == null ? 0 : computing.cpuNanos()) - hogBefore;
            long elapsed = System.nanoTime() - begun;
            witness.stop();
            if (!outcome.good()) {
                throw new IOException(way.key() + " did not end well: " + outcome.messages());
            }
            double ours = outcome.value("cpu", 1) + hogNanos + witness.cpuNanos();
            long from = (long) outcome.value("measured", 1);
            long to = (long) outcome.value("measured", 2);
            return new DeadlineRun(
                    way,
                    hog,
                    objects,
                    round,
                    periods,
                    missed(outcome, witness),
                    (long) outcome.value("collections", 1),
                    (double) taken.stolen() / elapsed,
                    (double) witness.taken(from, to, THROTTLING_NANOS) / (to - from),
                    Math.max(0, taken.busy() - ours) / elapsed);
        }
    }

    /**
     * A period is lost to the host, and not missed by the JVM's own doing, as far as the overrun that it belongs to would
     * not have reached it without the time for which nobody of the JVM could run.
     */
    private static List<Missed> missed(Load.Outcome outcome, Witness witness) {
        List<Missed> all = new ArrayList<>();
        for (int priority : PRIORITIES) {
            String thread = Integer.toString(priority);
            long own = 0;
            long lost = 0;
            String level = "";
            for (List<String> fields : outcome.results()) {
                if (fields.get(0).equals("level") && fields.get(1).equals(thread)) {
                    level = fields.get(2);
                } else if (fields.get(0).equals("overrun") && fields.get(1).equals(thread)) {
                    long release = Long.parseLong(fields.get(2));
                    long end = Long.parseLong(fields.get(3));
                    long missed = Long.parseLong(fields.get(4));
                    long worked = end - release - witness.taken(release, end, 0);
                    long byItself = Math.min(missed, worked / PERIOD_NANOS);
                    own += byItself;
                    lost += missed - byItself;
                }
            }
            all.add(new Missed(priority, level, own, lost));
        }
        return all;
    }
}
