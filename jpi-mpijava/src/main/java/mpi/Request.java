package mpi;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import jpi.JException;
import jpi.JRequest;
import jpi.JStatus;
import org.jspecify.annotations.Nullable;

/** An operation under way, or none any more: then it is what MPI calls a null request. */
@SuppressWarnings("MemberName") // MPI's names
public class Request {
    /** Says that there is nothing to look at. */
    static final String NO_ARRAY = "the requests are null: give an array of them";

    /** Null: nothing is under way. */
    private @Nullable Pending pending;

    /** What is under way, and what is to be done when it is over. */
    private record Pending(JRequest<?> request, Function<JRequest<?>, Status> end) {}

    Request() {}

    private Request(Pending pending) {
        this.pending = pending;
    }

    static Request ofSend(JRequest<?> request) {
        return new Request(new Pending(request, over -> {
            var _ = over.await();
            return new Status();
        }));
    }

    static Request ofReceive(JRequest<JStatus> request, Region region, jpi.JBuffer space) {
        return new Request(new Pending(request, _ -> {
            JStatus status = request.await();
            region.take(space, status.count());
            return Status.of(status);
        }));
    }

    static Request ofObjects(JRequest<Object> request, Region region) {
        return new Request(new Pending(request, _ -> objects(request, region)));
    }

    @SuppressWarnings("NullAway") // null is what a receive from PROC_NULL brings
    private static Status objects(JRequest<Object> request, Region region) {
        Object message = request.await();
        if (message == null) {
            return Status.ofNobody();
        }
        region.take(message);
        return Status.of(request.status(), ((Object[]) message).length);
    }

    /** Takes over what another has begun. */
    void become(Request begun) {
        pending = begun.pending;
    }

    /** If nothing is under way. */
    public boolean Is_null() {
        return pending == null;
    }

    /** Waits until it is over. */
    public Status Wait() {
        Pending mine = pending;
        if (mine == null) {
            return new Status();
        }
        Status status = MPIException.of(() -> end(mine));
        pending = null;
        return status;
    }

    private static Status end(Pending mine) {
        try {
            return mine.end().apply(mine.request());
        } catch (JException e) {
            if (mine.request().isCancelled()) {
                return Status.ofCancelled();
            }
            throw e;
        }
    }

    private boolean isOver() {
        Pending mine = pending;
        return mine == null || mine.request().test();
    }

    /** If it is over, what is known of it; else null. */
    public @Nullable Status Test() {
        return isOver() ? Wait() : null;
    }

    /** Gives up a receive whose message has not come. It is to be waited for all the same. */
    public void Cancel() {
        Pending mine = pending;
        if (mine != null) {
            var _ = mine.request().cancel();
        }
    }

    /** Forgets it; it goes on. */
    public void Free() {
        pending = null;
    }

    /** Forgets it; it goes on. */
    public void free() {
        Free();
    }

    // Several.

    /** Null among several is {@link MPI#REQUEST_NULL}, as in MPJ Express. */
    private static boolean isActive(@Nullable Request request) {
        return request != null && request.pending != null;
    }

    /** Waits for all. */
    public static Status[] Waitall(Request[] requests) {
        Status[] statuses = new Status[Given.required(requests, NO_ARRAY).length];
        for (int i = 0; i < requests.length; i++) {
            Request request = requests[i];
            statuses[i] = (isActive(request) ? request.Wait() : new Status()).at(i);
        }
        return statuses;
    }

    /** If all are over, what is known of them; else null. */
    public static Status @Nullable [] Testall(Request[] requests) {
        for (Request request : Given.required(requests, NO_ARRAY)) {
            if (isActive(request) && !request.isOver()) {
                return null;
            }
        }
        return Waitall(requests);
    }

    private static List<Integer> activeOnes(Request[] requests) {
        List<Integer> active = new ArrayList<>();
        Request[] all = Given.required(requests, NO_ARRAY);
        for (int i = 0; i < all.length; i++) {
            if (isActive(all[i])) {
                active.add(i);
            }
        }
        return active;
    }

    private static Status none() {
        return new Status().at(MPI.UNDEFINED);
    }

    /** Waits for one of them; its index is in the status, {@link MPI#UNDEFINED} if nothing is under way. */
    public static Status Waitany(Request[] requests) {
        List<Integer> active = activeOnes(requests);
        if (active.isEmpty()) {
            return none();
        }
        List<JRequest<?>> waited = new ArrayList<>();
        for (int i : active) {
            Pending pending = requests[i].pending;
            if (pending != null) {
                waited.add(pending.request());
            }
        }
        int first = active.get(MPIException.of(() -> JRequest.awaitAny(waited)));
        return requests[first].Wait().at(first);
    }

    /** If one of them is over, what is known of it; else null. */
    public static @Nullable Status Testany(Request[] requests) {
        List<Integer> active = activeOnes(requests);
        for (int i : active) {
            if (requests[i].isOver()) {
                return requests[i].Wait().at(i);
            }
        }
        return active.isEmpty() ? none() : null;
    }

    /** Waits for at least one of them; an empty array if nothing is under way. */
    public static Status[] Waitsome(Request[] requests) {
        Status first = Waitany(requests);
        if (first.index == MPI.UNDEFINED) {
            return new Status[0];
        }
        Status[] others = Testsome(requests);
        Status[] all = new Status[1 + others.length];
        all[0] = first;
        System.arraycopy(others, 0, all, 1, others.length);
        return all;
    }

    /** Those that are over. */
    public static Status[] Testsome(Request[] requests) {
        List<Status> over = new ArrayList<>();
        for (int i : activeOnes(requests)) {
            if (requests[i].isOver()) {
                over.add(requests[i].Wait().at(i));
            }
        }
        return over.toArray(Status[]::new);
    }
}
