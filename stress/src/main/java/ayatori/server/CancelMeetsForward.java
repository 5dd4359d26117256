package ayatori.server;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.IZZ_Result;

/**
 * A request is cancelled while it is forwarded and taken. First: requests that still wait, here or there. Second: if its reply is
 * done. Third: if the forwarding server is still raised.
 */
@JCStressTest
@Outcome(id = "0, true, false", expect = Expect.ACCEPTABLE, desc = "cancelled, and nothing is left of it")
@State
public class CancelMeetsForward {
    private final Endpoint<Integer, Integer> files =
            Endpoint.<Integer, Integer>builder().build();
    private final Endpoint<Integer, Integer> blocks =
            Endpoint.<Integer, Integer>builder().build();
    private final Request<Integer, Integer> request = new Request<>(files, 1, new Reply<>(5), 5, null);
    private volatile boolean helps;

    /** The request waits for the file server. */
    public CancelMeetsForward() {
        files.accept(request);
    }

    @Actor
    public void forward() {
        ServerThread thread = new ServerThread(files, 0);
        try {
            if (files.next(thread, System.nanoTime()) != null) {
                request.forward(blocks, 2);
            }
        } catch (Exception e) {
            // cancelled before
        } finally {
            helps = thread.helps();
            thread.end();
        }
    }

    @Actor
    public void cancel() {
        request.replyFuture().cancel(false);
    }

    @Arbiter
    public void whatIsLeft(IZZ_Result result) {
        result.r1 = files.statistics().waiting() + blocks.statistics().waiting();
        result.r2 = request.isDone();
        result.r3 = helps;
    }
}
