package jpi.internal.engine;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.ZZI_Result;

/**
 * A receive is given up while its message arrives. First: if it was given up. Second: if it has the message. Third: messages that
 * nobody has received.
 */
@JCStressTest
@Outcome(id = "true, false, 1", expect = Expect.ACCEPTABLE, desc = "given up, and the message stays for others")
@Outcome(id = "false, true, 0", expect = Expect.ACCEPTABLE, desc = "received")
@State
public class CancelMeetsMessage {
    private final LoneRank rank = new LoneRank();
    private final Receive receive = rank.receive(1);

    @Actor
    public void arrive() {
        rank.send(1, "a message");
    }

    @Actor
    public void cancel() {
        rank.giveUp(receive);
    }

    @Arbiter
    public void whatIsLeft(ZZI_Result result) {
        result.r1 = receive.isGivenUp();
        result.r2 = !result.r1 && receive.isDone() && "a message".equals(receive.value());
        result.r3 = rank.left();
    }
}
