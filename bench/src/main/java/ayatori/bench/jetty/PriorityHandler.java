package ayatori.bench.jetty;

import ayatori.pool.ReusableThreadPool;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.ToIntFunction;
import org.eclipse.jetty.http.HttpStatus;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;

/**
 * Hands each request on to the pool, to be handled there at the priority of the request. It says of itself that it does not
 * block; so Jetty reads and parses requests in the thread that selects, at Jetty's own priority, and there is one hand-over
 * a request, as there is without it.
 */
public final class PriorityHandler extends Handler.Wrapper {
    private final ReusableThreadPool pool;
    private final ToIntFunction<Request> priority;

    /**
     * In front of a handler.
     *
     * @param priority Java priority of a request, 1 to 10
     */
    public PriorityHandler(ReusableThreadPool pool, ToIntFunction<Request> priority, Handler handler) {
        super(handler);
        this.pool = pool;
        this.priority = priority;
    }

    @Override
    public InvocationType getInvocationType() {
        return InvocationType.NON_BLOCKING;
    }

    @Override
    public boolean handle(Request request, Response response, Callback callback) {
        try {
            pool.execute(priority.applyAsInt(request), () -> handleNow(request, response, callback));
        } catch (RejectedExecutionException e) {
            Response.writeError(request, response, callback, HttpStatus.SERVICE_UNAVAILABLE_503);
        }
        return true;
    }

    private void handleNow(Request request, Response response, Callback callback) {
        try {
            if (!super.handle(request, response, callback)) {
                Response.writeError(request, response, callback, HttpStatus.NOT_FOUND_404);
            }
        } catch (Throwable t) {
            Response.writeError(request, response, callback, t);
        }
    }
}
