package jpi.internal.shm;

import java.lang.foreign.Arena;
import java.lang.foreign.ValueLayout;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.III_Result;

/**
 * Two threads put two messages each into a ring that has room for two: one that fits into its slot, one beside it. The second thread
 * is the receiver too. First and second: the digits that came of each. Third: bytes that are not what was sent.
 */
@JCStressTest
@Outcome(id = "12, 12, 0", expect = Expect.ACCEPTABLE, desc = "all came whole, in order")
@State
public class ClaimsMeetReceiver {
    private static final int SLOTS = 2;
    private static final int DATA = 1024;
    private static final int MESSAGES = 4;
    private static final long SHORT = 8;
    private static final long LONG = DATA / 8;
    /** What has not come by then does not come at all. */
    private static final long LIMIT_NANOS = 10_000_000_000L;

    private final Ring sender;
    private final Ring receiver;

    /** Both sides' view. */
    public ClaimsMeetReceiver() {
        var memory = Arena.ofAuto().allocate(Ring.size(SLOTS, DATA), Ring.SLOT);
        sender = new Ring(memory, SLOTS, DATA);
        receiver = new Ring(memory, SLOTS, DATA);
    }

    private static long length(int digit) {
        return digit == 1 ? SHORT : LONG;
    }

    private static byte content(int source, int digit) {
        return (byte) (source * 10 + digit);
    }

    private boolean send(int source, int digit) {
        long length = length(digit);
        long claim = sender.claim(length);
        if (claim == Ring.FULL) {
            return false;
        }
        long slot = sender.slot(claim);
        sender.set(slot, Ring.SOURCE, source);
        sender.set(slot, Ring.TAG, digit);
        sender.memory().asSlice(sender.contents(claim, length), length).fill(content(source, digit));
        sender.commit(claim);
        return true;
    }

    @Actor
    public void first() {
        long deadline = System.nanoTime() + LIMIT_NANOS;
        for (int digit = 1; digit <= 2; digit++) {
            while (!send(1, digit) && System.nanoTime() - deadline < 0) {
                Thread.onSpinWait();
            }
        }
    }

    @Actor
    public void second(III_Result result) {
        long deadline = System.nanoTime() + LIMIT_NANOS;
        int digit = 1;
        for (int taken = 0; taken < MESSAGES && System.nanoTime() - deadline < 0; ) {
            if (digit <= 2 && send(2, digit)) {
                digit++;
            }
            if (take(result)) {
                taken++;
            } else {
                Thread.onSpinWait();
            }
        }
    }

    private boolean take(III_Result result) {
        long slot = receiver.next();
        if (slot == Ring.FULL) {
            return false;
        }
        int source = receiver.get(slot, Ring.SOURCE);
        int digit = receiver.get(slot, Ring.TAG);
        long length = length(digit);
        long contents = receiver.nextContents(slot, length);
        for (long i = 0; i < length; i++) {
            if (receiver.memory().get(ValueLayout.JAVA_BYTE, contents + i) != content(source, digit)) {
                result.r3++;
            }
        }
        if (source == 1) {
            result.r1 = result.r1 * 10 + digit;
        } else {
            result.r2 = result.r2 * 10 + digit;
        }
        receiver.advance(length);
        return true;
    }
}
