package ayatori.bench.load;

import java.util.concurrent.locks.LockSupport;

/**
 * The paper's counter experiment, only for how long it takes: threads of priorities 1, 3, 7 and 9 count to a target on one
 * CPU. Argument: the target. Prints each thread's end in nanoseconds after the gate was opened.
 *
 * <p>The gate: the thread of priority 10 wakes the highest first, so that none counts before a higher one can.
 */
public final class Counters {
    private static final int[] PRIORITIES = {9, 7, 3, 1};

    private static volatile boolean open;
    private static volatile long opened;
    private static volatile long sink;

    private Counters() {}

    public static void main(String[] arguments) throws InterruptedException {
        int target = Integer.parseInt(arguments[0]);
        long[] ends = new long[PRIORITIES.length];
        Thread[] threads = new Thread[PRIORITIES.length];
        for (int i = 0; i < threads.length; i++) {
            int index = i;
            threads[i] = new Thread(
                    () -> {
                        while (!open) {
                            LockSupport.park();
                        }
                        count(target);
                        ends[index] = System.nanoTime();
                    },
                    "T" + PRIORITIES[i]);
            threads[i].setPriority(PRIORITIES[i]);
            threads[i].start();
        }
        Thread.currentThread().setPriority(Thread.MAX_PRIORITY);
        for (Thread thread : threads) {
            while (thread.getState() != Thread.State.WAITING) {
                Thread.sleep(1);
            }
        }
        opened = System.nanoTime();
        open = true;
        for (Thread thread : threads) {
            LockSupport.unpark(thread);
        }
        for (int i = 0; i < threads.length; i++) {
            threads[i].join();
        }
        for (int i = 0; i < threads.length; i++) {
            Result.print("end", PRIORITIES[i], ends[i] - opened);
        }
    }

    private static void count(int target) {
        long shown = 0;
        for (int i = 0; i < target; i++) {
            shown++;
            if ((i & 0x3ff) == 0) {
                sink = shown;
            }
        }
        sink = shown;
    }
}
