package jpi.internal.engine;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.IZ_Result;

/**
 * A receive for which nobody waits gets a follower while its message arrives. First: how often that has run. Second: if the receive
 * was over when it did.
 */
@JCStressTest
@Outcome(id = "1, true", expect = Expect.ACCEPTABLE, desc = "followed once")
@State
public class FollowMeetsComplete {
    private final LoneRank rank = new LoneRank();
    private final Receive receive = rank.receive(1);
    private final AtomicInteger runs = new AtomicInteger();
    private final CountDownLatch ran = new CountDownLatch(1);
    private volatile boolean over;

    private void followed() {
        over = receive.isDone();
        runs.incrementAndGet();
        ran.countDown();
    }

    @Actor
    public void arrive() {
        rank.send(1, "a message");
    }

    @Actor
    public void follow() {
        receive.follow(this::followed);
    }

    @Arbiter
    public void howOften(IZ_Result result) {
        LoneRank.await(ran);
        // One that ran twice was started twice, before this one.
        CountDownLatch later = new CountDownLatch(1);
        var _ = Thread.startVirtualThread(later::countDown);
        LoneRank.await(later);
        result.r1 = runs.get();
        result.r2 = over;
    }
}
