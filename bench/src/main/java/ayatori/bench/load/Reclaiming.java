package ayatori.bench.load;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * {@code Reclaiming POOL DEMAND ARGUMENT …}: gives a pool tasks that sleep, and tells how many threads it has meanwhile.
 *
 * <ul>
 *   <li>{@code steady MILLIS}: a task of 10 ms each 2 ms
 *   <li>{@code burst TASKS MICROS}: 64 at once, then so many one after another, one each so many microseconds
 *   <li>{@code diurnal MILLIS DAY}: tasks of 20 ms, of which 1 to 30 run at a time, as the hour of the day (in ms) has it
 *   <li>{@code fluctuating MILLIS}: tasks of 20 ms in the mean, one each 2 ms in the mean, both at random
 *   <li>{@code swing SWINGS TASKS MICROS}: 32 at once, then so many one after another, again and again
 * </ul>
 *
 * Prints {@code result,sample,SUBMISSIONS,MILLIS,THREADS,STARTED,ENDED} at each change, each 100 ms and at the end, and
 * {@code result,flood,SUBMISSIONS,STARTED} when many have been submitted at once.
 */
public final class Reclaiming {
    private static final int BURST = 64;
    private static final int FLOOD = 32;
    private static final double SAMPLE_MILLIS = 100;
    private static final long SEED = 42;

    private final CountedPool pool;
    private final StringBuilder results = new StringBuilder();
    private final long start = System.nanoTime();
    private int submissions;
    private int lastThreads = -1;
    private double lastMillis;

    private Reclaiming(CountedPool pool) {
        this.pool = pool;
    }

    public static void main(String[] arguments) throws InterruptedException {
        List<Integer> numbers = new ArrayList<>();
        for (int i = 2; i < arguments.length; i++) {
            numbers.add(Integer.parseInt(arguments[i]));
        }
        loadClasses(arguments[0]);
        try (CountedPool pool = new CountedPool(arguments[0])) {
            Reclaiming reclaiming = new Reclaiming(pool);
            switch (arguments[1]) {
                case "steady" -> reclaiming.steady(numbers.get(0));
                case "burst" -> {
                    reclaiming.flood(BURST);
                    reclaiming.trickle(numbers.get(0), numbers.get(1));
                }
                case "diurnal" -> reclaiming.diurnal(numbers.get(0), numbers.get(1));
                case "fluctuating" -> reclaiming.fluctuating(numbers.get(0));
                case "swing" -> {
                    for (int i = 0; i < numbers.get(0); i++) {
                        reclaiming.flood(FLOOD);
                        reclaiming.trickle(numbers.get(1), numbers.get(2));
                    }
                }
                default -> throw new IllegalArgumentException("demand " + arguments[1]);
            }
            reclaiming.sample(true);
            System.out.print(reclaiming.results);
        }
    }

    /** Or the first tasks would come all together, when that is done. */
    private static void loadClasses(String pool) throws InterruptedException {
        try (CountedPool another = new CountedPool(pool)) {
            Reclaiming reclaiming = new Reclaiming(another);
            reclaiming.flood(1);
            reclaiming.trickle(1, 0);
        }
    }

    private void steady(int millis) {
        for (double at = 0; at < millis; at += 2) {
            submitAt(at, 10);
        }
    }

    private void diurnal(int millis, int day) {
        double at = 0;
        while (at < millis) {
            double running = 15.5 - 14.5 * Math.cos(2 * Math.PI * at / day);
            submitAt(at, 20);
            at += 20 / running;
        }
    }

    private void fluctuating(int millis) {
        SplittableRandom random = new SplittableRandom(SEED);
        double at = 0;
        while (at < millis) {
            submitAt(at, random.nextExponential() * 20);
            at += random.nextExponential() * 2;
        }
    }

    /** A task at a moment, whatever has become of those before. */
    private void submitAt(double atMillis, double taskMillis) {
        awaitMoment(start + (long) (atMillis * 1e6));
        submissions++;
        pool.execute(() -> pause((long) (taskMillis * 1e6)));
        sample(false);
    }

    /** So many at the same time, each on a thread of its own. */
    private void flood(int tasks) throws InterruptedException {
        CountDownLatch begun = new CountDownLatch(tasks);
        CountDownLatch done = new CountDownLatch(tasks);
        for (int i = 0; i < tasks; i++) {
            submissions++;
            pool.execute(() -> {
                begun.countDown();
                await(begun);
                pause(TimeUnit.MILLISECONDS.toNanos(2));
                done.countDown();
            });
            sample(false);
        }
        done.await();
        results.append("result,flood,%d,%d%n".formatted(submissions, pool.started()));
    }

    /** One task after another. */
    private void trickle(int tasks, int micros) throws InterruptedException {
        long next = System.nanoTime();
        for (int i = 0; i < tasks; i++) {
            next = Math.max(next + TimeUnit.MICROSECONDS.toNanos(micros), System.nanoTime());
            awaitMoment(next);
            CountDownLatch done = new CountDownLatch(1);
            submissions++;
            pool.execute(done::countDown);
            done.await();
            sample(false);
        }
    }

    private void sample(boolean last) {
        int ended = pool.ended();
        int started = pool.started();
        int threads = started - ended;
        double millis = (System.nanoTime() - start) / 1e6;
        if (last || threads != lastThreads || millis - lastMillis >= SAMPLE_MILLIS) {
            results.append("result,sample,%d,%.1f,%d,%d,%d%n".formatted(submissions, millis, threads, started, ended));
            lastThreads = threads;
            lastMillis = millis;
        }
    }

    private static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new IllegalStateException("nobody interrupts", e);
        }
    }

    private static void pause(long nanos) {
        awaitMoment(System.nanoTime() + nanos);
    }

    private static void awaitMoment(long moment) {
        long left;
        while ((left = moment - System.nanoTime()) > 0) {
            LockSupport.parkNanos(left);
        }
    }
}
