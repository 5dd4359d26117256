package ayatori.bench.load;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * Many threads of all priorities that do next to nothing. Arguments: threads; milliseconds that every tenth sleeps at a
 * time, 0 for ever, as the others do. Prints "ready" when all have begun; ends when it is killed.
 */
public final class Sleepers {
    private Sleepers() {}

    public static void main(String[] arguments) throws InterruptedException {
        int threads = Integer.parseInt(arguments[0]);
        long millis = Long.parseLong(arguments[1]);
        CountDownLatch begun = new CountDownLatch(threads);
        CountDownLatch never = new CountDownLatch(1);
        for (int i = 0; i < threads; i++) {
            boolean awake = millis > 0 && i % 10 == 0;
            Thread sleeper = new Thread(() -> sleep(begun, never, awake ? millis : Long.MAX_VALUE), "sleeper-" + i);
            sleeper.setPriority(1 + i % Thread.MAX_PRIORITY);
            sleeper.start();
        }
        begun.await();
        Result.print("ready", threads);
        never.await();
    }

    private static void sleep(CountDownLatch begun, CountDownLatch never, long millis) {
        begun.countDown();
        try {
            while (!never.await(millis, TimeUnit.MILLISECONDS)) {
                continue;
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
