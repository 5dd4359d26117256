package mpi;

import java.util.function.Supplier;

/** An operation that is begun again and again with the same arguments. */
public final class Prequest extends Request {
    private final Supplier<Request> operation;

    Prequest(Supplier<Request> operation) {
        this.operation = operation;
    }

    /** Begins it. */
    public void start() {
        if (!isNull()) {
            throw new MPIException("the request is under way: wait for it before it is started again");
        }
        become(operation.get());
    }

    /** Begins all of some. */
    public static void startAll(Prequest[] requests) {
        for (Prequest request : Given.required(requests, Request.NO_ARRAY)) {
            Given.required(request, "a request to be started is null: make it by sendInit or the like")
                    .start();
        }
    }
}
