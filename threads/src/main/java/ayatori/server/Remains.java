package ayatori.server;

import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * What is left of a client: its socket, its pages, descriptors that it has passed. To give them back may take for ever, if it likes:
 * close(2) waits for the other end of a socket that lingers, or for the process that serves a file system. So a thread does it for
 * which nobody waits, one part after another: what is another client's is another thread's. Thread-safe.
 */
final class Remains {
    private static final Executor THREADS = Executors.newCachedThreadPool(Thread.ofPlatform()
            .daemon()
            .name("remains of clients")
            .priority(Thread.MIN_PRIORITY)
            .inheritInheritableThreadLocals(false)
            .factory());

    private final Queue<Runnable> parts = new ConcurrentLinkedQueue<>();
    private final AtomicInteger size = new AtomicInteger();

    /** Has a part given back, after those before. */
    void giveBack(Runnable part) {
        parts.add(part);
        if (size.getAndIncrement() == 0) {
            THREADS.execute(this::giveBack);
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
