package jpi.internal.engine;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import jpi.JBuffer;
import jpi.JException;
import jpi.JType;
import org.junit.jupiter.api.Test;

/** Which places are filled again. */
class PlacesTest {
    private final Places places = new Places();

    /** One that a message has come in, and from which the receiver has gone on. */
    private Place left() {
        Place place = places.take();
        place.fill(new Envelope(0, 1, 2, 3), "body", 0, null, new Place());
        assertTrue(place.isFilled());
        var _ = place.leave();
        return place;
    }

    private List<Place> leaveAndKeep(int count) {
        List<Place> all = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            all.add(left());
        }
        all.forEach(places::keep);
        return all;
    }

    @Test
    void whatTheRanksThreadHasLeftItGetsAgainEmpty() {
        places.own();
        Place place = left();
        places.keep(place);
        Place again = places.take();
        assertSame(place, again);
        assertFalse(again.isFilled());
        assertNull(again.body());
        assertNotSame(place, places.take());
    }

    @Test
    void anotherThreadGetsNoneAndKeepsNone() {
        places.own();
        Place place = left();
        CompletableFuture.runAsync(() -> places.keep(place)).join();
        assertNotSame(place, places.take());
        places.keep(place);
        assertNotSame(place, CompletableFuture.supplyAsync(places::take).join());
        assertSame(place, places.take());
    }

    /** Of all sizes. */
    @Test
    void contentsComeWholeThroughPlacesThatAreFilledAgain() {
        places.own();
        Random random = new Random(3);
        Place current = places.take();
        for (int i = 0; i < 10_000; i++) {
            byte[] sent = new byte[random.nextInt(Place.MOST + 1)];
            random.nextBytes(sent);
            JBuffer buffer = JBuffer.of(sent);
            Place next = places.take();
            long held = places.hold(next, buffer);
            current.fill(new Envelope(0, 1, 2, 3), buffer, held, null, next);
            byte[] received = new byte[sent.length];
            current.copyTo(MemorySegment.ofArray(received));
            assertArrayEquals(sent, received);
            Place left = current;
            current = left.leave();
            places.keep(left);
        }
    }

    /** As the threads of collective operations that go on by themselves do, which run as the rank. */
    @Test
    void whoComesLaterDoesNotBecomeTheOwner() {
        places.own();
        Place place = left();
        places.keep(place);
        Place other = CompletableFuture.supplyAsync(() -> {
                    places.own();
                    return places.take();
                })
                .join();
        assertNotSame(place, other);
        assertSame(place, places.take());
    }

    @Test
    void soManyAreKeptAsAreWorthIt() {
        places.own();
        List<Place> all = leaveAndKeep(10);
        List<Place> again = new ArrayList<>();
        for (int i = 0; i < 10; i++) {
            again.add(places.take());
        }
        assertEquals(4, again.stream().filter(all::contains).count());
    }

    /** To a rank that sends two messages for each that it gets. */
    @Test
    void oneMoreThanIsKeptGoesAlongWithTheNextMessage() {
        places.own();
        List<Place> all = leaveAndKeep(5);
        Place taken = places.take();
        assertSame(all.getLast(), taken.spare);
        assertNull(places.take().spare);
        Places others = new Places();
        others.own();
        others.keep(taken);
        assertSame(all.getLast(), others.take());
        assertSame(taken, others.take());
        assertNull(taken.spare);
        Place another = others.take();
        assertTrue(all.stream().noneMatch(place -> place == another));
    }

    @Test
    void oneWhoseContentsCannotBeCopiedIsKept() {
        places.own();
        JBuffer gone;
        try (Arena arena = Arena.ofShared()) {
            gone = JBuffer.of(arena.allocate(1), JType.BYTE);
        }
        Place place = places.take();
        assertThrows(JException.class, () -> places.hold(place, gone));
        assertSame(place, places.take());
    }
}
