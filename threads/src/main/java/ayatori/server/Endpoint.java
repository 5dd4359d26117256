package ayatori.server;

import ayatori.internal.inheritance.Carrier;
import ayatori.internal.inheritance.Inheritance;
import ayatori.internal.inheritance.Levels;
import ayatori.internal.inheritance.Loan;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Where clients call and servers answer. A request carries the priority of whoever asks, or what that thread works for at the
 * moment; the most important one is answered first, and the server works at its priority: {@link PriorityProtocol}. A server
 * that calls another server hands on what it works for, also when that rises after the call was made.
 *
 * <pre>{@code
 * try (Endpoint<Path, byte[]> files = Endpoint.<Path, byte[]>builder().name("files").build()) {
 *     files.serve(1, request -> request.reply(Files.readAllBytes(request.body())));
 *     byte[] now = files.call(path);               // synchronously
 *     Reply<byte[]> soon = files.send(path);       // asynchronously
 * }
 * }</pre>
 *
 * <p><b>Kernel.</b> Java priorities mean what the agent of this process says ({@code ayatori run}); without an agent, what the
 * {@link EndpointBuilder#ladder} says; without that, they order the requests and nothing else.
 *
 * <p>Thread-safe. Source: Y. Kamo, T. Yamauchi, H. Taniguchi, <i>Evaluation of a Scheduling Mechanism to Suppress Priority
 * Inversion in a Multi-core Environment on AnT</i>.
 *
 * @param <Q> what is asked
 * @param <R> what is answered
 */
public final class Endpoint<Q, R> implements AutoCloseable {
    private final String name;
    private final PriorityProtocol protocol;
    private final int ceiling;
    private final int capacity;
    private final Levels levels;
    private final RequestQueue<Q, R> queue;
    private final Sleepers sleepers = new Sleepers();
    private final Set<ServerThread> servers = ConcurrentHashMap.newKeySet();
    /** Of {@link #serve}. */
    private final Handlers<Q, R> handlers = new Handlers<>(this);

    /** Threads that serve, from before they have been started. */
    private final AtomicInteger serving = new AtomicInteger();

    private final AtomicInteger waiting = new AtomicInteger();
    private final Counters counters = new Counters();
    private final BriefSpin forAnswers = new BriefSpin(BriefSpin.UNLENT_NANOS);
    private volatile boolean closed;
    /** By whom other processes send requests; null: by nobody. */
    private volatile @Nullable Doorkeeper doorkeeper;

    Endpoint(EndpointBuilder<Q, R> builder) {
        name = builder.name;
        protocol = builder.protocol;
        ceiling = builder.ceiling();
        capacity = builder.capacity;
        levels = Levels.of("endpoint " + name, builder.ladder);
        queue = new RequestQueue<>(protocol.orders(), builder.ageingLimit);
    }

    /** A builder with the defaults: VPSET, a queue without bound, no ageing. */
    public static <Q, R> EndpointBuilder<Q, R> builder() {
        return new EndpointBuilder<>();
    }

    /**
     * Asks, and waits for the answer, at the priority of the calling thread.
     *
     * @throws ExecutionException if the server failed, with what it threw
     * @throws InterruptedException if the thread is interrupted; the request is taken back then
     * @throws RejectedExecutionException if the endpoint is closed
     * @throws IllegalArgumentException if the thread's priority is above the endpoint's ceiling
     */
    public R call(Q body) throws InterruptedException, ExecutionException {
        Reply<R> reply = register(priorityOfCaller(), body).replyFuture();
        try {
            return reply.get();
        } finally {
            reply.cancel(false); // nothing if it has been answered
        }
    }

    /**
     * The same, for no longer than a while.
     *
     * @throws TimeoutException if there is no answer until then; the request is taken back
     */
    public R call(Q body, Duration timeout) throws InterruptedException, ExecutionException, TimeoutException {
        Reply<R> reply = register(priorityOfCaller(), body).replyFuture();
        try {
            return reply.get(timeout.toNanos(), TimeUnit.NANOSECONDS);
        } finally {
            reply.cancel(false);
        }
    }

    /**
     * Asks at the priority of the calling thread, and does not wait for the answer; but if as many requests wait as may, it
     * waits until a server has taken this one.
     *
     * @throws InterruptedException if the thread is interrupted meanwhile; the request is taken back then
     * @throws RejectedExecutionException if the endpoint is closed
     * @throws IllegalArgumentException if the thread's priority is above the endpoint's ceiling
     */
    public Reply<R> send(Q body) throws InterruptedException {
        return send(priorityOfCaller(), body);
    }

    /**
     * The same, at another priority.
     *
     * @param priority Java priority, 1 to 10
     */
    public Reply<R> send(int priority, Q body) throws InterruptedException {
        try {
            return sendUntil(priority, body, Deadline.FOREVER);
        } catch (TimeoutException e) {
            throw new AssertionError("after 292 years", e);
        }
    }

    /**
     * The same as {@link #send(Object)}, but waits for room for no longer than a while.
     *
     * @param timeout nothing, or less: does not wait at all
     * @throws TimeoutException if as many requests wait as may, and no server has taken this one until then; it is taken back
     */
    public Reply<R> send(Q body, Duration timeout) throws InterruptedException, TimeoutException {
        return send(priorityOfCaller(), body, timeout);
    }

    /**
     * The same, at another priority.
     *
     * @param priority Java priority, 1 to 10
     */
    public Reply<R> send(int priority, Q body, Duration timeout) throws InterruptedException, TimeoutException {
        requirePriority(priority);
        if (!timeout.isPositive() && waiting.get() >= capacity) {
            requireOpen();
            throw full();
        }
        return sendUntil(priority, body, System.nanoTime() + timeout.toNanos());
    }

    /** The deadline is in nanoTime, or {@link Deadline#FOREVER}. */
    private Reply<R> sendUntil(int priority, Q body, long deadline) throws InterruptedException, TimeoutException {
        requirePriority(priority);
        Request<Q, R> request = register(priority, body);
        if (waiting.get() > capacity && !request.awaitRoom(deadline)) {
            throw full();
        }
        return request.replyFuture();
    }

    private TimeoutException full() {
        return new TimeoutException(capacity + " requests to " + name + " wait, and no more may");
    }

    static void requirePriority(int priority) {
        if (priority < Thread.MIN_PRIORITY || priority > Thread.MAX_PRIORITY) {
            throw new IllegalArgumentException("Java priority " + priority + ": must be 1 to 10");
        }
    }

    static int priorityOfCaller() {
        Carrier carrier = Carrier.current();
        return carrier == null ? Thread.currentThread().getPriority() : carrier.callingLevel();
    }

    private Request<Q, R> register(int priority, Q body) {
        Request<Q, R> request = new Request<>(this, body, new Reply<>(priority), priority, null);
        accept(request);
        return request;
    }

    /** Registers a request: with whoever is to answer it next, it raises a server under VPSET, and wakes one if need be. */
    void accept(Request<Q, R> request) {
        if (register(request)) {
            notifyServer(request);
        }
    }

    /** The same for a server that looks for requests itself; false: it has been cancelled meanwhile. */
    boolean register(Request<Q, R> request) {
        if (protocol == PriorityProtocol.CEILING && request.priority() > ceiling) {
            throw new IllegalArgumentException(
                    "Java priority " + request.priority() + " of a request: the ceiling of " + name + " is " + ceiling);
        }
        requireOpen();
        Reply<R> reply = request.replyFuture();
        reply.of(request);
        waiting.getAndIncrement();
        queue.add(request);
        if (reply.isDone() && request.withdraw()) { // cancelled while it was forwarded
            request.cancelled();
            return false;
        }
        if (closed && request.withdraw()) { // whoever was to answer it may have gone
            withdrawn(request);
            requireOpen();
        }
        counters.requests.increment();
        Loan lent = reply.loan();
        if (lent != null) { // a forwarded one, and its place is a higher one
            Inheritance.moved(lent);
        }
        return true;
    }

    private void requireOpen() {
        if (closed) {
            throw new RejectedExecutionException("endpoint " + name + " is closed");
        }
    }

    private void notifyServer(Request<Q, R> request) {
        if (bringToServer(request)) {
            counters.wakes.increment();
        } else {
            counters.wakesSkipped.increment();
        }
    }

    /**
     * One operation at most: who is woken is raised before, and who is raised because all are awake needs no waking.
     *
     * @return if one has been woken
     */
    private boolean bringToServer(Request<Q, R> request) {
        int level = protocol == PriorityProtocol.VPSET ? request.level() : 0;
        Sleepers.Sleeper sleeper = sleepers.pop();
        boolean raised = sleeper != null && sleeper.wake(level);
        if (raised) {
            counters.raises.increment();
        }
        if (sleeper == null) {
            for (ServerThread server : servers) {
                if (server.ensureWoken(level)) {
                    counters.raises.increment();
                    raised = true;
                }
            }
        }
        if (level > 0 && levels.inForce()) {
            // One that was woken may have been up already, and be on its way to the queue at its old level.
            boolean low = sleeper == null ? soonestBelow(level) != null : sleeper.isBelow(level);
            if (low && request.waits()) {
                Inheritance.queued(request.replyFuture()::makeLoan);
            } else if (!raised) {
                counters.raisesSkipped.increment();
            }
        }
        return sleeper != null;
    }

    /**
     * Makes the calling thread a server, until it closes what it gets.
     *
     * @throws IllegalStateException if it is one already, or works in a pool, or is virtual
     * @throws RejectedExecutionException if the endpoint is closed
     */
    public Server<Q, R> server() {
        requireOpen();
        ServerThread thread = enter();
        serving.getAndIncrement();
        return new Server<>(this, thread);
    }

    /**
     * Starts threads that serve until the endpoint is closed, and returns when all of them do: who calls afterwards has somebody to lend
     * its priority to. What a handler throws is the client's answer.
     *
     * @param threads 1 or more
     * @throws IllegalStateException if one of them cannot serve
     */
    public void serve(int threads, RequestHandler<Q, R> handler) {
        if (threads < 1) {
            throw new IllegalArgumentException("threads " + threads + ": must be 1 or more");
        }
        requireOpen();
        handlers.start(threads, handler);
    }

    void oneMoreServes() {
        serving.getAndIncrement();
    }

    /** It has not come to that. */
    void oneLessServes() {
        serving.getAndDecrement();
        rejectIfAbandoned();
    }

    /** Takes the next request for a server; null if there will be none. The deadline is in nanoTime. */
    @Nullable
    Request<Q, R> next(ServerThread server, long deadline) throws InterruptedException, TimeoutException {
        while (true) {
            boolean last = closed; // asked first: what came before that is still found
            Doorkeeper now = doorkeeper;
            Request<Q, R> request = take(server, now);
            if (request != null) {
                if (now != null && servers.size() > 1) {
                    bringFirst(); // several may have been collected by one
                }
                return request;
            }
            if (last) {
                return null;
            }
            if (Deadline.hasCome(deadline)) {
                throw new TimeoutException("no request to " + name + " in time");
            }
            sleep(server, deadline);
        }
    }

    private @Nullable Request<Q, R> take(ServerThread server, @Nullable Doorkeeper now) {
        if (now == null) {
            return begin(server, null);
        }
        server.hasInHand(true);
        try {
            now.collect();
            return begin(server, now);
        } finally {
            server.hasInHand(false);
        }
    }

    private @Nullable Request<Q, R> begin(ServerThread server, @Nullable Doorkeeper now) {
        Request<Q, R> request = queue.poll(server);
        if (request == null) {
            return null;
        }
        waiting.getAndDecrement();
        counters.taken.increment();
        boolean falls = server.falls(request);
        if (falls && now != null) {
            now.announce(request.priority());
            now.collect();
        }
        if (falls || queue.ages()) {
            heedHigherThan(request, server);
        }
        server.begin(request);
        if (now != null) {
            now.arrived(server);
        }
        return request;
    }

    private void sleep(ServerThread server, long deadline) throws InterruptedException {
        Doorkeeper now = doorkeeper;
        // What is counted only has a sender that cannot go on while a more important thread looks for it.
        BooleanSupplier found = () -> closed || doorkeeper != now || (waiting.get() > 0 && !queue.isEmpty());
        if (now == null ? server.findsSoon(found, deadline) : now.looks(server, found, deadline)) {
            return;
        }
        Sleepers.Sleeper sleeper = sleepers.push(server);
        server.sleepsAs(sleeper);
        try {
            if ((closed || !queue.isEmpty()) && sleeper.goes()) {
                return;
            }
            if (sleeper.isTaken()) { // by a sender that may be preempted, while another one relies on it
                sleeper.wake(0);
            }
            sleeper.sleep(this, doorkeeper, deadline); // asked again: who publishes it wakes those who sleep already
        } finally {
            server.sleepsAs(null);
        }
    }

    /** For those who wait for its answers. */
    BriefSpin forAnswers() {
        return forAnswers;
    }

    /**
     * A more important request may wait than the one that has been taken: since that had waited for long, or since the other came
     * when this server had not said yet that it would go down.
     */
    private void heedHigherThan(Request<Q, R> request, ServerThread server) {
        if (protocol == PriorityProtocol.VPSET && levels.inForce()) {
            Request<Q, R> first = queue.first();
            if (first != null && first.level() > request.level()) {
                Inheritance.heedWaiting(server);
            }
        }
    }

    /** If requests wait for a server that has found them. */
    boolean isAnyWaiting() {
        return !queue.isEmpty();
    }

    /** The first request that waits may have come without a notice, or to a server that does not take it. */
    void bringFirst() {
        Request<Q, R> first = queue.first();
        if (first != null) {
            var _ = bringToServer(first);
        }
    }

    /** Makes the calling thread a server. */
    ServerThread enter() {
        int level = switch (protocol) {
            case NONE -> 0;
            case VPGET, VPSET -> Thread.currentThread().getPriority();
            case CEILING -> ceiling;
        };
        ServerThread thread = new ServerThread(this, level);
        servers.add(thread);
        tellOfServers();
        return thread;
    }

    /** The calling thread serves no more. */
    void leave(ServerThread server) {
        servers.remove(server);
        tellOfServers();
        server.end();
        serving.getAndDecrement();
        bringFirst();
        rejectIfAbandoned();
    }

    /** Requests to a closed endpoint that nobody serves any more get their answer here. */
    private void rejectIfAbandoned() {
        if (!closed || serving.get() > 0) {
            return;
        }
        Doorkeeper published = doorkeeper;
        if (published != null) {
            published.collect();
        }
        Request<Q, R> request;
        while ((request = queue.withdraw()) != null) {
            withdrawn(request);
            Inheritance.withdrawn(request.replyFuture().loan());
            request.fail(new RejectedExecutionException("endpoint " + name + " is closed, and nobody serves it"));
        }
    }

    /**
     * Takes no more requests, has those that wait answered, and waits for the threads of {@link #serve}. Servers of the other
     * kind find nothing more when they have taken the last request; without any server, requests fail. A handler that closes
     * its own endpoint does not wait; two that close each other's wait for ever.
     */
    @Override
    public void close() {
        Doorkeeper published = doorkeeper;
        if (published != null) {
            published.refuseRequests();
        }
        closed = true;
        if (published == null) {
            published = doorkeeper; // since just now
        }
        sleepers.wakeAll();
        rejectIfAbandoned();
        handlers.join();
        if (published != null) {
            published.close();
        }
    }

    /**
     * From now on other processes send requests too.
     *
     * @throws IllegalStateException if they do already
     */
    synchronized void publishedBy(Doorkeeper newDoorkeeper) {
        requireOpen();
        if (doorkeeper != null) {
            throw new IllegalStateException("endpoint " + name + " is published already");
        }
        doorkeeper = newDoorkeeper;
        if (closed) { // and who has closed it may have missed this
            doorkeeper = null;
            requireOpen();
        }
        tellOfServers();
        sleepers.wakeAll(); // to sleep again in another way
    }

    /** They do no more. */
    synchronized void unpublished() {
        doorkeeper = null;
        sleepers.wakeAll();
        for (ServerThread server : servers) {
            server.unpark();
        }
    }

    private synchronized void tellOfServers() {
        Doorkeeper now = doorkeeper;
        if (now != null) {
            now.serves(soleServer());
        }
    }

    /** Linux id of the only thread that serves; 0: there is none, or more than one. */
    private int soleServer() {
        var all = servers.iterator();
        int id = all.hasNext() ? all.next().id() : 0;
        return all.hasNext() ? 0 : id;
    }

    /** If who waits lends its priority through the kernel, since nobody tells that of priorities. */
    boolean isLentByKernel() {
        return protocol == PriorityProtocol.VPSET
                && !levels.inForce()
                && Endpoint.class.getModule().isNativeAccessEnabled();
    }

    /** Who will take a request and may be lent a priority for it; 0: that is not known. */
    int lendsTo() {
        return protocol == PriorityProtocol.VPSET ? soleServer() : 0;
    }

    /** Those who serve, to be woken for another reason than a request. */
    Set<ServerThread> servers() {
        return servers;
    }

    /** If it takes no more requests. */
    public boolean isClosed() {
        return closed;
    }

    /** A request that waited has been withdrawn. */
    void withdrawn(Request<Q, R> request) {
        queue.remove(request);
        waiting.getAndDecrement();
    }

    /** The server to be raised for a request that waits; null if there is none. */
    @Nullable
    ServerThread soonestBelow(int level) {
        return protocol == PriorityProtocol.VPSET ? Inheritance.soonestBelow(level, servers) : null;
    }

    /** {@link ServerThread#unheeded}. */
    @Nullable
    Loan unheeded() {
        // One that is done will be withdrawn: nobody is raised for it, and it would be found again and again.
        Request<Q, R> request = queue.first(one ->
                !one.replyFuture().isDone() && !Loan.isHelped(one.replyFuture().loan()));
        return request == null || soonestBelow(request.level()) == null
                ? null
                : request.replyFuture().makeLoan();
    }

    /** How it is at this moment. */
    public EndpointStatistics statistics() {
        return counters.statistics(name, waiting.get(), servers.size());
    }

    Counters counters() {
        return counters;
    }

    /** The name, as in {@link EndpointBuilder#name}. */
    public String name() {
        return name;
    }

    PriorityProtocol protocol() {
        return protocol;
    }

    Levels levels() {
        return levels;
    }

    RequestQueue<Q, R> queue() {
        return queue;
    }

    @Override
    public String toString() {
        return "endpoint " + name + "[" + protocol + ", " + servers.size() + " servers, " + waiting.get()
                + " requests waiting]";
    }
}
