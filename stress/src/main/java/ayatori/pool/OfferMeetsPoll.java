package ayatori.pool;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.IZ_Result;

/**
 * Two threads offer and take at the end of a lane's first segment: no task is lost, and none taken twice. First: how many
 * were taken, in the end by the last look. Second: if nothing is left.
 */
@JCStressTest
@Outcome(id = "2, true", expect = Expect.ACCEPTABLE, desc = "each once")
@State
public class OfferMeetsPoll {
    private static final int PRIORITY = 5;

    private static final ReusableThreadPool POOL =
            ReusableThreadPool.builder().maximumThreads(1).build();

    private final Lane lane = new Lane(PRIORITY);
    private int first;
    private int second;

    /** Leaves one slot of the first segment. */
    public OfferMeetsPoll() {
        for (int i = 0; i < 15; i++) {
            offer();
            take();
        }
    }

    private void offer() {
        lane.offer(new TaskFuture<>(POOL, (Runnable) () -> {}, PRIORITY, false));
    }

    private int take() {
        return lane.poll(null, new Lane.Place(), true) == null ? 0 : 1;
    }

    @Actor
    public void offerAndTakeOne() {
        offer();
        first = take();
    }

    @Actor
    public void offerAndTakeAnother() {
        offer();
        second = take();
    }

    @Arbiter
    public void takeTheRest(IZ_Result result) {
        result.r1 = first + second + take() + take();
        result.r2 = lane.isEmpty();
    }
}
