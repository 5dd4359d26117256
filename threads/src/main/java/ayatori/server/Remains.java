package ayatori.server;

import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * What is left of a client: its socket, its pages, descriptors that it has passed. To give them back may take for ever, if it likes:
 * close(2) waits for the other end of a socket that lingers, or for the process that serves a file system. So a thread does it for
 * which nobody waits, one part after another: what is another client's is another thread's. Thread-safe.
 */
final class Remains {
    private static final ThreadFactory OF_LOWEST_PRIORITY = Thread.ofPlatform()
            .daemon()
            .name("remains of clients")
            .priority(Thread.MIN_PRIORITY)
            .inheritInheritableThreadLocals(false)
            .factory();
    private static final Executor THREADS = Executors.newCachedThreadPool(OF_LOWEST_PRIORITY);
    /** Of one thread that is there already: where the process can have no more, nobody else is to be stopped by that. */
    private static final Executor LAST_RESORT = lastResort();

    private final Executor threads;
    private final Queue<Runnable> parts = new ConcurrentLinkedQueue<>();
    private final AtomicInteger size = new AtomicInteger();

    /** None yet. */
    Remains() {
        this(THREADS);
    }

    /** The same, given back by other threads. */
    Remains(Executor threads) {
        this.threads = threads;
    }

    private static Executor lastResort() {
        ThreadPoolExecutor one =
                new ThreadPoolExecutor(1, 1, 0, TimeUnit.SECONDS, new LinkedBlockingQueue<>(), OF_LOWEST_PRIORITY);
        one.prestartAllCoreThreads();
        return one;
    }

    /** Has a part given back, after those before. */
    void giveBack(Runnable part) {
        parts.add(part);
        if (size.getAndIncrement() == 0) {
            try {
                threads.execute(this::giveBack);
            } catch (OutOfMemoryError e) { // no thread
                LAST_RESORT.execute(this::giveBack);
            }
        }
    }

    private void giveBack() {
        do {
            parts.remove().run();
        } while (size.decrementAndGet() > 0);
    }

    /** Parts that have not been given back yet. */
    int size() {
        return size.get();
    }
}
