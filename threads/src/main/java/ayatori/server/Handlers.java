package ayatori.server;

import ayatori.internal.inheritance.Inheritance;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/** Threads that serve an endpoint by handlers, until that is closed. */
final class Handlers<Q, R> {
    private static final System.Logger LOG = System.getLogger("ayatori.server");

    private final Endpoint<Q, R> endpoint;
    private final Queue<Thread> threads = new ConcurrentLinkedQueue<>();

    Handlers(Endpoint<Q, R> endpoint) {
        this.endpoint = endpoint;
    }

    /**
     * Starts some, and returns when all of them serve.
     *
     * @throws IllegalStateException if one of them cannot
     */
    void start(int count, RequestHandler<Q, R> handler) {
        CountDownLatch entered = new CountDownLatch(count);
        AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();
        for (int i = 0; i < count; i++) {
            Thread thread = Thread.ofPlatform()
                    .name(endpoint.name() + "-" + (threads.size() + 1))
                    .inheritInheritableThreadLocals(false)
                    .unstarted(() -> run(handler, entered, failure));
            endpoint.oneMoreServes(); // from now on there is one who will answer
            try {
                thread.start();
            } catch (Throwable t) {
                endpoint.oneLessServes();
                throw t;
            }
            threads.add(thread);
        }
        Inheritance.awaitUninterruptibly(entered);
        Throwable why = failure.get();
        if (why != null) {
            throw new IllegalStateException("a thread cannot serve " + endpoint.name() + ": " + why, why);
        }
    }

    private void run(
            RequestHandler<Q, R> handler, CountDownLatch entered, AtomicReference<@Nullable Throwable> failure) {
        ServerThread thread;
        try {
            thread = endpoint.enter();
        } catch (Throwable t) {
            failure.set(t);
            endpoint.oneLessServes();
            return;
        } finally {
            entered.countDown();
        }
        try (Server<Q, R> server = new Server<>(endpoint, thread)) {
            while (true) {
                try {
                    Optional<Request<Q, R>> request = server.receive();
                    if (request.isEmpty()) {
                        return;
                    }
                    answer(handler, request.get());
                } catch (InterruptedException e) {
                    // Left behind by a handler: there is nobody else who might mean this thread.
                }
            }
        }
    }

    private void answer(RequestHandler<Q, R> handler, Request<Q, R> request) {
        var unused = Thread.interrupted(); // left behind by the one before
        try {
            handler.handle(request);
        } catch (Throwable t) {
            if (request.isOver()) { // nobody else would hear of it
                LOG.log(System.Logger.Level.WARNING, endpoint.name() + ": a handler failed after it had answered", t);
            }
            request.fail(t);
        }
    }

    /** Waits for their end, unless one of them calls this. */
    void join() {
        if (!threads.contains(Thread.currentThread())) {
            threads.forEach(Inheritance::joinUninterruptibly);
        }
    }
}
