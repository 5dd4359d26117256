package jpi.internal.engine;

import static java.util.Objects.requireNonNull;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import jpi.JBuffer;
import jpi.JException;
import jpi.JType;
import jpi.internal.objects.AllowedTypes;
import jpi.internal.objects.ObjectCodec;
import jpi.internal.objects.Serialisation;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Small buffers, whose contents lie in the queue itself. */
class SmallBufferTest {
    private static final int CONTEXT = 2;
    private static final int TAG = 1;
    private static final int PRIORITY = 5;

    private final Random random = new Random(1);
    private final World world = new World(
            new Layout(2, 1, 0),
            new Settings(false, false, false, false),
            new ObjectCodec(new AllowedTypes(SmallBufferTest.class, ""), Serialisation.FORY),
            null);
    private final Rank rank = world.rank(0);

    private void send(JBuffer buffer, int tag, Rank.Mode mode) {
        var _ = rank.send(0, CONTEXT, 0, tag, PRIORITY, buffer, mode);
    }

    private void send(JBuffer buffer) {
        send(buffer, TAG, Rank.Mode.STANDARD);
    }

    private Receive receive(int tag, @Nullable JBuffer sink) {
        return rank.receive(Receive.Kind.TAKE, CONTEXT, 0, tag, 0, sink);
    }

    private byte[] bytes(int count) {
        byte[] bytes = new byte[count];
        random.nextBytes(bytes);
        return bytes;
    }

    private JBuffer elements(JType type, int count) {
        JBuffer buffer = JBuffer.ofArray(type.newArray(count));
        buffer.memory().copyFrom(MemorySegment.ofArray(bytes((int) buffer.size())));
        return buffer;
    }

    private static JBuffer closed() {
        try (Arena arena = Arena.ofShared()) {
            return JBuffer.of(arena.allocate(Long.BYTES), JType.LONG);
        }
    }

    private static void assertSaysWhatToDo(Executable call) {
        String said = requireNonNull(assertThrows(JException.class, call).getMessage());
        assertTrue(said.contains("keep its arena open"), said);
    }

    private static void assertSameContents(JBuffer expected, JBuffer actual) {
        assertEquals(expected.type(), actual.type());
        assertEquals(expected.count(), actual.count());
        assertEquals(-1, expected.memory().mismatch(actual.memory()), expected.toString());
    }

    /** Of each size around which the way changes; what is left of a longer one before does not show. */
    @ParameterizedTest
    @EnumSource
    void whatIsSentIsReceivedAsAnArrayAndIntoABuffer(JType type) {
        int most = Place.MOST / type.size();
        int word = Long.BYTES / type.size();
        rank.run(() -> {
            for (int count : new int[] {most + 1, most, most - 1, word + 1, word, word - 1, 1, 0}) {
                JBuffer sent = elements(type, count);
                send(sent);
                assertSameContents(
                        sent, JBuffer.ofArray(requireNonNull(receive(TAG, null).value())));
                JBuffer into = elements(type, count + 1);
                JBuffer rest = JBuffer.ofArray(into.slice(count, 1).toArray());
                send(sent);
                assertEquals(count, receive(TAG, into).status().count());
                assertSameContents(sent, into.slice(0, count));
                assertSameContents(rest, into.slice(count, 1));
            }
        });
    }

    /** Which fill the same places again and again. */
    @Test
    void messagesThatHaveToWaitAreNotTouchedByLaterOnes() {
        rank.run(() -> {
            List<byte[]> sent = new ArrayList<>();
            for (int i = 0; i < 50; i++) {
                byte[] waits = bytes(1 + i * 5);
                sent.add(waits);
                send(JBuffer.of(waits), 100 + i, i % 2 == 0 ? Rank.Mode.STANDARD : Rank.Mode.SYNCHRONOUS);
                byte[] passes = bytes(i);
                send(JBuffer.of(passes));
                assertArrayEquals(passes, (byte[]) receive(TAG, null).value());
            }
            for (int i = 49; i >= 0; i--) {
                byte[] into = new byte[1 + i * 5];
                assertEquals(into.length, receive(100 + i, JBuffer.of(into)).count());
                assertArrayEquals(sent.get(i), into);
            }
        });
    }

    /** The sender's buffer is its own again. */
    @Test
    void whatIsWrittenAfterwardsIsNotSeen() {
        rank.run(() -> {
            byte[] sent = {1, 2, 3};
            send(JBuffer.of(sent));
            sent[0] = 9;
            assertArrayEquals(new byte[] {1, 2, 3}, (byte[]) receive(TAG, null).value());
        });
    }

    /** Nor does anything get lost for it. */
    @Test
    void memoryThatIsNoMoreFailsAtItsSenderAndNobodyElse() {
        rank.run(() -> {
            for (int i = 0; i < 10; i++) {
                JBuffer gone = closed();
                send(JBuffer.of(new long[] {i}));
                assertSaysWhatToDo(() -> send(gone));
                send(JBuffer.of(new long[] {-i}));
                assertArrayEquals(new long[] {i}, (long[]) receive(TAG, null).value());
                assertArrayEquals(new long[] {-i}, (long[]) receive(TAG, null).value());
            }
        });
    }

    @Test
    void whatDoesNotFitIsSaidToTheReceiver() {
        rank.run(() -> {
            send(JBuffer.of(new int[3]));
            assertEquals(
                    "the message from rank 0, tag 1, of 3 ints does not fit into a buffer of 2 ints:"
                            + " receive it into a larger one, or as an object",
                    assertThrows(
                                    JException.class,
                                    () -> receive(TAG, JBuffer.of(new int[2])).status())
                            .getMessage());
            send(JBuffer.of(new int[3]));
            assertEquals(
                    "the message from rank 0, tag 1, of 3 ints does not fit into a buffer of 3 floats:"
                            + " receive it into one of ints, or as an object",
                    assertThrows(
                                    JException.class,
                                    () -> receive(TAG, JBuffer.of(new float[3])).status())
                            .getMessage());
            send(JBuffer.of(new int[] {7}));
            assertArrayEquals(new int[] {7}, (int[]) receive(TAG, null).value());
        });
    }

    @Test
    void aReceiversMemoryThatIsNoMoreIsSaidToIt() {
        rank.run(() -> {
            JBuffer gone = closed();
            send(JBuffer.of(new long[1]));
            assertSaysWhatToDo(() -> receive(TAG, gone).status());
        });
    }
}
