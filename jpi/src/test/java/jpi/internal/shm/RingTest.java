package jpi.internal.shm;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** Which messages may lie behind others in a ring, and that contents which go on a detour come. */
class RingTest {
    private static final int SLOTS = 16;
    private static final int DATA = 4096;

    private final MemorySegment memory = Arena.ofAuto().allocate(Ring.size(SLOTS, DATA), 64);
    private final Ring sender = new Ring(memory, SLOTS, DATA, null);
    private final Ring receiver = new Ring(memory, SLOTS, DATA, null);

    private void send(int priority) {
        long slot = sender.claim(0);
        assertTrue(slot != Ring.FULL);
        sender.commit(slot, 0, priority);
    }

    @Test
    void equalOnesAreNotOvertaken() {
        send(5);
        send(5);
        assertFalse(receiver.isOvertaken());
        assertFalse(receiver.isLast());
        receiver.advance(0);
        assertFalse(receiver.isOvertaken());
        assertTrue(receiver.isLast());
    }

    @Test
    void oneBehindThatIsMoreImportantIsSeenUntilItIsNext() {
        send(5);
        send(3);
        send(4);
        assertTrue(receiver.isOvertaken());
        receiver.advance(0);
        assertTrue(receiver.isOvertaken());
        receiver.advance(0);
        assertFalse(receiver.isOvertaken());
    }

    @Test
    void oneThatIsShownInPartsIsNextBeforeAllOfItIsThere() {
        int bytes = 1000;
        int part = 300;
        long slot = sender.claim(bytes);
        assertEquals(Ring.FULL, receiver.next());
        sender.show(slot, part, 5);
        assertEquals(slot, receiver.next());
        assertEquals(part, Ring.shown(slot));
        assertTrue(receiver.isLast());
        sender.showMore(slot, 2 * part);
        assertEquals(2 * part, Ring.shown(slot));
        sender.commitShown(slot, bytes, bytes);
        assertEquals(bytes, Ring.shown(slot));
        send(6);
        assertTrue(receiver.isOvertaken());
        assertFalse(receiver.isLast());
        receiver.advance(bytes);
        assertFalse(receiver.isOvertaken());
        assertTrue(receiver.next() != Ring.FULL);
    }

    @Test
    void whatIsNoMessageComesBetweenUnseen() {
        send(5);
        sender.commit(sender.claim(0), 0);
        send(5);
        assertFalse(receiver.isOvertaken());
    }

    @Test
    void theSenderLearnsThatFewAreLeftOnceSomeHaveBeenTaken() {
        for (int i = 0; i < SLOTS; i++) {
            assertTrue(sender.hasFew(), i + " are under way");
            send(5);
        }
        assertFalse(sender.hasFew());
        receiver.advance(0);
        assertFalse(sender.hasFew()); // not told yet
        receiver.advance(0);
        assertTrue(sender.hasFew());
    }

    /** Of large contents, whether they go round or not, each is told. */
    @Test
    void theSenderLearnsSoonerThatLargeOnesHaveBeenTaken() {
        int bytes = DATA / 8;
        for (int i = 0; i < SLOTS; i++) {
            send(5);
        }
        for (int i = 0; i < SLOTS; i++) {
            receiver.advance(0);
        }
        long slot = sender.claim(bytes);
        sender.commit(slot, bytes, 5);
        for (int i = 1; i < SLOTS; i++) {
            send(5);
        }
        assertFalse(sender.hasFew());
        receiver.advance(bytes);
        assertTrue(sender.hasFew());
    }

    /** It may say yes for nothing, never no although one is there. */
    @Test
    void noMoreImportantOneIsMissed() {
        Random random = new Random(1);
        List<Integer> inRing = new ArrayList<>();
        int overtaken = 0;
        for (int i = 0; i < 100_000; i++) {
            if (inRing.size() < SLOTS - 1 && random.nextBoolean()) {
                int priority = random.nextInt(10) == 0 ? random.nextInt(1, 11) : 5;
                send(priority);
                inRing.add(priority);
            } else if (!inRing.isEmpty() && receiver.next() != Ring.FULL) {
                int next = inRing.getFirst();
                if (receiver.isOvertaken()) {
                    overtaken++;
                } else {
                    assertTrue(inRing.stream().allMatch(priority -> priority <= next), () -> inRing.toString());
                }
                receiver.advance(0);
                inRing.removeFirst();
            }
        }
        assertTrue(overtaken > 0);
    }

    /** Another thread asks if something has come, while one takes messages out: who asks may be about to sleep. */
    @Test
    void oneThatIsThereIsSeenByWhoDoesNotTakeItOut() throws InterruptedException {
        for (int i = 0; i < SLOTS / 2; i++) {
            send(5);
        }
        AtomicLong missed = new AtomicLong();
        AtomicBoolean over = new AtomicBoolean();
        Thread other = Thread.ofPlatform().start(() -> {
            while (!over.get()) {
                if (receiver.next() == Ring.FULL) {
                    missed.incrementAndGet();
                }
            }
        });
        for (int i = 0; i < 2_000_000; i++) {
            send(5);
            receiver.advance(0);
        }
        over.set(true);
        other.join();
        assertEquals(0, missed.get(), "times that nothing was said to have come");
    }

    /** Of another page: the receiver's processor, which fetches what comes next by itself, does not guess where that is. */
    @Test
    void theNextSlotIsFarFromThisOne() {
        int slots = 1024;
        MemorySegment many = Arena.ofAuto().allocate(Ring.size(slots, DATA), 64);
        Ring from = new Ring(many, slots, DATA, null);
        Ring into = new Ring(many, slots, DATA, null);
        Set<Long> all = new HashSet<>();
        long before = 0;
        for (int i = 0; i < 4 * slots; i++) {
            long slot = from.claim(0);
            assertTrue(Math.abs(slot - before) > 4096);
            all.add(slot);
            before = slot;
            from.commit(slot, 0, 5);
            into.advance(0);
        }
        assertEquals(slots, all.size());
    }

    /** While the sender writes ahead to slots that are free, and the receiver reads ahead. */
    @Test
    void smallContentsComeWholeAndInOrder() {
        int slots = 1024;
        int data = 1 << 16;
        MemorySegment many = Arena.ofAuto().allocate(Ring.size(slots, data), 64);
        Ring from = new Ring(many, slots, data, null);
        Ring into = new Ring(many, slots, data, null);
        Random random = new Random(3);
        ArrayDeque<Integer> sizes = new ArrayDeque<>();
        int turn = 1;
        for (int sent = 0, taken = 0; taken < 1_000_000; turn--) {
            if (turn == 0) {
                turn = random.nextInt(1, 2 * slots);
            }
            int bytes = random.nextInt(100);
            long slot = turn > slots ? from.claim(bytes) : Ring.FULL;
            if (slot != Ring.FULL) {
                Memory.ALL.asSlice(from.room(slot, bytes), bytes).fill((byte) sent++);
                from.set(slot, Ring.LENGTH, bytes);
                from.set(slot, Ring.TAG, sent);
                from.commit(slot, bytes, 5);
                sizes.add(bytes);
            } else if (!sizes.isEmpty()) {
                int size = sizes.remove();
                long next = into.next();
                MemorySegment expected = MemorySegment.ofArray(new byte[size]).fill((byte) taken++);
                assertEquals(
                        -1,
                        Memory.ALL.asSlice(into.nextContents(next, size), size).mismatch(expected));
                assertEquals(size, into.get(next, Ring.LENGTH));
                assertEquals(taken, into.get(next, Ring.TAG));
                into.advance(size);
            } else {
                assertEquals(Ring.FULL, into.next());
            }
        }
    }

    /** As if each look at what the receiver has taken had lasted so long. */
    static void makeSure(Detour detour, long nanos) {
        for (int i = 0; i < 100; i++) {
            detour.learn(nanos);
        }
    }

    /** Contents of all sizes, while the receiver seems to be now near, now far; and the memory for those after them is written to before. */
    @Test
    void whatGoesOnADetourComesWholeAndInOrder() {
        int slots = 64;
        int slotsOnDetour = 16;
        int most = (1 << 20) / 2 / slotsOnDetour;
        MemorySegment memory = Arena.ofAuto().allocate(Ring.size(slots, 4 * most), 64);
        MemorySegment way = Arena.ofAuto().allocate(1 << 20, 4096);
        Detour chosen = new Detour(way, slotsOnDetour);
        Ring from = new Ring(memory, slots, 4 * most, chosen);
        Ring into = new Ring(memory, slots, 4 * most, new Detour(way, slotsOnDetour));
        Random random = new Random(2);
        ArrayDeque<Integer> sizes = new ArrayDeque<>();
        int[] ways = new int[2];
        for (int sent = 0, taken = 0; taken < 100_000; ) {
            if (random.nextInt(500) == 0) {
                makeSure(chosen, random.nextBoolean() ? Long.MAX_VALUE : 0);
            }
            int bytes = random.nextInt(most + 1);
            long slot = random.nextInt(2 * slots) >= sizes.size() ? from.claim(bytes) : Ring.FULL; // mostly full
            if (slot != Ring.FULL) {
                long room = from.room(slot, bytes);
                if (bytes > Detour.LEAST) {
                    ways[room >= way.address() && room < way.address() + way.byteSize() ? 1 : 0]++;
                }
                Memory.ALL.asSlice(room, bytes).fill((byte) sent++);
                from.commit(slot, bytes, 5);
                from.prefetch(random.nextInt(most + 1));
                sizes.add(bytes);
            } else if (!sizes.isEmpty()) {
                int size = sizes.remove();
                MemorySegment contents = Memory.ALL.asSlice(into.nextContents(into.next(), size), size);
                MemorySegment expected = MemorySegment.ofArray(new byte[size]).fill((byte) taken++);
                assertEquals(-1, contents.mismatch(expected));
                into.advance(size);
            }
        }
        assertTrue(ways[0] > 1000 && ways[1] > 1000, () -> Arrays.toString(ways));
    }

    @Test
    void aDetourIsForWhoIsSurelyFar() {
        Detour detour = new Detour(Arena.ofAuto().allocate(1 << 20, 4096), SLOTS);
        int bytes = 4096;
        assertFalse(detour.isFor(bytes));
        for (int i = 0; i < 100; i++) { // one of two is not enough
            detour.learn(i % 2 == 0 ? 1000 : 20);
            assertFalse(detour.isFor(bytes));
        }
        makeSure(detour, 1000);
        assertTrue(detour.isFor(bytes));
        assertFalse(detour.isFor(Detour.LEAST));
        assertTrue(detour.isFor((1 << 20) / 2 / SLOTS));
        assertFalse(detour.isFor((1 << 20) / 2 / SLOTS + 1));
        detour.learn(20);
        assertTrue(detour.isFor(bytes));
        makeSure(detour, 20);
        assertFalse(detour.isFor(bytes));
    }

    /** That is refused here because it does not begin with a page. */
    @Test
    void withoutMemoryThereIsNoDetour() {
        Detour detour = new Detour(Arena.ofAuto().allocate((1 << 20) + 64, 4096).asSlice(64), SLOTS);
        makeSure(detour, 1000);
        assertFalse(detour.isFor(4096));
    }
}
