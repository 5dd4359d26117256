package jpi.internal.engine;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.ref.WeakReference;
import java.util.Arrays;
import java.util.concurrent.CompletableFuture;
import jpi.JBuffer;
import jpi.JException;
import jpi.JStatus;
import jpi.JType;
import jpi.internal.objects.AllowedTypes;
import jpi.internal.objects.ObjectCodec;
import jpi.internal.objects.Serialisation;
import org.junit.jupiter.api.Test;

/** Blocking receives, which a rank's thread begins again and again. */
class RepeatedReceiveTest {
    private static final int CONTEXT = 2;
    private static final int TAG = 1;
    private static final int PRIORITY = 5;

    private final World world = new World(
            new Layout(2, 1, 0),
            new Settings(false, false, false, true),
            new ObjectCodec(new AllowedTypes(RepeatedReceiveTest.class, ""), Serialisation.FORY),
            null);
    private final Rank rank = world.rank(0);

    private void sendTo0(int source, int tag, Object body) {
        world.rank(source).send(0, CONTEXT, source, tag, PRIORITY, body, Rank.Mode.STANDARD);
    }

    private JStatus fetch(int source, int tag, JBuffer into) {
        return rank.fetchInto(into, CONTEXT, source, tag, source);
    }

    /** And has the status that it had. */
    @Test
    void oneThatHasEndedIsTakenAgain() {
        JBuffer in = JBuffer.of(new long[1]);
        rank.run(() -> {
            sendTo0(0, TAG, new long[1]);
            JStatus first = fetch(0, TAG, in);
            sendTo0(0, TAG, new long[1]);
            assertSame(first, fetch(0, TAG, in));
        });
    }

    @Test
    void eachSaysWhatHasCome() {
        rank.run(() -> {
            for (int i = 0; i < 100; i++) {
                int[] sent = new int[i % 3];
                Arrays.fill(sent, i);
                int[] got = new int[3];
                sendTo0(i % 2, i % 5, sent);
                JStatus status = fetch(i % 2, i % 5, JBuffer.of(got));
                assertEquals(new JStatus(i % 2, i % 5, PRIORITY, sent.length), status);
                assertArrayEquals(Arrays.copyOf(sent, 3), got);
            }
        });
    }

    @Test
    void afterOneThatHasFailedAnotherOneIsReceived() {
        JBuffer one = JBuffer.of(new long[1]);
        JBuffer readOnly = JBuffer.of(MemorySegment.ofArray(new long[1]).asReadOnly(), JType.LONG);
        rank.run(() -> {
            for (int i = 0; i < 3; i++) {
                sendTo0(0, TAG, new long[] {1, 2});
                assertThrows(JException.class, () -> fetch(0, TAG, one));
                assertThrows(JException.class, () -> fetch(0, TAG, readOnly));
                sendTo0(0, TAG, new long[] {3});
                assertEquals(1, fetch(0, TAG, one).count());
            }
        });
    }

    /** Whoever sends knows of a receive that it wakes. */
    @Test
    void oneThatHasSleptIsNoOthersAfterwards() {
        JBuffer in = JBuffer.of(new long[1]);
        rank.run(() -> {
            for (int i = 0; i < 100; i++) {
                int number = i;
                CompletableFuture<Void> sender =
                        CompletableFuture.runAsync(() -> sendTo0(1, number, new long[] {number}));
                assertEquals(new JStatus(1, i, PRIORITY, 1), fetch(1, i, in));
                assertEquals(i, in.memory().get(ValueLayout.JAVA_LONG, 0));
                sender.join();
            }
        });
    }

    @Test
    void noBufferIsKept() {
        rank.run(() -> {
            WeakReference<Object> array = receiveIntoRange();
            System.gc();
            assertNull(array.get());
        });
    }

    private WeakReference<Object> receiveIntoRange() {
        byte[] array = new byte[1 << 20];
        sendTo0(0, TAG, new byte[1]);
        assertEquals(1, fetch(0, TAG, JBuffer.of(array, 2, 3)).count());
        return new WeakReference<>(array);
    }

    @Test
    void objectsAndBuffersTakeTurns() {
        byte[] got = new byte[2];
        rank.run(() -> {
            for (byte i = 0; i < 100; i++) {
                sendTo0(1, TAG, "object " + i);
                sendTo0(1, TAG, new byte[] {i});
                assertEquals("object " + i, rank.fetchObject(CONTEXT, 1, TAG, 1));
                assertEquals(1, fetch(1, TAG, JBuffer.of(got)).count());
                assertEquals(i, got[0]);
            }
        });
    }
}
