package jpi.internal.shm;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** Which messages may lie behind others in a ring. */
class RingTest {
    private static final int SLOTS = 16;
    private static final int DATA = 4096;

    private final MemorySegment memory = Arena.ofAuto().allocate(Ring.size(SLOTS, DATA), 64);
    private final Ring sender = new Ring(memory, SLOTS, DATA);
    private final Ring receiver = new Ring(memory, SLOTS, DATA);

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
}
