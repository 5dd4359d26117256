package ayatori.bench.load;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.concurrent.CountDownLatch;

/**
 * Yield loops on one CPU. Arguments: {@code owner REPEATS}, how long a spin at 9 takes against an owner at 7 that needs
 * 50 ms of CPU; or {@code alone REPEATS}, yields a second of a loop that nobody else waits for.
 */
public final class Yields {
    private static final long OWNER_CPU_NANOS = 50_000_000;
    private static final long ALONE_NANOS = 300_000_000;
    private static final int BATCH = 100;
    private static final int YIELDER_PRIORITY = 9;
    private static final int OWNER_PRIORITY = 7;

    private static volatile boolean done;

    private Yields() {}

    public static void main(String[] arguments) throws InterruptedException {
        int repeats = Integer.parseInt(arguments[1]);
        for (int i = 0; i < repeats; i++) {
            if (arguments[0].equals("owner")) {
                againstOwner();
            } else {
                alone();
            }
        }
    }

    private static void againstOwner() throws InterruptedException {
        done = false;
        ThreadMXBean threads = ManagementFactory.getThreadMXBean();
        CountDownLatch go = new CountDownLatch(1);
        Thread owner = new Thread(
                () -> {
                    await(go);
                    long end = threads.getCurrentThreadCpuTime() + OWNER_CPU_NANOS;
                    while (threads.getCurrentThreadCpuTime() < end) {
                        Thread.onSpinWait();
                    }
                    done = true;
                },
                "owner");
        Thread yielder = new Thread(
                () -> {
                    go.countDown();
                    long start = System.nanoTime();
                    while (!done) {
                        Thread.yield();
                    }
                    Result.print("owner", System.nanoTime() - start);
                },
                "yielder");
        owner.setPriority(OWNER_PRIORITY);
        yielder.setPriority(YIELDER_PRIORITY);
        owner.start();
        yielder.start();
        owner.join();
        yielder.join();
    }

    private static void alone() throws InterruptedException {
        Thread yielder = new Thread(
                () -> {
                    long start = System.nanoTime();
                    long count = 0;
                    long now = start;
                    while (now - start < ALONE_NANOS) {
                        for (int i = 0; i < BATCH; i++) {
                            Thread.yield();
                        }
                        count += BATCH;
                        now = System.nanoTime();
                    }
                    Result.print("alone", count * 1e9 / (now - start));
                },
                "yielder");
        yielder.setPriority(YIELDER_PRIORITY);
        yielder.start();
        yielder.join();
    }

    private static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }
}
