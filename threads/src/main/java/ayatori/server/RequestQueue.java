package ayatori.server;

import ayatori.internal.inheritance.Loan;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The requests that wait for a server, by Java priority or, where that does not count, in the order in which they came. No
 * operation waits for another, so that a preempted low thread never keeps a more important one out. A request that is raised
 * is put in at the higher priority too; who comes upon it first takes it, and what is left of it is dropped where it is found.
 */
final class RequestQueue<Q, R> {
    private final List<Queue<Request<Q, R>>> byPriority = new ArrayList<>();
    private final boolean ordered;
    /** All of them, in the order in which they came; null if none ever comes first because it has waited for long. */
    private final @Nullable Queue<Request<Q, R>> arrivals;
    /** Nanoseconds after which a request comes first. */
    private final long limit;

    /**
     * Makes an empty one.
     *
     * @param ordered if priorities count
     * @param limit nanoseconds after which a request comes first, whatever its priority; 0: never
     */
    RequestQueue(boolean ordered, long limit) {
        this.ordered = ordered;
        this.limit = limit;
        arrivals = ordered && limit > 0 ? new ConcurrentLinkedQueue<>() : null;
        for (int priority = 0; priority <= Thread.MAX_PRIORITY; priority++) {
            byPriority.add(new ConcurrentLinkedQueue<>());
        }
    }

    /** If a request may come first because it has waited for long. */
    boolean ages() {
        return arrivals != null;
    }

    void add(Request<Q, R> request) {
        if (arrivals != null) {
            arrivals.add(request);
        }
        own(request).add(request);
    }

    private Queue<Request<Q, R>> own(Request<Q, R> request) {
        return byPriority.get(ordered ? request.priority() : 0);
    }

    /** One that waited has been withdrawn: nobody may come upon it for long. */
    void remove(Request<Q, R> request) {
        own(request).remove(request);
        if (arrivals != null) {
            arrivals.remove(request);
        }
    }

    /** Puts a request that waits in a second time, where a more important one would be. */
    void raise(Request<Q, R> request, int level) {
        if (ordered) {
            byPriority.get(level).add(request);
        }
    }

    /** Takes the most important request for a server; null if there is none. */
    @Nullable
    Request<Q, R> poll(ServerThread server) {
        Request<Q, R> overdue = pollOverdue(server);
        if (overdue != null) {
            return overdue;
        }
        for (int priority = Thread.MAX_PRIORITY; priority >= 0; priority--) {
            Request<Q, R> request;
            while ((request = byPriority.get(priority).poll()) != null) {
                if (stillBelongs(request, priority) && request.take(server)) {
                    if (ordered && priority != request.priority()) {
                        own(request).remove(request);
                    }
                    if (arrivals != null) {
                        arrivals.remove(request);
                    }
                    return request;
                }
            }
        }
        return null;
    }

    /** If the request, which was found there, has this priority or, if it was raised to it, has it still. */
    private boolean stillBelongs(Request<Q, R> request, int priority) {
        if (!ordered || priority == request.priority()) {
            return true;
        }
        Loan loan = request.replyFuture().loan();
        if (loan != null) {
            loan.foundAt(priority);
        }
        return request.level() >= priority;
    }

    /** The most important request that waits; null if none does. */
    @Nullable
    Request<Q, R> first() {
        return first(request -> true);
    }

    /** Of those that are right the most important request that waits; null if none does. */
    @Nullable
    Request<Q, R> first(Predicate<Request<Q, R>> isRight) {
        for (int priority = Thread.MAX_PRIORITY; priority >= 0; priority--) {
            for (Request<Q, R> request : byPriority.get(priority)) {
                if (request.waits() && (!ordered || request.level() >= priority) && isRight.test(request)) {
                    return request;
                }
            }
        }
        return null;
    }

    private @Nullable Request<Q, R> pollOverdue(ServerThread server) {
        if (arrivals == null) {
            return null;
        }
        Request<Q, R> oldest;
        while ((oldest = arrivals.peek()) != null) {
            boolean waits = oldest.waits();
            if (waits && System.nanoTime() - oldest.arrival() < limit) {
                return null;
            }
            if (arrivals.remove(oldest) && waits && oldest.take(server)) {
                own(oldest).remove(oldest);
                return oldest;
            }
        }
        return null;
    }

    /** If no server would find anything. */
    boolean isEmpty() {
        return first() == null;
    }

    /** Withdraws one that waits; null if none does. */
    @Nullable
    Request<Q, R> withdraw() {
        for (Queue<Request<Q, R>> queue : byPriority) {
            Request<Q, R> request;
            while ((request = queue.poll()) != null) {
                if (request.withdraw()) {
                    return request;
                }
            }
        }
        return null;
    }
}
