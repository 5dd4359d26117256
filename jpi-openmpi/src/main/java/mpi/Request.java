package mpi;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import jpi.JBuffer;
import jpi.JException;
import jpi.JRequest;
import jpi.JStatus;
import org.jspecify.annotations.Nullable;

/** An operation under way, or none any more: then it is what MPI calls a null request. */
public class Request implements Freeable {
    /** Says that there is nothing to look at. */
    static final String NO_ARRAY = "the requests are null: give an array of them";

    /** Null: nothing is under way. */
    private @Nullable Pending pending;

    /** What is under way, and what is to be done when it is over. */
    private record Pending(@Nullable JRequest<?> request, Supplier<Status> end) {
        boolean isOver() {
            return request == null || request.test();
        }

        boolean isCancelled() {
            return request != null && request.isCancelled();
        }
    }

    Request() {}

    private Request(Pending pending) {
        this.pending = pending;
    }

    /** @param end what is to be done when it is over */
    static Request of(JRequest<?> request, Runnable end) {
        return new Request(new Pending(request, () -> {
            var _ = request.await();
            end.run();
            return Status.empty();
        }));
    }

    static Request ofReceive(JRequest<JStatus> request, Region region, JBuffer space) {
        return new Request(new Pending(request, () -> {
            JStatus status = request.await();
            region.take(space, status.count());
            return Status.of(status, region.type());
        }));
    }

    /** One that is over already. */
    static Request ofStatus(Status status) {
        return new Request(new Pending(null, () -> status));
    }

    /** Takes over what another has begun. */
    void become(Request begun) {
        pending = begun.pending;
    }

    /** If nothing is under way. */
    public final boolean isNull() {
        return pending == null;
    }

    /** Forgets it; it goes on. */
    @Override
    public void free() {
        pending = null;
    }

    /** Gives up a receive whose message has not come. It is to be waited for all the same. */
    public final void cancel() {
        Pending mine = pending;
        if (mine != null && mine.request() != null) {
            var _ = mine.request().cancel();
        }
    }

    /** Waits until it is over. */
    public final Status waitStatus() {
        Status status = finished();
        pending = null;
        return status;
    }

    /** Waits until it is over. */
    public final void waitFor() {
        var _ = waitStatus();
    }

    private Status finished() {
        Pending mine = pending;
        return mine == null
                ? Status.empty()
                : MPIException.of(() -> {
                    try {
                        return mine.end().get();
                    } catch (JException e) {
                        if (mine.isCancelled()) {
                            return Status.ofCancelled();
                        }
                        throw e;
                    }
                });
    }

    private boolean isOver() {
        Pending mine = pending;
        return mine == null || mine.isOver();
    }

    /** If it is over, what is known of it; else null. */
    public final @Nullable Status testStatus() {
        return isOver() ? waitStatus() : null;
    }

    /** The same, but that it stays what it is. */
    public final @Nullable Status getStatus() {
        return isOver() ? finished() : null;
    }

    /** If it is over. */
    public final boolean test() {
        return testStatus() != null;
    }

    // Several.

    /** Refuses what is none, before any of the others is waited for. */
    private static Request[] required(Request[] requests) {
        Request[] all = Given.required(requests, NO_ARRAY);
        for (int i = 0; i < all.length; i++) {
            if (all[i] == null) {
                throw new MPIException("request " + i + " is null: give MPI.REQUEST_NULL where there is none");
            }
        }
        return all;
    }

    private static List<Integer> activeOnes(Request[] requests) {
        List<Integer> active = new ArrayList<>();
        Request[] all = required(requests);
        for (int i = 0; i < all.length; i++) {
            if (!all[i].isNull()) {
                active.add(i);
            }
        }
        return active;
    }

    /** Waits for all. */
    public static Status[] waitAllStatus(Request[] requests) {
        Status[] statuses = new Status[required(requests).length];
        for (int i = 0; i < requests.length; i++) {
            statuses[i] = requests[i].waitStatus().at(i);
        }
        return statuses;
    }

    /** Waits for all. */
    public static void waitAll(Request[] requests) {
        var _ = waitAllStatus(requests);
    }

    /** If all are over, what is known of them; else null. */
    public static Status @Nullable [] testAllStatus(Request[] requests) {
        for (Request request : required(requests)) {
            if (!request.isOver()) {
                return null;
            }
        }
        return waitAllStatus(requests);
    }

    /** If all are over. */
    public static boolean testAll(Request[] requests) {
        return testAllStatus(requests) != null;
    }

    /** Waits for one of them; its index is in the status, {@link MPI#UNDEFINED} if nothing is under way. */
    public static Status waitAnyStatus(Request[] requests) {
        List<Integer> active = activeOnes(requests);
        if (active.isEmpty()) {
            return Status.empty().at(MPI.UNDEFINED);
        }
        List<JRequest<?>> waited = new ArrayList<>();
        for (int i : active) {
            Pending pending = requests[i].pending;
            JRequest<?> request = pending == null ? null : pending.request();
            if (request == null) {
                return requests[i].waitStatus().at(i);
            }
            waited.add(request);
        }
        int first = active.get(MPIException.of(() -> JRequest.awaitAny(waited)));
        return requests[first].waitStatus().at(first);
    }

    /** Waits for one of them: which; {@link MPI#UNDEFINED} if nothing is under way. */
    public static int waitAny(Request[] requests) {
        return waitAnyStatus(requests).getIndex();
    }

    /** If one of them is over, what is known of it; else null. */
    public static @Nullable Status testAnyStatus(Request[] requests) {
        List<Integer> active = activeOnes(requests);
        for (int i : active) {
            if (requests[i].isOver()) {
                return requests[i].waitStatus().at(i);
            }
        }
        return active.isEmpty() ? Status.empty().at(MPI.UNDEFINED) : null;
    }

    /** One of them that is over; {@link MPI#UNDEFINED}: none. */
    public static int testAny(Request[] requests) {
        Status status = testAnyStatus(requests);
        return status == null ? MPI.UNDEFINED : status.getIndex();
    }

    /** Waits for at least one of them; null if nothing is under way. */
    public static Status @Nullable [] waitSomeStatus(Request[] requests) {
        Status first = waitAnyStatus(requests);
        if (first.getIndex() == MPI.UNDEFINED) {
            return null;
        }
        Status[] others = over(requests);
        Status[] all = new Status[1 + others.length];
        all[0] = first;
        System.arraycopy(others, 0, all, 1, others.length);
        return all;
    }

    /** Waits for at least one of them: which; null if nothing is under way. */
    public static int @Nullable [] waitSome(Request[] requests) {
        Status[] statuses = waitSomeStatus(requests);
        return statuses == null ? null : indices(statuses);
    }

    private static Status[] over(Request[] requests) {
        List<Status> over = new ArrayList<>();
        for (int i : activeOnes(requests)) {
            if (requests[i].isOver()) {
                over.add(requests[i].waitStatus().at(i));
            }
        }
        return over.toArray(Status[]::new);
    }

    private static int[] indices(Status[] statuses) {
        int[] indices = new int[statuses.length];
        for (int i = 0; i < indices.length; i++) {
            indices[i] = statuses[i].getIndex();
        }
        return indices;
    }

    /** Those that are over; null if nothing is under way. */
    public static Status @Nullable [] testSomeStatus(Request[] requests) {
        return activeOnes(requests).isEmpty() ? null : over(requests);
    }

    /** Which are over; null if nothing is under way. */
    public static int @Nullable [] testSome(Request[] requests) {
        Status[] statuses = testSomeStatus(requests);
        return statuses == null ? null : indices(statuses);
    }
}
