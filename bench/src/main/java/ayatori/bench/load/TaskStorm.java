package ayatori.bench.load;

import ayatori.pool.PoolStatistics;
import ayatori.pool.ReusableThreadPool;
import ayatori.pool.TaskFuture;
import ayatori.sched.PriorityLadder;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.SplittableRandom;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.LockSupport;

/**
 * {@code TaskStorm TASKS SEED POLICY}: threads of random priority give a pool tasks of random priority, and wait for them, give up
 * waiting, cancel them, or do none of that; tasks wait for other tasks. At the end each task has run once, or was cancelled
 * before it began, and every worker is at the level of its own Java priority, by the kernel's account, and owed nothing.
 */
public final class TaskStorm {
    private static final int SUBMITTERS = 4;
    private static final int WORKERS = 6;
    /** What a submitter leaves to itself before it looks whether it has run. */
    private static final int OPEN = 512;

    private final ThreadLevels workers;
    private final LongAdder ran = new LongAdder();
    private final LongAdder cancelled = new LongAdder();
    private final LongAdder twice = new LongAdder();
    private final LongAdder lost = new LongAdder();
    private final AtomicLong left;
    private final ReusableThreadPool pool;

    private TaskStorm(long tasks, PriorityLadder ladder) {
        workers = new ThreadLevels(ladder);
        left = new AtomicLong(tasks);
        pool = ReusableThreadPool.builder()
                .name("storm")
                .initialThreads(2)
                .maximumThreads(WORKERS)
                .ladder(ladder)
                .build();
    }

    /** A task that counts how often it runs. */
    private final class Counted implements Runnable {
        final AtomicInteger runs = new AtomicInteger();
        private final long seed;
        private final boolean nested;

        Counted(long seed, boolean nested) {
            this.seed = seed;
            this.nested = nested;
        }

        @Override
        public void run() {
            if (runs.incrementAndGet() > 1) {
                twice.increment();
            }
            workers.add();
            SplittableRandom random = new SplittableRandom(seed);
            if (nested && random.nextInt(20) == 0) {
                Given given = submit(random, false);
                await(given.future(), random);
                given.future().cancel(true); // all workers may be waiting for tasks in the queue
                settle(given);
            }
        }
    }

    private record Given(Counted task, TaskFuture<?> future) {}

    private Given submit(SplittableRandom random, boolean nested) {
        Counted task = new Counted(random.nextLong(), nested);
        return new Given(task, pool.submit(1 + random.nextInt(10), task));
    }

    private void await(TaskFuture<?> future, SplittableRandom random) {
        try {
            if (random.nextInt(4) == 0) {
                future.get(random.nextInt(200), TimeUnit.MICROSECONDS);
            } else {
                future.get(2, TimeUnit.MILLISECONDS);
            }
        } catch (TimeoutException | CancellationException e) {
            // as wanted
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt(); // the task that waits here was cancelled
        } catch (ExecutionException e) {
            throw new IllegalStateException(e);
        }
    }

    private void submitter(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        Queue<Given> open = new ArrayDeque<>();
        while (left.getAndDecrement() > 0) {
            Given given = submit(random, true);
            switch (random.nextInt(64)) {
                case 0 -> await(given.future(), random);
                case 1 -> given.future().cancel(random.nextBoolean());
                default -> {}
            }
            open.add(given);
            if (open.size() > OPEN) {
                settle(open.remove());
            }
        }
        open.forEach(this::settle);
    }

    /** Waits until a task is over and books it. */
    private void settle(Given given) {
        boolean interrupted = Thread.interrupted();
        try {
            given.future().join();
        } catch (CancellationException e) {
            // done too
        }
        // A cancelled task may be running still.
        if (given.future().isCancelled()) {
            cancelled.increment();
        } else {
            ran.increment();
            if (given.task().runs.get() != 1) {
                lost.increment();
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    private void run(long seed) throws InterruptedException {
        List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < SUBMITTERS; i++) {
            long own = seed + i;
            threads.add(Thread.ofPlatform()
                    .name("submitter-" + i)
                    .priority(3 + 2 * i)
                    .start(() -> submitter(own)));
        }
        for (Thread thread : threads) {
            thread.join();
        }
        PoolStatistics now = pool.statistics();
        while (now.running() > 0 || now.queued() > 0) {
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(1));
            now = pool.statistics();
        }
        StormResult.count("run", ran.sum());
        StormResult.count("cancelled", cancelled.sum());
        StormResult.count("raises", now.raises());
        StormResult.count("threads started", now.started());
        StormResult.count("threads reclaimed", now.reclaimed());
        StormResult.flaw("lost", lost.sum());
        StormResult.flaw("run twice", twice.sum());
        StormResult.flaw("threads at a wrong level", workers.wrong());
        pool.close();
    }

    public static void main(String[] arguments) throws InterruptedException {
        PriorityLadder ladder = PriorityLadder.of(PriorityLadder.Policy.valueOf(arguments[2]));
        new TaskStorm(Long.parseLong(arguments[0]), ladder).run(Long.parseLong(arguments[1]));
    }
}
