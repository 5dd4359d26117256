package jpi.internal.engine;

import java.util.concurrent.CountDownLatch;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.III_Result;

/**
 * Two ranks send two messages each while the receiver falls asleep, wakes, or is just taking one: none is lost, and those of each
 * come in its order. First and second: the digits that came of each. Third: what is left.
 */
@JCStressTest
@Outcome(id = "12, 12, 0", expect = Expect.ACCEPTABLE, desc = "all came, in order")
@State
public class SendersMeetReceiver {
    private static final int MESSAGES = 4;
    private static final LoneRank RANK = new LoneRank();

    static {
        var _ = Thread.ofPlatform().daemon().start(SendersMeetReceiver::receive);
    }

    private final CountDownLatch missing = new CountDownLatch(MESSAGES);
    private int fromFirst;
    private int fromSecond;

    /** A message. */
    private record Digit(SendersMeetReceiver race, int source, int digit) {}

    private static void receive() {
        while (true) {
            Digit next = (Digit) RANK.await(RANK.receive(LoneRank.ANY));
            next.race.take(next);
        }
    }

    private void take(Digit next) {
        if (next.source == 1) {
            fromFirst = fromFirst * 10 + next.digit;
        } else {
            fromSecond = fromSecond * 10 + next.digit;
        }
        missing.countDown();
    }

    private void send(int source) {
        RANK.send(source, new Digit(this, source, 1));
        RANK.send(source, new Digit(this, source, 2));
    }

    @Actor
    public void first() {
        send(1);
    }

    @Actor
    public void second() {
        send(2);
    }

    @Arbiter
    public void whatCame(III_Result result) {
        LoneRank.await(missing);
        result.r1 = fromFirst;
        result.r2 = fromSecond;
        result.r3 = (int) missing.getCount();
    }
}
