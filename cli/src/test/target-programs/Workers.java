import java.io.IOException;
import java.util.concurrent.CountDownLatch;

/** Threads worker-1 to worker-10 of the Java priorities 1 to 10, which wait until standard input ends. */
public final class Workers {
    public static void main(String[] arguments) throws IOException, InterruptedException {
        final CountDownLatch started = new CountDownLatch(10);
        final CountDownLatch end = new CountDownLatch(1);
        for (int priority = 1; priority <= 10; priority++) {
            Thread worker = new Thread("worker-" + priority) {
                @Override
                public void run() {
                    started.countDown();
                    try {
                        end.await();
                    } catch (InterruptedException e) {
                        Thread.currentThread().interrupt();
                    }
                }
            };
            worker.setPriority(priority);
            worker.start();
        }
        started.await();
        Runtime.getRuntime().addShutdownHook(new Thread("hook") {
            @Override
            public void run() {
                System.out.println("hook");
                System.out.flush();
            }
        });
        System.out.println("ready");
        while (System.in.read() >= 0) {
            continue;
        }
        end.countDown();
    }
}
