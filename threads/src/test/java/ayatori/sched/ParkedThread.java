package ayatori.sched;

import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** A Java thread that sleeps until it is closed: one to set priorities of, which takes no CPU whatever they are. */
public final class ParkedThread implements AutoCloseable {
    private final CountDownLatch end = new CountDownLatch(1);
    private final Thread javaThread;
    private final LinuxThread linuxThread;

    public ParkedThread(String name) throws InterruptedException {
        BlockingQueue<LinuxThread> born = new ArrayBlockingQueue<>(1);
        javaThread = Thread.ofPlatform().name(name).daemon().start(() -> {
            born.add(LinuxThread.current());
            try {
                end.await();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        });
        LinuxThread thread = born.poll(30, TimeUnit.SECONDS);
        if (thread == null) {
            throw new AssertionError(name + " was not born within 30 s");
        }
        linuxThread = thread;
    }

    public Thread javaThread() {
        return javaThread;
    }

    public LinuxThread linuxThread() {
        return linuxThread;
    }

    @Override
    public void close() {
        end.countDown();
        Waiting.until("the end of " + javaThread.getName(), () -> !javaThread.isAlive());
    }
}
