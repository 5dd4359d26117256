package ayatori.bench.load;

import ayatori.pool.ReusableThreadPool;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.ForkJoinWorkerThread;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/**
 * What it costs to have a pool run a task that does nothing but make sure that it runs on a worker: JMH's threads submit, and
 * as many workers as there are CPUs run.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.Throughput)
@OutputTimeUnit(TimeUnit.SECONDS)
public class Submissions {
    /** Tasks that are submitted before the submitter waits for all of them. */
    public static final int BATCH = 1000;

    /** All workers, and nobody else. */
    private static final ThreadGroup WORKERS = new ThreadGroup("workers");

    private static final Callable<Object> TASK = () -> {
        requireWorker();
        return WORKERS;
    };

    @Param({"ayatori", "tpe", "fjp"})
    public String pool = "";

    private ExecutorService executor = ForkJoinPool.commonPool();

    /** ForkJoinPool takes no other threads. */
    private static final class ForkJoinWorker extends ForkJoinWorkerThread {
        ForkJoinWorker(ForkJoinPool pool) {
            super(WORKERS, pool, true);
        }
    }

    @Setup
    public void open() {
        int workers = Runtime.getRuntime().availableProcessors();
        executor = switch (pool) {
            case "ayatori" ->
                ReusableThreadPool.builder()
                        .maximumThreads(workers)
                        .threadFactory(task -> new Thread(WORKERS, task))
                        .build();
            case "tpe" ->
                new ThreadPoolExecutor(
                        workers,
                        workers,
                        0,
                        TimeUnit.SECONDS,
                        new LinkedBlockingQueue<>(),
                        task -> new Thread(WORKERS, task));
            case "fjp" -> new ForkJoinPool(workers, ForkJoinWorker::new, null, false);
            default -> throw new IllegalArgumentException("pool " + pool);
        };
    }

    @TearDown
    public void close() {
        executor.close();
    }

    /** One task at a time. */
    @Benchmark
    public Object roundTrip() throws InterruptedException, ExecutionException {
        return executor.submit(TASK).get();
    }

    /** Many tasks, whose futures nobody asks. */
    @Benchmark
    @OperationsPerInvocation(BATCH)
    public void oneWay() throws InterruptedException {
        CountDownLatch left = new CountDownLatch(BATCH);
        Runnable task = () -> {
            requireWorker();
            left.countDown();
        };
        for (int i = 0; i < BATCH; i++) {
            var unused = executor.submit(task);
        }
        left.await();
    }

    /** A pool that lets the submitter run the task would be measured for something else. Exits: nobody asks a future. */
    private static void requireWorker() {
        Thread thread = Thread.currentThread();
        if (thread.getThreadGroup() != WORKERS) {
            System.err.println("a task ran on " + thread + ", which is no worker");
            Runtime.getRuntime().halt(1);
        }
    }
}
