package jpi.internal.engine;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import jpi.internal.objects.AllowedTypes;
import jpi.internal.objects.ObjectCodec;
import jpi.internal.objects.Serialisation;

/** A program of one rank, to which any thread sends as if it were another. */
final class LoneRank {
    static final int ANY = Receive.ANY;

    private static final long LIMIT_SECONDS = 10;
    private static final int CONTEXT = 0;
    private static final int TAG = 7;
    private static final ObjectCodec CODEC = new ObjectCodec(new AllowedTypes(LoneRank.class, ""), Serialisation.JAVA);

    private static volatile boolean lost;

    private final Rank rank;

    LoneRank() {
        // As of virtual threads: who waits does not spin first, so that sleep is what the others meet.
        Settings settings = new Settings(true, false, false, true);
        rank = new World(new Layout(1, 1, 0), settings, CODEC, null).rank(0);
    }

    /** As if some rank sent it. */
    void send(int source, Object message) {
        var _ = rank.send(0, CONTEXT, source, TAG, Thread.NORM_PRIORITY, message, Rank.Mode.STANDARD);
    }

    /** Begins to receive. */
    Receive receive(int source) {
        return rank.receive(Receive.Kind.TAKE, CONTEXT, source, TAG, ANY, null);
    }

    Object await(Receive receive) {
        rank.await(receive);
        return receive.value();
    }

    void giveUp(Receive receive) {
        rank.giveUp(receive);
    }

    /** Waits for what others see to, so long that who comes later does not come at all; once that was so, no longer. */
    static void await(CountDownLatch others) {
        try {
            if (!others.await(lost ? 0 : LIMIT_SECONDS, TimeUnit.SECONDS)) {
                lost = true;
            }
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    /** Messages that nobody has received. */
    int left() {
        int left = 0;
        while (true) {
            Receive receive = receive(ANY);
            if (!receive.isDone()) {
                giveUp(receive);
            }
            if (receive.isGivenUp()) {
                return left;
            }
            left++;
        }
    }
}
