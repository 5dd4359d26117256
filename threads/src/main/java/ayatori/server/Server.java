package ayatori.server;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * The calling thread as a server of an endpoint, from {@link Endpoint#server} until it closes this. It has the priority of what
 * it works on, as the endpoint's protocol says, and is back at its own afterwards. For that thread only.
 *
 * <pre>{@code
 * try (Server<Path, byte[]> server = endpoint.server()) {
 *     Optional<Request<Path, byte[]>> next = server.receive();
 *     while (next.isPresent()) {
 *         Request<Path, byte[]> request = next.get();
 *         next = server.replyAndReceive(request, Files.readAllBytes(request.body()));
 *     }
 * }
 * }</pre>
 *
 * @param <Q> what is asked
 * @param <R> what is answered
 */
public final class Server<Q, R> implements AutoCloseable {
    private final Endpoint<Q, R> endpoint;
    private final ServerThread thread;
    /** What it has taken last. */
    private @Nullable Request<Q, R> current;

    private boolean closed;

    Server(Endpoint<Q, R> endpoint, ServerThread thread) {
        this.endpoint = endpoint;
        this.thread = thread;
    }

    /**
     * Takes the next request: the most important one, or, where priorities do not count, the first one. Waits for one if need
     * be. A request that the server took before and has not answered stays to be answered, but no longer raises the server.
     *
     * @return empty if the endpoint is closed and no request waits any more
     */
    public Optional<Request<Q, R>> receive() throws InterruptedException {
        try {
            return next(Deadline.FOREVER);
        } catch (TimeoutException e) {
            throw new AssertionError("without a deadline", e);
        }
    }

    /**
     * The same, for no longer than a while.
     *
     * @throws TimeoutException if none has come
     */
    public Optional<Request<Q, R>> receive(Duration timeout) throws InterruptedException, TimeoutException {
        return next(System.nanoTime() + timeout.toNanos());
    }

    /** Answers a request, and takes the next one as {@link #receive} does. */
    public Optional<Request<Q, R>> replyAndReceive(Request<Q, R> request, R result) throws InterruptedException {
        request.reply(result);
        return receive();
    }

    private Optional<Request<Q, R>> next(long deadline) throws InterruptedException, TimeoutException {
        requireOwnThread();
        if (closed) {
            throw new IllegalStateException("the thread serves " + endpoint.name() + " no more: the server is closed");
        }
        putOff();
        current = endpoint.next(thread, deadline);
        return Optional.ofNullable(current);
    }

    private void putOff() {
        if (current != null) {
            current.putOff();
            current = null;
        }
    }

    private void requireOwnThread() {
        if (Thread.currentThread() != thread.thread()) {
            throw new IllegalStateException(
                    "the server is " + thread.thread() + ", and no other thread, to wit " + Thread.currentThread());
        }
    }

    /** The thread serves no more. Requests that wait do so until another serves the endpoint; if that is closed, they fail. */
    @Override
    public void close() {
        requireOwnThread();
        if (!closed) {
            closed = true;
            putOff();
            endpoint.leave(thread);
        }
    }
}
