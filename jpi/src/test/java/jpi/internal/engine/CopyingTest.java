package jpi.internal.engine;

import static java.util.Objects.requireNonNull;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.Random;
import jpi.JBuffer;
import jpi.JException;
import jpi.internal.objects.AllowedTypes;
import jpi.internal.objects.ObjectCodec;
import jpi.internal.objects.Serialisation;
import org.junit.jupiter.api.Test;

/** Who copies a large message between ranks of one JVM. */
class CopyingTest {
    private static final int HELPED_BYTES = 4 << 20;
    private static final int PIECES = HELPED_BYTES / (32 << 10);

    private final World world = new World(
            new Layout(2, 1, 0),
            new Settings(false, false, false, false),
            new ObjectCodec(new AllowedTypes(CopyingTest.class, ""), Serialisation.FORY),
            null);
    private final Sending sending = new Sending(world.rank(1).mailbox(), 0, 1);
    private final Receive receive = world.rank(0).newReceive(Receive.Kind.TAKE, 2, 1, 1, 1, null);

    private Copying copying(MemorySegment from, MemorySegment into) {
        return new Copying(receive, 5, 0, from, into, sending);
    }

    private static byte[] contents(int size) {
        byte[] contents = new byte[size];
        new Random(size).nextBytes(contents);
        return contents;
    }

    @Test
    void whoSendsWhatCachesDoNotHoldCopiesPiecesOfItWhileItWaits() {
        byte[] from = contents(HELPED_BYTES + 1);
        byte[] into = new byte[from.length];
        Copying copying = copying(MemorySegment.ofArray(from), MemorySegment.ofArray(into));
        assertTrue(copying.goOn());
        for (int i = 0; i < PIECES; i++) {
            assertFalse(copying.end());
            assertTrue(sending.help());
        }
        assertFalse(sending.help());
        assertFalse(receive.isDone() || sending.isDone(), "the receiver says when it is over");
        assertTrue(copying.end());
        assertTrue(receive.isDone() && sending.isDone());
        assertArrayEquals(from, into);
    }

    @Test
    void whoSendsLessDoesNot() {
        byte[] from = contents(HELPED_BYTES - 1);
        byte[] into = new byte[from.length];
        Copying copying = copying(MemorySegment.ofArray(from), MemorySegment.ofArray(into));
        for (int i = 0; i < PIECES; i++) {
            assertFalse(copying.end() || sending.help());
            assertTrue(copying.goOn());
        }
        assertTrue(copying.end());
        assertArrayEquals(from, into);
    }

    @Test
    void memoryThatIsClosedMeanwhileIsTheReceiversToTell() {
        Arena arena = Arena.ofShared();
        Copying copying = copying(arena.allocate(HELPED_BYTES), MemorySegment.ofArray(new byte[HELPED_BYTES]));
        assertTrue(copying.goOn());
        arena.close();
        while (sending.help()) {
            assertFalse(receive.isDone());
        }
        assertTrue(copying.end());
        assertTrue(sending.isDone());
        String reason = assertThrows(JException.class, receive::check).toString();
        assertTrue(reason.contains("memory"), reason);
    }

    /** Each piece is copied, by one of them, and nothing is over before. */
    @Test
    void bothAtOnceCopyAll() throws InterruptedException {
        for (int round = 0; round < 100; round++) {
            byte[] from = contents(HELPED_BYTES + 1000 * round);
            byte[] into = new byte[from.length];
            Sending sent = new Sending(world.rank(1).mailbox(), 0, 1);
            Receive received = world.rank(0).newReceive(Receive.Kind.TAKE, 2, 1, 1, 1, null);
            Copying copying =
                    new Copying(received, 5, round, MemorySegment.ofArray(from), MemorySegment.ofArray(into), sent);
            Thread sender = Thread.ofPlatform().daemon().start(() -> {
                while (!sent.isDone()) {
                    if (!sent.help()) {
                        Thread.onSpinWait();
                    }
                }
            });
            do {
                var _ = copying.goOn();
            } while (!copying.end());
            assertEquals(-1, Arrays.mismatch(from, into), "in round " + round);
            assertTrue(received.isDone());
            sender.join();
        }
    }

    @Test
    void whoAsksDoesNotCopyAll() {
        Rank rank = world.rank(0);
        JBuffer into = JBuffer.of(new byte[4 * HELPED_BYTES]);
        Sending sent = requireNonNull(
                world.rank(1).send(0, 2, 1, 1, 5, JBuffer.of(new byte[into.count()]), Rank.Mode.STANDARD));
        Receive large = rank.receive(Receive.Kind.TAKE, 2, 1, 1, 1, into);
        rank.giveUp(rank.receive(Receive.Kind.TAKE, 2, 1, 9, 1, null));
        rank.progress();
        assertFalse(large.isDone() || sent.isDone());
        rank.await(large);
        assertTrue(sent.isDone());
    }
}
