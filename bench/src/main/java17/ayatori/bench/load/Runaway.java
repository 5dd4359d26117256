package ayatori.bench.load;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * Many threads of priorities 6 to 10 that sleep, one of 5 that computes, and after a while one of 10, "runaway", that loops
 * for ever. Arguments: sleeping threads; seconds until the loop begins. Prints "ready" and "loops"; ends when it is killed.
 */
public final class Runaway {
    private static volatile long turns;

    private Runaway() {}

    public static void main(String[] arguments) throws InterruptedException {
        int threads = Integer.parseInt(arguments[0]);
        CountDownLatch begun = new CountDownLatch(threads);
        for (int i = 0; i < threads; i++) {
            start("sleeper-" + i, 6 + i % 5, () -> {
                begun.countDown();
                try {
                    new CountDownLatch(1).await();
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                }
            });
        }
        begun.await();
        start("ordinary", Thread.NORM_PRIORITY, Runaway::loop);
        Result.print("ready", threads);
        TimeUnit.SECONDS.sleep(Long.parseLong(arguments[1]));
        start("runaway", Thread.MAX_PRIORITY, () -> {
            Result.print("loops", 1);
            loop();
        });
    }

    private static void loop() {
        while (true) {
            turns++;
        }
    }

    private static void start(String name, int priority, Runnable work) {
        Thread thread = new Thread(work, name);
        thread.setPriority(priority);
        thread.start();
    }
}
