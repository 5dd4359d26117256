package jpi.internal.engine;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import jpi.internal.objects.AllowedTypes;
import jpi.internal.objects.ObjectCodec;
import jpi.internal.objects.Serialisation;
import org.junit.jupiter.api.Test;

/** What comes from another JVM, and when it is taken in. */
class PeerTest {
    private static final int CONTEXT = 2;
    private static final int LARGE = 1;
    private static final int SMALL = 2;
    private static final int PRIORITY = 5;
    /** As many as go at once. */
    private static final int PIECES = 4;

    private final MemorySegment memory = Arena.ofAuto().allocate(World.memorySize(new Layout(2, 2, 0), false), 4096);
    private final World receiving = world(0);
    private final World sending = world(1);

    private World world(int worker) {
        return new World(
                new Layout(2, 2, worker),
                new Settings(false, false, false, false),
                new ObjectCodec(new AllowedTypes(PeerTest.class, ""), Serialisation.FORY),
                memory);
    }

    private void send(int tag, int bytes) {
        var _ = sending.rank(1).send(0, CONTEXT, 1, tag, PRIORITY, new byte[bytes], Rank.Mode.STANDARD);
    }

    /** As when several ranks of the other JVM send short ones without end. */
    @Test
    void aLongMessageComesThroughAlthoughThereAreAlwaysShortOnes() {
        Receive large = receiving.rank(0).receive(Receive.Kind.TAKE, CONTEXT, 1, LARGE, 1, null);
        send(LARGE, PIECES * (8 << 10));
        int turns = 0;
        do {
            for (int i = 0; i < 10; i++) {
                send(SMALL, 8);
            }
            assertTrue(receiving.poll(0, null, null));
            receiving.rank(0).mailbox().tend();
            turns++;
        } while (!large.isDone() && turns < 1000);
        assertTrue(large.isDone());
        assertTrue(turns > 2 * PIECES, "in " + turns + " turns, and messages are to come first");
    }
}
