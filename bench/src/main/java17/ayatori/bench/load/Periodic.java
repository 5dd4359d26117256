package ayatori.bench.load;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.locks.LockSupport;

/**
 * How late a thread of priority 9 is that wakes every millisecond, beside threads of priorities 5 and 7 that allocate, one
 * of each a CPU; and what these get done. Argument: seconds.
 *
 * <p>All allocate in the first 0.8 of every second only: real-time threads that have a CPU for longer meet the kernel's
 * throttling, which would be all that the 99th percentile shows.
 */
public final class Periodic {
    private static final long PERIOD_NANOS = 1_000_000;
    private static final long SECOND_NANOS = 1_000_000_000;
    private static final long BUSY_NANOS = 800_000_000;
    private static final int STRIDE = 16;
    private static final int KEPT = 4_000;

    private static volatile boolean stop;

    private Periodic() {}

    public static void main(String[] arguments) throws InterruptedException {
        int seconds = Integer.parseInt(arguments[0]);
        int cpus = Runtime.getRuntime().availableProcessors();
        AtomicLongArray done = new AtomicLongArray(2 * cpus * STRIDE);
        List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < 2 * cpus; i++) {
            int slot = i * STRIDE;
            Thread thread = new Thread(() -> allocate(done, slot), "allocator-" + i);
            thread.setPriority(i < cpus ? 5 : 7);
            threads.add(thread);
        }
        long[] late = new long[seconds * 1000];
        Thread periodic = new Thread(() -> wake(late), "periodic");
        periodic.setPriority(9);
        Thread.currentThread().setPriority(Thread.MAX_PRIORITY);
        threads.forEach(Thread::start);
        Thread.sleep(1000);
        long before5 = sum(done, 0, cpus);
        long before7 = sum(done, cpus, 2 * cpus);
        periodic.start();
        periodic.join();
        long done5 = sum(done, 0, cpus) - before5;
        long done7 = sum(done, cpus, 2 * cpus) - before7;
        stop = true;
        Arrays.sort(late);
        Result.print("late", late[late.length / 2], late[late.length * 99 / 100], late[late.length - 1]);
        Result.print("done", (double) done5 / seconds, (double) done7 / seconds);
        for (Thread thread : threads) {
            thread.join();
        }
    }

    private static long sum(AtomicLongArray done, int from, int to) {
        long sum = 0;
        for (int i = from; i < to; i++) {
            sum += done.get(i * STRIDE);
        }
        return sum;
    }

    private static void wake(long[] late) {
        long start = System.nanoTime();
        for (int i = 0; i < late.length; i++) {
            long due = start + i * PERIOD_NANOS;
            long now = System.nanoTime();
            while (now < due) {
                LockSupport.parkNanos(due - now);
                now = System.nanoTime();
            }
            late[i] = now - due;
        }
    }

    private static void allocate(AtomicLongArray done, int slot) {
        Object[] kept = new Object[KEPT];
        int i = 0;
        while (!stop) {
            long inSecond = Math.floorMod(System.nanoTime(), SECOND_NANOS);
            if (inSecond > BUSY_NANOS) {
                LockSupport.parkNanos(SECOND_NANOS - inSecond);
            }
            for (int k = 0; k < 200; k++) {
                kept[i] = new byte[256];
                i = (i + 1) % KEPT;
            }
            done.lazySet(slot, done.get(slot) + 1);
        }
    }
}
