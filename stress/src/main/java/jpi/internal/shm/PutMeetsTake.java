package jpi.internal.shm;

import java.lang.foreign.Arena;
import java.lang.foreign.ValueLayout;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;

/**
 * One thread puts four messages into a ring that has room for two, while another takes them out: in turn one that fits into its slot
 * and one beside it, of which the last one is shown before all of it is there. First: the digits that came. Second: bytes that are not
 * what was sent.
 */
@JCStressTest
@Outcome(id = "1234, 0", expect = Expect.ACCEPTABLE, desc = "all came whole, in order")
@State
public class PutMeetsTake {
    private static final int SLOTS = 2;
    private static final int DATA = 1024;
    private static final int MESSAGES = 4;
    private static final long SHORT = 8;
    private static final long LONG = DATA / 8;
    private static final int IN_PARTS = MESSAGES;
    private static final int FIRST_PART = (int) LONG / 2;
    /** What has not come by then does not come at all. */
    private static final long LIMIT_NANOS = 10_000_000_000L;

    private final Ring sender;
    private final Ring receiver;

    /** Both sides' view. */
    public PutMeetsTake() {
        var memory = Arena.ofAuto().allocate(Ring.size(SLOTS, DATA), Ring.SLOT);
        sender = new Ring(memory, SLOTS, DATA, null);
        receiver = new Ring(memory, SLOTS, DATA, null);
    }

    private static long length(int digit) {
        return digit % 2 == 1 ? SHORT : LONG;
    }

    @Actor
    public void put() {
        long deadline = System.nanoTime() + LIMIT_NANOS;
        for (int digit = 1; digit <= MESSAGES; digit++) {
            long length = length(digit);
            long slot = sender.claim(length);
            while (slot == Ring.FULL && System.nanoTime() - deadline < 0) {
                Thread.onSpinWait();
                slot = sender.claim(length);
            }
            if (slot == Ring.FULL) {
                return;
            }
            sender.set(slot, Ring.TAG, digit);
            if (digit == IN_PARTS) {
                fill(slot, digit, 0, FIRST_PART);
                sender.show(slot, FIRST_PART, 0);
                fill(slot, digit, FIRST_PART, length);
                sender.commitShown(slot, length, (int) length);
            } else {
                fill(slot, digit, 0, length);
                sender.commit(slot, length);
            }
        }
    }

    private void fill(long slot, int digit, long from, long to) {
        long room = sender.room(slot, length(digit));
        for (long i = from; i < to; i++) {
            Memory.ALL.set(ValueLayout.JAVA_BYTE, room + i, (byte) digit);
        }
    }

    private long there(long slot, int digit) {
        return digit == IN_PARTS ? Ring.shown(slot) : length(digit);
    }

    @Actor
    public void take(II_Result result) {
        long deadline = System.nanoTime() + LIMIT_NANOS;
        for (int taken = 0; taken < MESSAGES && System.nanoTime() - deadline < 0; ) {
            long slot = receiver.next();
            if (slot == Ring.FULL) {
                Thread.onSpinWait();
                continue;
            }
            int digit = receiver.get(slot, Ring.TAG);
            long length = length(digit);
            for (long i = 0; i < length; i++) {
                while (i >= there(slot, digit) && System.nanoTime() - deadline < 0) {
                    Thread.onSpinWait();
                }
                if (Memory.ALL.get(ValueLayout.JAVA_BYTE, receiver.nextContents(slot, length) + i) != digit) {
                    result.r2++;
                }
            }
            result.r1 = result.r1 * 10 + digit;
            receiver.advance(length);
            taken++;
        }
    }
}
