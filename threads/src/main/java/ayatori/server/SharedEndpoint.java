package ayatori.server;

import ayatori.internal.shm.ConnectionMemory;
import java.io.IOException;
import java.net.ConnectException;
import java.nio.file.AccessDeniedException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeoutException;

/**
 * An {@link Endpoint} of another process, from the client's side; the server's is {@link PublishedEndpoint}. Requests and answers
 * are {@link Area}s: memory of the client's that is handed over and comes back, without being copied.
 *
 * <pre>{@code
 * try (SharedEndpoint files = SharedEndpoint.connect(Path.of("/run/files"))) {
 *     Area area = files.allocate(4096);
 *     area.segment().setString(0, "/etc/motd");
 *     Area answer = files.call(area);
 *     ...
 *     answer.close();
 * }
 * }</pre>
 *
 * <p><b>Priority.</b> A request carries the Java priority of the thread that calls, or what that works for at the moment. Under
 * {@link PriorityProtocol#VPSET} a real-time thread that waits in {@code call} or in {@link Reply#get} lends its priority to the
 * server through the kernel, as if the server held a lock: no right is needed for that on either side, the kernel takes the
 * maximum, follows chains of servers and later changes, and takes it back when the wait ends in any way. If the server has
 * several threads, that begins when one of them has taken the request. A {@code send} for which nobody waits raises the server
 * where that may raise itself ({@link EndpointBuilder#ladder}, the agent).
 *
 * <p><b>The end of the server</b>, by kill -9 as well: who waits gets an ExecutionException with a {@link ServerDiedException},
 * at once; later requests are rejected. A new connection finds the successor.
 *
 * <p>An interrupt is noticed after at most 100 ms. At most 48 requests are on their way; who sends one more waits until one has
 * been answered. Virtual threads may call, and lend nothing. Stages that depend on a
 * {@link Reply} run in the thread that hears all answers and the server's end: they must not wait. Thread-safe. Needs Linux 5.16.
 */
public final class SharedEndpoint implements AutoCloseable {
    /** Requests of one connection that may be on their way at once. */
    public static final int MOST_REQUESTS = ConnectionMemory.SLOTS;

    private static final long DEFAULT_MEMORY = 64L << 20;
    private static final long LEAST_MEMORY = 4096;

    private final ClientConnection connection;

    private SharedEndpoint(ClientConnection connection) {
        this.connection = connection;
    }

    /**
     * Connects, with 64 MiB for areas; memory that is not used costs nothing.
     *
     * @throws NoSuchFileException if nobody has published an endpoint there (ENOENT)
     * @throws ConnectException if whoever did is gone (ECONNREFUSED); a successor can be connected to when it has published its own
     * @throws AccessDeniedException if this user may not (EACCES)
     * @throws IOException EAGAIN, or in words: the server does not answer within 5 s; or what the server says
     */
    public static SharedEndpoint connect(Path path) throws IOException {
        return connect(path, DEFAULT_MEMORY);
    }

    /**
     * The same with other memory for areas.
     *
     * @param bytes 1 to 2^36, rounded up to a power of two, at least 4096
     */
    public static SharedEndpoint connect(Path path, long bytes) throws IOException {
        return new SharedEndpoint(ClientConnection.open(path, memory(bytes), false));
    }

    /**
     * The same for who has a CPU to give: threads that wait for an answer look for it without sleeping, and lend nothing.
     *
     * @param bytes as in {@link #connect(Path, long)}
     */
    public static SharedEndpoint connectPolling(Path path, long bytes) throws IOException {
        return new SharedEndpoint(ClientConnection.open(path, memory(bytes), true));
    }

    private static long memory(long bytes) {
        if (bytes < 1 || bytes > ConnectionMemory.MOST_AREAS) {
            throw new IllegalArgumentException("memory of " + bytes + " bytes for areas: must be 1 to 2^36");
        }
        return Math.max(LEAST_MEMORY, Long.highestOneBit(bytes * 2 - 1));
    }

    /**
     * A new area, for one thread at a time.
     *
     * @param size bytes, 1 or more
     * @throws IllegalStateException if there is not so much left; areas are powers of two inside, of 256 bytes or more
     * @throws RejectedExecutionException if the connection is over
     */
    public Area allocate(long size) {
        return connection.allocate(size, false);
    }

    /** The same for several threads at a time, which makes handing it over some 50 µs dearer. */
    public Area allocateShared(long size) {
        return connection.allocate(size, true);
    }

    /**
     * Hands an area over, and waits for it to come back with the answer, at the priority of the calling thread.
     *
     * @throws ExecutionException if the server failed ({@link ServerException}) or ended ({@link ServerDiedException}); the area's
     *     memory is free then
     * @throws InterruptedException if the thread is interrupted; the request is taken back then, and the area's memory is free
     *     as soon as the server has it no more
     * @throws RejectedExecutionException if the connection is over, or the server takes no more requests
     * @throws IllegalStateException if the area has been handed over; if the call would close a cycle of calls
     */
    public Area call(Area area) throws InterruptedException, ExecutionException {
        try {
            return call(area, Deadline.FOREVER);
        } catch (TimeoutException e) {
            throw new AssertionError("after 146 years", e);
        }
    }

    /**
     * The same, for no longer than a while.
     *
     * @throws TimeoutException if there is no answer until then; the request is taken back, as in {@link #call(Area)}
     */
    public Area call(Area area, Duration timeout) throws InterruptedException, ExecutionException, TimeoutException {
        return call(area, System.nanoTime() + timeout.toNanos());
    }

    private Area call(Area area, long deadline) throws InterruptedException, ExecutionException, TimeoutException {
        boolean announced = Thread.currentThread().isVirtual();
        SharedReply reply = connection.submit(Endpoint.priorityOfCaller(), area, announced, deadline);
        try {
            return reply.getUntil(deadline);
        } catch (InterruptedException | TimeoutException | RuntimeException e) {
            reply.giveUp();
            throw e;
        }
    }

    /**
     * Hands an area over with a request of the calling thread's priority, and does not wait for the answer; but if as many requests
     * are on their way as may be, it waits until one of them has been answered.
     *
     * @throws InterruptedException if the thread is interrupted meanwhile; the area is still the caller's
     * @throws RejectedExecutionException if the connection is over, or the server takes no more requests
     * @throws IllegalStateException if the area has been handed over
     */
    public Reply<Area> send(Area area) throws InterruptedException {
        return send(Endpoint.priorityOfCaller(), area);
    }

    /**
     * The same, at another priority.
     *
     * @param priority Java priority, 1 to 10
     */
    public Reply<Area> send(int priority, Area area) throws InterruptedException {
        Endpoint.requirePriority(priority);
        try {
            return connection.submit(priority, area, true, Deadline.FOREVER);
        } catch (TimeoutException e) {
            throw new AssertionError("after 146 years", e);
        }
    }

    /**
     * The same as {@link #send(Area)}, but waits for no longer than a while.
     *
     * @param timeout nothing, or less: does not wait at all
     * @throws TimeoutException if {@link #MOST_REQUESTS} are on their way, and none was answered until then; the area is still the
     *     caller's
     */
    public Reply<Area> send(Area area, Duration timeout) throws InterruptedException, TimeoutException {
        return send(Endpoint.priorityOfCaller(), area, timeout);
    }

    /**
     * The same, at another priority.
     *
     * @param priority Java priority, 1 to 10
     */
    public Reply<Area> send(int priority, Area area, Duration timeout) throws InterruptedException, TimeoutException {
        Endpoint.requirePriority(priority);
        return connection.submit(priority, area, true, System.nanoTime() + timeout.toNanos());
    }

    /**
     * Has this endpoint's server answer a request that the calling thread has received: the client gets the answer from it directly,
     * and what it lends goes along. For a client in another process the area is that which the request came with, and is not copied:
     * the server gets at the client's memory. For a client in this process it is an area of this connection, and the request counts
     * there as it does here at this moment: nothing else that the client lends goes along.
     *
     * @throws RejectedExecutionException if the connection is over, the server takes no more requests, or it does not let the
     *     client in; the request is still to be answered, by {@link Request#fail}
     * @throws IllegalArgumentException if it is another area
     * @throws InterruptedException if the thread is interrupted while the server is told of the client, the first time, or has no
     *     room for the request
     */
    public void forward(Request<?, Area> request, Area area) throws InterruptedException {
        if (request.delegate(connection, area)) {
            return;
        }
        Reply<Area> sent = send(request.level(), area);
        var _ = sent.whenComplete((answer, failure) -> {
            if (failure != null) {
                request.fail(failure);
            } else if (!request.reply(answer)) {
                answer.close();
            }
        });
        var _ = request.replyFuture().whenComplete((_, _) -> sent.cancel(false)); // nothing if that has been answered
    }

    /** If the server has ended, or the connection has been closed. */
    public boolean isClosed() {
        return connection.isOver();
    }

    /** What has been counted here. */
    public SharedEndpointStatistics statistics() {
        return connection.statistics();
    }

    /**
     * Ends the connection. Who waits for an answer gets an ExecutionException with a {@link ServerDiedException}; what is in areas
     * is lost.
     */
    @Override
    public void close() {
        connection.close();
    }

    @Override
    public String toString() {
        return connection.toString();
    }
}
