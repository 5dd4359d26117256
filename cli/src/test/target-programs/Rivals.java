import java.io.IOException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.locks.LockSupport;

/**
 * Threads that get in each other's way until standard input ends, or two minutes are over: `hog` and `victim` compute,
 * `collector` asks for a collection every 20 ms, `blocked` wants the monitor that `holder` has while it sleeps.
 */
public final class Rivals {
    private static final Object MONITOR = new Object();
    private static volatile boolean end;
    private static volatile long turns;

    public static void main(String[] names) throws IOException, InterruptedException {
        Thread limit = new Thread("limit") {
            @Override
            public void run() {
                pause(120000);
                Runtime.getRuntime().halt(3);
            }
        };
        limit.setDaemon(true);
        limit.start();
        for (final String name : names) {
            final CountDownLatch begun = new CountDownLatch(1);
            Thread rival = new Thread(name) {
                @Override
                public void run() {
                    act(name, begun);
                }
            };
            rival.setDaemon(true);
            rival.start();
            begun.await();
        }
        System.out.println("ready");
        while (System.in.read() >= 0) {
            continue;
        }
        end = true;
    }

    private static void act(String name, CountDownLatch begun) {
        if (name.equals("holder")) {
            synchronized (MONITOR) {
                begun.countDown();
                pause(120000);
            }
        }
        begun.countDown();
        if (name.equals("blocked")) {
            synchronized (MONITOR) {
                return;
            }
        }
        while (!end) {
            if (name.equals("collector")) {
                System.gc();
                pause(20);
            } else {
                turns++;
            }
        }
    }

    private static void pause(long millis) {
        long end = System.nanoTime() + millis * 1000000;
        for (long left = end - System.nanoTime(); left > 0; left = end - System.nanoTime()) {
            LockSupport.parkNanos(left);
        }
    }
}
