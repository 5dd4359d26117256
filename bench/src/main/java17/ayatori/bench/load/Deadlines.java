package ayatori.bench.load;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.concurrent.locks.LockSupport;

/**
 * The load of the paper's second experiment (section 4.2): four threads of priorities 2, 4, 6 and 8 that are released
 * together each millisecond, make a number of Strings, and sleep until the next release. Arguments: Strings a period,
 * periods to measure, periods to warm up before. A period is missed if its work is not finished when the next one starts; work that has not even
 * begun by then is dropped, so that each period is missed once at most, and an overload does not pile up.
 *
 * <p>With the argument "cost" and periods to warm up instead, one thread alone measures what a String takes of a CPU.
 */
public final class Deadlines {
    private static final int[] PRIORITIES = {2, 4, 6, 8};
    private static final long PERIOD_NANOS = 1_000_000;
    /**
     * As many times as long as it warms up: until all is compiled, with gaps in which compilers that stand below these
     * threads get their turn.
     */
    private static final int COMPILE_TIMES = 2;

    private static final long HEAD_START_NANOS = 50_000_000;

    private static final int COST_STRINGS = 5_000;
    private static final int COST_REPEATS = 2_000;

    /** Strings escape into these and live until so many later ones are made. */
    private static final int KEPT = 64;

    private static final char[] TEXT = "0123456789".toCharArray();

    private static final String[][] kept = new String[PRIORITIES.length][KEPT];

    private Deadlines() {}

    public static void main(String[] arguments) throws InterruptedException {
        if (arguments[0].equals("cost")) {
            compile(COST_STRINGS, Integer.parseInt(arguments[1]));
            Result.print("cost", cost());
            return;
        }
        int strings = Integer.parseInt(arguments[0]);
        int periods = Integer.parseInt(arguments[1]);
        int warmUpPeriods = Integer.parseInt(arguments[2]);
        compile(strings, warmUpPeriods);
        System.gc();
        long collections = collections(); // loads what it needs before it counts
        Periodic[] threads = new Periodic[PRIORITIES.length];
        long start = System.nanoTime() + HEAD_START_NANOS;
        long measured = start + warmUpPeriods * PERIOD_NANOS;
        for (int i = 0; i < threads.length; i++) {
            threads[i] = new Periodic(i, strings, start, warmUpPeriods, periods);
            threads[i].setPriority(PRIORITIES[i]);
        }
        for (Periodic thread : threads) {
            thread.start();
        }
        sleepUntil(measured);
        collections = collections();
        sleepUntil(measured + periods * PERIOD_NANOS);
        Result.print("collections", collections() - collections);
        Result.print("measured", measured, measured + periods * PERIOD_NANOS);
        for (Periodic thread : threads) {
            thread.join();
            thread.tell();
        }
        ProcessHandle.current()
                .info()
                .totalCpuDuration()
                .ifPresent(duration -> Result.print("cpu", duration.toNanos()));
    }

    private static void compile(int strings, int warmUpPeriods) {
        long end = System.nanoTime() + COMPILE_TIMES * warmUpPeriods * PERIOD_NANOS;
        while (System.nanoTime() < end) {
            make(kept[0], strings);
            LockSupport.parkNanos(PERIOD_NANOS);
        }
    }

    private static double cost() {
        ThreadMXBean threads = ManagementFactory.getThreadMXBean();
        long[] nanos = new long[COST_REPEATS];
        for (int i = 0; i < COST_REPEATS; i++) {
            long before = threads.getCurrentThreadCpuTime();
            make(kept[0], COST_STRINGS);
            nanos[i] = threads.getCurrentThreadCpuTime() - before;
        }
        Arrays.sort(nanos);
        return (double) nanos[COST_REPEATS / 2] / COST_STRINGS;
    }

    private static long collections() {
        return ManagementFactory.getGarbageCollectorMXBeans().stream()
                .mapToLong(GarbageCollectorMXBean::getCollectionCount)
                .sum();
    }

    private static void make(String[] into, int strings) {
        for (int i = 0; i < strings; i++) {
            into[i & (KEPT - 1)] = new String(TEXT);
        }
    }

    private static void sleepUntil(long instant) {
        long now = System.nanoTime();
        while (now < instant) {
            LockSupport.parkNanos(instant - now);
            now = System.nanoTime();
        }
    }

    /** What the kernel has for the calling thread. */
    private static String level() {
        try {
            // proc(5): after "pid (comm) ", state is field 3; nice 19, rt_priority 40, policy 41.
            String stat = Files.readString(Path.of("/proc/thread-self/stat"));
            String[] fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ", -1);
            return fields[38].equals("2") ? "RR " + fields[37] : "nice " + fields[16];
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static final class Periodic extends Thread {
        private final int index;
        private final int strings;
        private final long start;
        private final int warmUpPeriods;
        private final int periods;
        /** Of each overrun its period and its end. */
        private final long[] overruns;

        private int size;
        private String level = "";

        Periodic(int index, int strings, long start, int warmUpPeriods, int measuredPeriods) {
            super("T" + (index + 1));
            this.index = index;
            this.strings = strings;
            this.start = start;
            this.warmUpPeriods = warmUpPeriods;
            this.periods = warmUpPeriods + measuredPeriods;
            this.overruns = new long[2 * periods];
        }

        @Override
        public void run() {
            level = level();
            int period = 0;
            while (period < periods) {
                long release = start + period * PERIOD_NANOS;
                sleepUntil(release);
                make(kept[index], strings);
                long end = System.nanoTime();
                if (end > release + PERIOD_NANOS) {
                    overruns[size++] = period;
                    overruns[size++] = end;
                }
                // An overrun ends within a later period: that one's work begins late.
                period = (int) Math.max(period + 1, (end - start) / PERIOD_NANOS);
            }
        }

        /**
         * The periods that were missed are those from an overrun's own to the last one before that in which it ended; the
         * one that went on when the measurement began counts from there.
         */
        void tell() {
            Result.print("level", PRIORITIES[index], level);
            for (int i = 0; i < size; i += 2) {
                long from = Math.max(overruns[i], warmUpPeriods);
                long to = Math.min(periods, (overruns[i + 1] - start) / PERIOD_NANOS);
                if (from < to) {
                    Result.print("overrun", PRIORITIES[index], start + from * PERIOD_NANOS, overruns[i + 1], to - from);
                }
            }
        }
    }
}
