package jpi.internal.engine;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertSame;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import jpi.JBuffer;
import jpi.internal.objects.AllowedTypes;
import jpi.internal.objects.ObjectCodec;
import jpi.internal.objects.Serialisation;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Which copies are filled again. */
class CopiesTest {
    private final Places places = new Places();
    private final Copies copies = new Copies(places);

    private Message.Copy of(int... numbers) {
        return copies.of(JBuffer.of(numbers));
    }

    @Test
    void oneOfTheSameTypeAndSizeIsFilledAgain() {
        places.own();
        Message.Copy copy = of(1, 2);
        copies.keep(copy);
        assertNotSame(copy, of(3));
        assertNotSame(copy, copies.of(JBuffer.of(new float[2])));
        Message.Copy again = of(3, 4);
        assertSame(copy, again);
        assertArrayEquals(new int[] {3, 4}, (int[]) again.array());
        assertNotSame(copy, of(5, 6), "it is under way");
    }

    @Test
    void anotherThreadGetsNoneAndKeepsNone() {
        places.own();
        Message.Copy copy = of(1, 2);
        CompletableFuture.runAsync(() -> copies.keep(copy)).join();
        assertNotSame(copy, of(1, 2));
        copies.keep(copy);
        assertNotSame(copy, CompletableFuture.supplyAsync(() -> of(1, 2)).join());
        assertSame(copy, of(1, 2));
    }

    @Test
    void theLastFewAreKept() {
        places.own();
        List<Message.Copy> all = new ArrayList<>();
        for (int i = 0; i < 10; i++) {
            all.add(of(i));
        }
        all.forEach(copies::keep);
        List<Message.Copy> again = new ArrayList<>();
        for (int i = 0; i < 10; i++) {
            again.add(of(i));
        }
        assertEquals(4, again.stream().filter(all::contains).count());
    }

    private static World world() {
        return new World(
                new Layout(2, 1, 0),
                new Settings(false, false, false, false),
                new ObjectCodec(new AllowedTypes(CopiesTest.class, ""), Serialisation.FORY),
                null);
    }

    /** Through a rank's mailbox: what is received as an object is the receiver's. */
    @Test
    void whatIsReceivedAsAnArrayIsNotFilledAgain() {
        World world = world();
        world.rank(0).run(() -> {
            int[] into = large(0);
            var _ = sendAndReceive(world.rank(0), large(5), JBuffer.of(into));
            int[] taken = (int[]) sendAndReceive(world.rank(0), large(7), null);
            var _ = sendAndReceive(world.rank(0), large(9), JBuffer.of(large(0)));
            assertArrayEquals(large(5), into);
            assertArrayEquals(large(7), taken);
        });
    }

    /** Nor do small messages that had to wait take the room of copies: no small one is sent as one. */
    @Test
    void smallOnesAreNotKept() {
        Rank rank = world().rank(0);
        rank.run(() -> {
            Copies own = rank.mailbox().copies();
            Message.Copy copy = own.of(JBuffer.of(large(1)));
            own.keep(copy);
            for (int i = 0; i < 10; i++) {
                var _ = rank.send(0, 2, 0, 1, 5, JBuffer.of(new int[] {i}), Rank.Mode.STANDARD);
                rank.progress(); // nobody wants it yet
                int[] into = new int[1];
                assertEquals(
                        1,
                        rank.receive(Receive.Kind.TAKE, 2, 0, 1, 0, JBuffer.of(into))
                                .count());
                assertEquals(i, into[0]);
            }
            assertSame(copy, own.of(JBuffer.of(large(2))));
        });
    }

    private static int[] large(int number) {
        int[] numbers = new int[Place.MOST];
        Arrays.fill(numbers, number);
        return numbers;
    }

    private static @Nullable Object sendAndReceive(Rank rank, int[] numbers, @Nullable JBuffer sink) {
        var _ = rank.send(0, 2, 0, 1, 5, JBuffer.of(numbers), Rank.Mode.STANDARD);
        return rank.receive(Receive.Kind.TAKE, 2, 0, 1, 0, sink).value();
    }
}
