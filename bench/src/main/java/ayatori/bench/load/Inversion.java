package ayatori.bench.load;

import ayatori.pool.ReusableThreadPool;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;

/**
 * {@code Inversion POOL ROUNDS WAIT}: an executor with one thread has a low task (priority 2) and another one behind it; a
 * middle thread (6) computes; an urgent one (9) waits for the second task, or, without WAIT, nobody does. To be run on one
 * CPU. For each round it tells how long the urgent thread waited, what the low task had still to compute then, what the
 * other task computed, and for how long the middle thread, ready to run, was kept from the CPU; all in nanoseconds.
 */
public final class Inversion {
    private static final int LOW = 2;
    private static final int MIDDLE = 6;
    private static final int URGENT = 9;
    private static final long LOW_NANOS = TimeUnit.MILLISECONDS.toNanos(6);
    private static final long MIDDLE_NANOS = TimeUnit.MILLISECONDS.toNanos(25);
    private static final long TASK_NANOS = TimeUnit.MILLISECONDS.toNanos(1);
    private static final long HEAD_START_NANOS = TimeUnit.MILLISECONDS.toNanos(2);
    private static final int WARM_UP = 20;
    private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

    private final ExecutorService executor;
    private final boolean waits;
    /** What the low task has computed so far. */
    private final AtomicLong low = new AtomicLong();

    private Inversion(ExecutorService executor, boolean waits) {
        this.executor = executor;
        this.waits = waits;
    }

    /** Uses so much CPU time; preemption does not count. */
    private static long compute(long nanos, AtomicLong told) {
        long begin = THREADS.getCurrentThreadCpuTime();
        long used = 0;
        while (used < nanos) {
            used = THREADS.getCurrentThreadCpuTime() - begin;
            told.setRelease(used);
        }
        return used;
    }

    private Future<Long> submit(Callable<Long> task) {
        return executor instanceof ReusableThreadPool pool ? pool.submit(LOW, task) : executor.submit(task);
    }

    private void round(boolean told) throws InterruptedException, ExecutionException {
        low.set(0);
        Future<Long> first = submit(() -> compute(LOW_NANOS, low));
        Future<Long> second = submit(() -> compute(TASK_NANOS, new AtomicLong()));
        LockSupport.parkNanos(HEAD_START_NANOS);
        FutureTask<Long> middle = new FutureTask<>(() -> {
            long begin = System.nanoTime();
            long used = compute(MIDDLE_NANOS, new AtomicLong());
            return System.nanoTime() - begin - used;
        });
        Thread middleThread = Thread.ofPlatform().priority(MIDDLE).start(middle);
        long[] seen = new long[2];
        Thread urgentThread = Thread.ofPlatform().priority(URGENT).unstarted(() -> {
            long rest = LOW_NANOS - low.getAcquire();
            long begin = System.nanoTime();
            getUninterruptibly(second);
            seen[0] = System.nanoTime() - begin;
            seen[1] = rest;
        });
        if (waits) {
            urgentThread.start();
            urgentThread.join();
        }
        middleThread.join();
        long own = second.get();
        first.get();
        if (told) {
            System.out.println("result,round," + seen[0] + "," + seen[1] + "," + own + "," + middle.get());
        }
    }

    private static void getUninterruptibly(Future<Long> future) {
        try {
            future.get();
        } catch (InterruptedException | ExecutionException e) {
            throw new IllegalStateException(e);
        }
    }

    public static void main(String[] arguments) throws Exception {
        boolean ours = arguments[0].equals("ours");
        Thread.ofPlatform()
                .priority(Thread.MAX_PRIORITY)
                .start(() -> measure(ours, arguments))
                .join();
    }

    private static void measure(boolean ours, String[] arguments) {
        ExecutorService executor = ours
                ? ReusableThreadPool.builder()
                        .name("inversion")
                        .maximumThreads(1)
                        .build()
                : Executors.newFixedThreadPool(
                        1, Thread.ofPlatform().priority(LOW).factory());
        try (executor) {
            Inversion inversion = new Inversion(executor, arguments[2].equals("wait"));
            int rounds = Integer.parseInt(arguments[1]);
            for (int i = -WARM_UP; i < rounds; i++) {
                inversion.round(i >= 0);
            }
        } catch (InterruptedException | ExecutionException e) {
            throw new IllegalStateException(e);
        }
    }
}
