package ayatori.bench.load;

import ayatori.pool.ReclaimingRule;
import ayatori.pool.ReusableThreadPool;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.ForkJoinWorkerThread;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/** A pool of at most {@link #MAXIMUM} threads by its name, and how many threads it has started and ended: counted alike. */
final class CountedPool implements AutoCloseable {
    static final int MAXIMUM = 64;
    private static final long KEEP_ALIVE_SECONDS = 1;

    private final AtomicInteger started = new AtomicInteger();
    private final AtomicInteger ended = new AtomicInteger();
    private final Executor executor;
    private final Runnable closing;

    /**
     * Opens it.
     *
     * @param name ours-BIAS, paper-BIAS (our pool under the paper's rule), tpe-queue, tpe-queue-timeout, tpe-synchronous, fjp,
     *     or folly
     */
    CountedPool(String name) {
        String kind = name.replaceFirst("-\\d+$", "");
        switch (kind) {
            case "ours", "paper" -> {
                ReusableThreadPool pool = ReusableThreadPool.builder()
                        .maximumThreads(MAXIMUM)
                        .bias(Integer.parseInt(name.substring(kind.length() + 1)))
                        .reclaiming(kind.equals("ours") ? ReclaimingRule.CONVERGING : ReclaimingRule.PAPER)
                        .threadFactory(this::thread)
                        .build();
                executor = pool;
                closing = pool::close;
            }
            case "tpe-queue", "tpe-queue-timeout" -> {
                ThreadPoolExecutor pool = new ThreadPoolExecutor(
                        MAXIMUM,
                        MAXIMUM,
                        KEEP_ALIVE_SECONDS,
                        TimeUnit.SECONDS,
                        new LinkedBlockingQueue<>(),
                        this::thread);
                pool.allowCoreThreadTimeOut(kind.endsWith("timeout"));
                executor = pool;
                closing = pool::close;
            }
            case "tpe-synchronous" -> {
                // It cannot queue: what comes while all threads are busy the submitter runs itself.
                ThreadPoolExecutor pool = new ThreadPoolExecutor(
                        0,
                        MAXIMUM,
                        KEEP_ALIVE_SECONDS,
                        TimeUnit.SECONDS,
                        new SynchronousQueue<>(),
                        this::thread,
                        new ThreadPoolExecutor.CallerRunsPolicy());
                executor = pool;
                closing = pool::close;
            }
            case "fjp" -> {
                ExecutorService pool = new ForkJoinPool(
                        MAXIMUM, Counted::new, null, true, 0, MAXIMUM, 1, null, KEEP_ALIVE_SECONDS, TimeUnit.SECONDS);
                executor = pool;
                closing = pool::close;
            }
            case "folly" -> {
                IdleTimeoutPool pool =
                        new IdleTimeoutPool(MAXIMUM, TimeUnit.SECONDS.toNanos(KEEP_ALIVE_SECONDS), this::thread);
                executor = pool;
                closing = pool::close;
            }
            default -> throw new IllegalArgumentException("pool " + name);
        }
    }

    /** ForkJoinPool takes no other threads. */
    private final class Counted extends ForkJoinWorkerThread {
        Counted(ForkJoinPool pool) {
            super(null, pool, true);
            started.incrementAndGet();
        }

        @Override
        protected void onTermination(Throwable exception) {
            ended.incrementAndGet();
            super.onTermination(exception);
        }
    }

    private Thread thread(Runnable body) {
        started.incrementAndGet();
        return new Thread(() -> {
            try {
                body.run();
            } finally {
                ended.incrementAndGet();
            }
        });
    }

    void execute(Runnable task) {
        executor.execute(task);
    }

    int started() {
        return started.get();
    }

    int ended() {
        return ended.get();
    }

    @Override
    public void close() {
        closing.run();
    }
}
