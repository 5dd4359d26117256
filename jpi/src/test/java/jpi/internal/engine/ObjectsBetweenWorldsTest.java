package jpi.internal.engine;

import static java.util.Objects.requireNonNull;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.ObjectOutputStream;
import java.io.Serializable;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.UUID;
import jpi.JBuffer;
import jpi.JException;
import jpi.internal.objects.AllowedTypes;
import jpi.internal.objects.EncodedBytes;
import jpi.internal.objects.ObjectCodec;
import jpi.internal.objects.Serialisation;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Objects from one JVM to another, encoded and decoded in memory that is used again and again. */
class ObjectsBetweenWorldsTest {
    private static final int CONTEXT = 2;
    private static final int TAG = 1;
    private static final int OTHER_TAG = 2;
    private static final int PRIORITY = 5;
    private static final int ROUNDS = 100;

    /** What is run when one is made of bytes, or is made into them. */
    private static Runnable meanwhile = () -> {};

    private final MemorySegment memory = Arena.ofAuto().allocate(World.memorySize(new Layout(2, 2, 0), false), 4096);

    private Rank sender(Serialisation serialisation) {
        return world(0, serialisation).rank(0);
    }

    private Rank receiver(Serialisation serialisation) {
        return world(1, serialisation).rank(1);
    }

    private World world(int worker, Serialisation serialisation) {
        return new World(
                new Layout(2, 2, worker),
                new Settings(false, false, false, false),
                new ObjectCodec(new AllowedTypes(ObjectsBetweenWorldsTest.class, ""), serialisation),
                memory);
    }

    private static @Nullable Sending send(Rank sender, int tag, Object body) {
        return sender.send(1, CONTEXT, 0, tag, PRIORITY, body, Rank.Mode.STANDARD);
    }

    private static Object fetch(Rank receiver, int tag) {
        return requireNonNull(receiver.fetchObject(CONTEXT, 0, tag, 0));
    }

    /** What two ranks do again and again. */
    @FunctionalInterface
    private interface Round {
        void play(Rank from, Rank to, int number);
    }

    private void play(Serialisation serialisation, Round round) {
        Rank from = sender(serialisation);
        Rank to = receiver(serialisation);
        from.run(() -> to.run(() -> {
            for (int i = 0; i < ROUNDS; i++) {
                round.play(from, to, i);
            }
        }));
    }

    record Reading(long time, int sensor, String unit) {}

    /** Its class alone says that it may hold on to anything. */
    record Chunk(int number, ByteBuffer contents) {}

    record Curious(int number) {
        Curious {
            meanwhile.run();
        }
    }

    static final class Talkative implements Serializable {
        private static final long serialVersionUID = 1;

        final String text = "talkative";

        private void writeObject(ObjectOutputStream out) throws IOException {
            meanwhile.run();
            out.defaultWriteObject();
        }
    }

    @Test
    void whatHasComeStaysAsItIs() {
        List<Object> sent = new ArrayList<>();
        List<Object> got = new ArrayList<>();
        play(Serialisation.FORY, (from, to, i) -> {
            byte[] bytes = new byte[1 + i];
            bytes[i] = (byte) i;
            for (Object each : List.of(
                    new Reading(i, -i, "text " + i),
                    new Chunk(i, ByteBuffer.wrap(bytes)),
                    "text " + i,
                    ByteBuffer.wrap(bytes),
                    List.of(i, "text"))) {
                sent.add(each);
                send(from, TAG, each);
                got.add(fetch(to, TAG));
            }
        });
        assertEquals(sent, got);
    }

    record Order(UUID id, Class<?> kind, int step) {}

    /** Others may have had those before. */
    @Test
    void eachMessageStandsByItself() {
        Rank from = sender(Serialisation.FORY);
        List<Rank> receivers = List.of(receiver(Serialisation.FORY), receiver(Serialisation.FORY));
        UUID id = UUID.randomUUID();
        from.run(() -> {
            for (int i = 0; i < ROUNDS; i++) {
                Rank to = receivers.get(i % 2);
                Order order = new Order(id, Reading.class, i);
                assertEquals(order, back(from, to, order));
                if (i % 3 == 2) {
                    StringBuilder text = new StringBuilder("text");
                    List<?> got = (List<?>) back(from, to, new ArrayList<>(List.of(text, text)));
                    assertEquals("[text, text]", got.toString());
                    assertSame(got.get(0), got.get(1));
                }
            }
        });
    }

    /** By the codecs alone: the ring has one receiver. */
    private static Object back(Rank from, Rank to, Object sent) {
        EncodedBytes bytes = new EncodedBytes();
        from.world().codec().encode(sent, bytes);
        return requireNonNull(to.world().codec().decode(bytes.array(), 0, bytes.length()));
    }

    /** Longer ones wait for their receiver in the sender's memory, short ones do not. */
    @Test
    void longAndShortOnesTakeTurns() {
        play(Serialisation.FORY, (from, to, i) -> {
            List<Object> large = new ArrayList<>(Collections.nCopies(20_000, "text " + i));
            Sending sending = requireNonNull(send(from, TAG, large));
            send(from, OTHER_TAG, new Reading(i, i, "m"));
            assertEquals(new Reading(i, i, "m"), fetch(to, OTHER_TAG));
            Receive receive = to.receive(Receive.Kind.TAKE, CONTEXT, 0, TAG, 0, null);
            while (!receive.isDone() || !sending.isDone()) {
                from.progress();
                to.progress();
            }
            assertEquals(large, receive.value());
        });
    }

    @Test
    void whatIsMadeOfAMessageMayReceiveOthers() {
        List<Object> got = new ArrayList<>();
        play(Serialisation.FORY, (from, to, i) -> {
            send(from, TAG, List.of(new Curious(i), "the rest " + i));
            send(from, OTHER_TAG, new Reading(i, i, "in between"));
            send(from, OTHER_TAG, new long[] {i});
            meanwhile = () -> {
                got.add(fetch(to, OTHER_TAG));
                long[] into = new long[1];
                assertEquals(
                        1,
                        to.fetchInto(JBuffer.of(into), CONTEXT, 0, OTHER_TAG, 0).count());
                assertEquals(i, into[0]);
            };
            got.add(fetch(to, TAG));
            meanwhile = () -> {};
            assertEquals(List.of(new Reading(i, i, "in between"), List.of(new Curious(i), "the rest " + i)), got);
            got.clear();
        });
    }

    @Test
    void whatIsMadeIntoAMessageMaySendOthers() {
        play(Serialisation.JAVA, (from, to, i) -> {
            String other = "other " + i;
            meanwhile = () -> send(from, OTHER_TAG, List.of(other));
            send(from, TAG, new Talkative());
            meanwhile = () -> {};
            assertEquals("talkative", ((Talkative) fetch(to, TAG)).text);
            assertEquals(List.of(other), fetch(to, OTHER_TAG));
        });
    }

    @Test
    void afterOneThatCannotBeSentOthersCan() {
        play(Serialisation.FORY, (from, to, i) -> {
            Object refused = List.of(new Reading(i, i, "m"), Thread.currentThread());
            JException failure = assertThrows(JException.class, () -> send(from, TAG, refused));
            assertTrue(requireNonNull(failure.getMessage()).contains("java.lang.Thread"), failure.toString());
            send(from, TAG, new Reading(i, i, "m"));
            assertEquals(new Reading(i, i, "m"), fetch(to, TAG));
        });
    }
}
