package jpi.internal.engine;

import static java.util.Objects.requireNonNull;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import jpi.JBuffer;
import jpi.JException;
import jpi.JType;
import jpi.internal.objects.AllowedTypes;
import jpi.internal.objects.ObjectCodec;
import jpi.internal.objects.Serialisation;
import jpi.internal.shm.Board;
import org.junit.jupiter.api.Test;

/** What one rank sends to several of other JVMs. */
class MulticastTest {
    private static final int CONTEXT = 3;
    private static final int TAG = 1;
    private static final int PRIORITY = 5;
    /** Two in each worker. */
    private static final int RANKS = 6;

    private static final int WORKERS = 3;
    /** More than are copied at once. */
    private static final int BYTES = 100_000;

    private final MemorySegment memory =
            Arena.ofAuto().allocate(World.memorySize(new Layout(RANKS, WORKERS, 0), false), 4096);
    private final World[] worlds = {world(0), world(1), world(2)};
    private final List<Sending> begun = new ArrayList<>();

    private World world(int worker) {
        return new World(
                new Layout(RANKS, WORKERS, worker),
                new Settings(false, false, false, false),
                new ObjectCodec(new AllowedTypes(MulticastTest.class, ""), Serialisation.FORY),
                memory);
    }

    private Rank rank(int number) {
        return worlds[number / 2].rank(number);
    }

    private void send(JBuffer contents, int... to) {
        new Multicast(rank(0), CONTEXT, 0, TAG, PRIORITY, contents, Rank.Mode.STANDARD).send(to, begun::add);
    }

    private static byte[] contents(int bytes, int number) {
        byte[] contents = new byte[bytes];
        Arrays.fill(contents, (byte) number);
        return contents;
    }

    private Receive receive(int rank) {
        Receive receive = rank(rank).receive(Receive.Kind.TAKE, CONTEXT, 0, TAG, 0, null);
        for (int tries = 0; tries < 1000 && !receive.isDone(); tries++) {
            rank(rank).progress();
            rank(0).progress();
        }
        assertTrue(receive.isDone(), "nothing has come");
        return receive;
    }

    private Board board() {
        return requireNonNull(worlds[0].board());
    }

    @Test
    void eachOfOtherJvmsHasItFromOnePlaceAndTheSenderDoesNotWait() {
        byte[] sent = contents(BYTES, 1);
        send(JBuffer.of(sent), 2, 4);
        assertEquals(List.of(), begun);
        Arrays.fill(sent, (byte) 9);
        for (int number : new int[] {2, 4}) {
            assertArrayEquals(contents(BYTES, 1), (byte[]) receive(number).value());
        }
    }

    @Test
    void oneOfTheSameJvmHasItToo() {
        send(JBuffer.of(contents(BYTES, 1)), 1, 2, 4);
        assertEquals(1, begun.size());
        for (int number : new int[] {1, 2, 4}) {
            assertArrayEquals(contents(BYTES, 1), (byte[]) receive(number).value());
        }
        assertTrue(begun.getFirst().isDone());
    }

    /** It goes through the rings then; the order stays. */
    @Test
    void moreThanThereIsRoomForComesToo() {
        for (int i = 0; i < 5; i++) {
            send(JBuffer.of(contents(BYTES, i)), 2, 4);
        }
        assertEquals(Board.FULL, board().take(1, 2));
        assertEquals(6, begun.size());
        for (int i = 0; i < 5; i++) {
            assertArrayEquals(contents(BYTES, i), (byte[]) receive(2).value());
            assertArrayEquals(contents(BYTES, i), (byte[]) receive(4).value());
        }
        assertTrue(begun.stream().allMatch(Sending::isDone));
        assertNotEquals(Board.FULL, board().take(1, 2));
        assertNotEquals(Board.FULL, board().take(1, 2));
    }

    @Test
    void whatDoesNotFitLeavesItsPlace() {
        for (int times = 0; times < 5; times++) {
            send(JBuffer.of(contents(BYTES, 1)), 2, 4);
            for (int number : new int[] {2, 4}) {
                Receive receive =
                        rank(number).receive(Receive.Kind.TAKE, CONTEXT, 0, TAG, 0, JBuffer.of(new long[BYTES]));
                rank(number).progress();
                String message = String.valueOf(
                        assertThrows(JException.class, receive::check).getMessage());
                assertTrue(message.contains(BYTES + " bytes"), message);
            }
            assertEquals(List.of(), begun);
        }
    }

    @Test
    void whoseMemoryIsClosedPostsNothing() {
        Arena arena = Arena.ofShared();
        JBuffer closed = JBuffer.of(arena.allocate(BYTES), JType.BYTE);
        arena.close();
        for (int times = 0; times < 5; times++) {
            String message = String.valueOf(
                    assertThrows(JException.class, () -> send(closed, 2, 4)).getMessage());
            assertTrue(message.startsWith("the memory of a message is no more"), message);
        }
        assertNotEquals(Board.FULL, board().take(1, 2));
    }
}
