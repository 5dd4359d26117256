package ayatori.load.counters;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.channels.FileChannel;
import java.util.concurrent.locks.LockSupport;

/**
 * The load of the paper's first experiment (section 4.1): one thread per given priority, each counts its own counter
 * from 0 to a target, all let go at the same moment. Compiled for Java 8, so that it runs on every JVM that the agent
 * supports; it knows nothing of the agent.
 *
 * <p>{@code Counters FILE TARGET PRIORITY...}: FILE is a {@link CounterPage}, made by the caller and zeroed; TARGET
 * is the count at which a thread ends; then a Java priority per thread, ascending.
 *
 * <p>When all threads wait at the gate it marks the page as ready, and opens the gate at the first byte on standard
 * input. When all have ended it stays until standard input ends, so that the caller can still read its accounts.
 *
 * <p>The thread that opens the gate has priority 10. Under real priorities none of the threads can therefore get
 * ahead while the others are still to be woken.
 */
public final class Counters {
    /**
     * Every so many counts the thread publishes its counter, a power of two. It is what keeps the JIT compiler from
     * replacing the loop by its result: each count must be tested, and the page is memory that the compiler cannot see
     * through. 1024 counts take about a microsecond, so the published value is as good as exact, and the store is
     * rare enough for the counter itself to stay the plain integer of the paper.
     */
    static final int PUBLISH_EVERY = 1024;

    private static final long POLL_NANOS = 100_000L;

    private final CounterPage page;
    private final int target;
    private final Thread[] threads;
    private volatile boolean open;

    private Counters(CounterPage page, int target, int[] priorities) {
        this.page = page;
        this.target = target;
        this.threads = new Thread[priorities.length];
        for (int i = 0; i < priorities.length; i++) {
            final int index = i;
            threads[i] = new Thread("T" + (i + 1)) {
                @Override
                public void run() {
                    count(index);
                }
            };
            threads[i].setPriority(priorities[i]);
            threads[i].setDaemon(true); // so that the JVM ends when the gate is never opened
        }
    }

    /** @param args FILE TARGET PRIORITY... */
    public static void main(String[] args) throws IOException, InterruptedException {
        if (args.length < 3) {
            System.err.println("usage: Counters FILE TARGET PRIORITY...");
            System.exit(2);
        }
        int[] priorities = new int[args.length - 2];
        for (int i = 0; i < priorities.length; i++) {
            priorities[i] = Integer.parseInt(args[i + 2]);
        }
        RandomAccessFile file = new RandomAccessFile(args[0], "rw");
        try {
            CounterPage page = new CounterPage(
                    file.getChannel().map(FileChannel.MapMode.READ_WRITE, 0, CounterPage.size(priorities.length)),
                    priorities.length);
            new Counters(page, Integer.parseInt(args[1]), priorities).run();
        } finally {
            file.close();
        }
    }

    private void run() throws InterruptedException, IOException {
        Thread.currentThread().setPriority(Thread.MAX_PRIORITY);
        for (Thread thread : threads) {
            thread.start();
        }
        for (int i = 0; i < threads.length; i++) {
            while (page.nativeId(i) == 0 || threads[i].getState() != Thread.State.WAITING) {
                LockSupport.parkNanos(POLL_NANOS);
            }
        }
        page.setMagic();
        if (System.in.read() == -1) {
            return; // whoever started us is gone
        }
        page.setOpened(System.nanoTime());
        open = true;
        // The highest first: on several CPUs a woken thread starts at once, and a low one woken first would have the
        // other CPU until the higher ones are awake.
        for (int i = threads.length - 1; i >= 0; i--) {
            LockSupport.unpark(threads[i]);
        }
        for (Thread thread : threads) {
            thread.join();
        }
        page.setAllEnded(System.nanoTime());
        while (System.in.read() != -1) {
            // Until the caller has read what the kernel has on account for this JVM's own threads.
        }
    }

    private void count(int index) {
        Account.read(); // loads what it needs before the clock runs
        page.setNativeId(index, Account.nativeId());
        while (!open) {
            LockSupport.park(this);
        }
        Account before = Account.read();
        page.setStarted(index, System.nanoTime());
        int end = countTo(index);
        page.setCounter(index, end);
        page.takeSnapshot(index);
        page.setEnded(index, System.nanoTime());
        Account after = Account.read();
        page.setAccount(index, after.cpuNanos - before.cpuNanos, after.runDelayNanos - before.runDelayNanos);
    }

    private int countTo(int index) {
        int counter = 0;
        int last = target;
        while (counter < last) {
            counter++;
            if ((counter & (PUBLISH_EVERY - 1)) == 1) { // 1, 1025, ...: the very first count is seen too
                page.setCounter(index, counter);
            }
        }
        return counter;
    }
}
