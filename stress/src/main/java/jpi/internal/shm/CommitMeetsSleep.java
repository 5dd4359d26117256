package jpi.internal.shm;

import java.lang.foreign.Arena;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.Z_Result;

/**
 * A message is put into a ring and its sender looks for sleepers, while the receiver says that it will sleep and looks for messages:
 * one of them sees the other. The result: if the receiver has got it before it woke by itself.
 */
@JCStressTest
@Outcome(id = "true", expect = Expect.ACCEPTABLE, desc = "seen, or woken")
@State
public class CommitMeetsSleep {
    private static final int SLOTS = 8;
    private static final int DATA = 1024;
    private static final long LIMIT_NANOS = 10_000_000_000L;

    private final Ring sender;
    private final Ring receiver;
    private final SharedWord bell;
    private final long slot;

    /** Both sides' view. */
    public CommitMeetsSleep() {
        long ring = Ring.size(SLOTS, DATA);
        var memory = Arena.ofAuto().allocate(ring + SharedWord.SIZE, Ring.SLOT);
        sender = new Ring(memory.asSlice(0, ring), SLOTS, DATA, null);
        receiver = new Ring(memory.asSlice(0, ring), SLOTS, DATA, null);
        bell = new SharedWord(memory.asSlice(ring, SharedWord.SIZE));
        slot = sender.claim(0);
    }

    @Actor
    public void send() {
        sender.commit(slot, 0);
        bell.ring();
    }

    @Actor
    public void receive(Z_Result result) {
        long deadline = System.nanoTime() + LIMIT_NANOS;
        int ticket = bell.enter();
        while (receiver.next() == Ring.FULL && System.nanoTime() - deadline < 0) {
            bell.sleep(ticket, deadline); // may end for no reason
            ticket = bell.enter();
        }
        result.r1 = System.nanoTime() - deadline < 0;
    }
}
