package ayatori.bench.load;

import java.util.concurrent.locks.LockSupport;

/** Threads of Java's default priority that compute. Arguments: threads, seconds until they end by themselves. Prints "ready". */
public final class Hogs {
    private static final long SECOND_NANOS = 1_000_000_000;
    private static final int LOOK_EVERY = 1 << 16;

    private static volatile long sink;

    private Hogs() {}

    public static void main(String[] arguments) {
        int threads = Integer.parseInt(arguments[0]);
        start(threads, System.nanoTime() + Long.parseLong(arguments[1]) * SECOND_NANOS, SECOND_NANOS);
        Result.print("ready", threads);
    }

    /** @param busyNanos how much of each second they compute */
    static void start(int threads, long end, long busyNanos) {
        for (int i = 0; i < threads; i++) {
            new Thread(() -> compute(end, busyNanos), "hog-" + i).start();
        }
    }

    private static void compute(long end, long busyNanos) {
        long count = 0;
        long now = System.nanoTime();
        while (now < end) {
            long inSecond = Math.floorMod(now, SECOND_NANOS);
            if (inSecond >= busyNanos) {
                LockSupport.parkNanos(SECOND_NANOS - inSecond);
            }
            for (int i = 0; i < LOOK_EVERY; i++) {
                count = count * 31 + i;
            }
            sink = count;
            now = System.nanoTime();
        }
    }
}
