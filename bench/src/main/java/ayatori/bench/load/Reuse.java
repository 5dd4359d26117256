package ayatori.bench.load;

import ayatori.pool.ReusableThreadPool;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/**
 * {@code Reuse WARM-UP-MILLIS REPEATS USE …}: the time that so many uses of a thread take, one after another, if each is a new
 * thread, and if a pool is built for them, has its results asked for, and is shut down and awaited. Ways and numbers of uses
 * take turns. Prints {@code result,uses,WAY,N,NANOS}, the median of the repeats.
 */
public final class Reuse {
    private final int[] uses;
    private final List<Way> ways = List.of(
            new Way("threads", Reuse::threads),
            new Way("ours-1", n -> pool(ours(1), n)),
            new Way("ours-16", n -> pool(ours(16), n)),
            new Way("tpe-1", n -> pool(threadPoolExecutor(), n)));

    /** So many uses. */
    private interface Uses {
        void run(int n) throws InterruptedException, ExecutionException;
    }

    private record Way(String name, Uses uses) {}

    private Reuse(int[] uses) {
        this.uses = uses;
    }

    public static void main(String[] arguments) throws InterruptedException, ExecutionException {
        long warmUp = TimeUnit.MILLISECONDS.toNanos(Long.parseLong(arguments[0]));
        int repeats = Integer.parseInt(arguments[1]);
        Reuse reuse = new Reuse(Arrays.stream(arguments, 2, arguments.length)
                .mapToInt(Integer::parseInt)
                .toArray());
        Random random = new Random(1);
        long start = System.nanoTime();
        while (System.nanoTime() - start < warmUp) {
            reuse.once(random);
        }
        List<long[][]> all = new ArrayList<>();
        for (int i = 0; i < repeats; i++) {
            all.add(reuse.once(random));
        }
        reuse.print(all);
    }

    /** Nanoseconds of each way and number of uses, in random order. */
    private long[][] once(Random random) throws InterruptedException, ExecutionException {
        List<int[]> cells = new ArrayList<>();
        for (int way = 0; way < ways.size(); way++) {
            for (int i = 0; i < uses.length; i++) {
                cells.add(new int[] {way, i});
            }
        }
        Collections.shuffle(cells, random);
        long[][] nanos = new long[ways.size()][uses.length];
        for (int[] cell : cells) {
            Uses measured = ways.get(cell[0]).uses();
            long start = System.nanoTime();
            measured.run(uses[cell[1]]);
            nanos[cell[0]][cell[1]] = System.nanoTime() - start;
        }
        return nanos;
    }

    private void print(List<long[][]> all) {
        for (int way = 0; way < ways.size(); way++) {
            for (int i = 0; i < uses.length; i++) {
                int w = way;
                int u = i;
                long[] sorted =
                        all.stream().mapToLong(once -> once[w][u]).sorted().toArray();
                System.out.printf("result,uses,%s,%d,%d%n", ways.get(way).name(), uses[i], sorted[sorted.length / 2]);
            }
        }
    }

    private static void threads(int n) throws InterruptedException {
        for (int i = 0; i < n; i++) {
            Thread thread = new Thread(() -> {});
            thread.start();
            thread.join();
        }
    }

    private static void pool(ExecutorService pool, int n) throws InterruptedException, ExecutionException {
        for (int i = 0; i < n; i++) {
            pool.submit(() -> null).get();
        }
        pool.shutdown();
        if (!pool.awaitTermination(1, TimeUnit.MINUTES)) {
            throw new IllegalStateException(pool + " does not end");
        }
    }

    private static ExecutorService ours(int initial) {
        return ReusableThreadPool.builder()
                .initialThreads(initial)
                .maximumThreads(16)
                .build();
    }

    private static ExecutorService threadPoolExecutor() {
        return new ThreadPoolExecutor(1, 1, 0, TimeUnit.SECONDS, new LinkedBlockingQueue<>());
    }
}
