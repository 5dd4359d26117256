package jpi.internal.engine;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import jpi.internal.objects.AllowedTypes;
import jpi.internal.objects.ObjectCodec;
import jpi.internal.objects.Serialisation;
import org.junit.jupiter.api.Test;

/** When a message out of a ring may arrive directly, although another thread has taken in one from there before. */
class ArrivalOrderTest {
    private static final int CONTEXT = 2;
    private static final int TAG = 1;
    private static final int PRIORITY = 5;

    private final World world = new World(
            new Layout(3, 1, 0),
            new Settings(false, false, false, true),
            new ObjectCodec(new AllowedTypes(ArrivalOrderTest.class, ""), Serialisation.FORY),
            null);
    private final Mailbox mailbox = world.rank(0).mailbox();

    private static Message message(int source) {
        return new Message(CONTEXT, source, TAG, PRIORITY, "from afar", null);
    }

    private Receive receive(int source) {
        return new Receive(mailbox, Receive.Kind.TAKE, CONTEXT, source, TAG, source, null);
    }

    @Test
    void whatWasHandedArrivesBeforeIt() {
        mailbox.hand(message(2));
        assertTrue(mailbox.isCaughtUp(null));
    }

    /** The receive has its message, and what lies behind that in the queue has not been looked at. */
    @Test
    void notWhileOneThatWasHandedLiesBehindWhatTheReceiveWaitedFor() {
        Receive leading = receive(1);
        leading.standing = Receive.Standing.ALONE;
        world.rank(1).send(0, CONTEXT, 1, TAG, PRIORITY, "near", Rank.Mode.STANDARD);
        mailbox.hand(message(2));
        assertFalse(mailbox.isCaughtUp(leading));
        assertTrue(leading.isDone());
        assertTrue(mailbox.isCaughtUp(null));
    }
}
