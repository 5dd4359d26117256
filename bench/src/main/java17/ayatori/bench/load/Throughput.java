package ayatori.bench.load;

import com.sun.management.OperatingSystemMXBean;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.function.IntFunction;

/** Operations a second, and CPU time an operation, of several threads that repeat one operation each. */
final class Throughput {
    /** So that the counts of two threads do not share a cache line. */
    private static final int STRIDE = 16;

    private static volatile boolean stop;

    private Throughput() {}

    /** Runs {@code operation.apply(i)} in thread i at {@code priorities[i]}: warm-up, then what counts. */
    static void measure(IntFunction<Callable<?>> operation, int[] priorities, long warmUpMillis, long millis)
            throws InterruptedException {
        OperatingSystemMXBean system = (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
        AtomicLongArray counts = new AtomicLongArray(priorities.length * STRIDE);
        List<Thread> threads = new ArrayList<>();
        CountDownLatch go = new CountDownLatch(1);
        boolean ranked = false;
        for (int i = 0; i < priorities.length; i++) {
            int index = i;
            Callable<?> step = operation.apply(i);
            Thread thread = new Thread(() -> repeat(go, step, counts, index * STRIDE), "load-" + i);
            thread.setPriority(priorities[i]);
            ranked |= priorities[i] != Thread.NORM_PRIORITY;
            threads.add(thread);
        }
        if (ranked) {
            Thread.currentThread().setPriority(Thread.MAX_PRIORITY); // the clock must not wait for the load
        }
        threads.forEach(Thread::start);
        go.countDown();
        Thread.sleep(warmUpMillis);
        long countBefore = sum(counts);
        long cpuBefore = system.getProcessCpuTime();
        long start = System.nanoTime();
        Thread.sleep(millis);
        long nanos = System.nanoTime() - start;
        long cpu = system.getProcessCpuTime() - cpuBefore;
        long count = sum(counts) - countBefore;
        Result.print("throughput", count * 1e9 / nanos, (double) cpu / count);
        stop = true;
        for (Thread thread : threads) {
            thread.join();
        }
    }

    private static void repeat(CountDownLatch go, Callable<?> step, AtomicLongArray counts, int slot) {
        try {
            go.await();
            while (!stop) {
                step.call();
                counts.lazySet(slot, counts.get(slot) + 1);
            }
        } catch (Exception e) {
            e.printStackTrace();
            System.exit(1);
        }
    }

    private static long sum(AtomicLongArray counts) {
        long sum = 0;
        for (int i = 0; i < counts.length(); i += STRIDE) {
            sum += counts.get(i);
        }
        return sum;
    }

    static int[] priorities(String list) {
        String[] parts = list.split(":", -1);
        int[] priorities = new int[parts.length];
        for (int i = 0; i < parts.length; i++) {
            priorities[i] = Integer.parseInt(parts[i]);
        }
        return priorities;
    }
}
