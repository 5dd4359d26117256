package jpi.internal.engine;

import static java.util.Objects.requireNonNull;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.locks.LockSupport;
import jpi.JBuffer;
import jpi.JException;
import jpi.JStatus;
import jpi.JType;
import jpi.internal.objects.AllowedTypes;
import jpi.internal.objects.ObjectCodec;
import jpi.internal.objects.Serialisation;
import jpi.internal.shm.SharedWord;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What comes from another JVM, and when it is taken in. */
class PeerTest {
    private static final int CONTEXT = 2;
    private static final int LARGE = 1;
    private static final int SMALL = 2;
    private static final int PRIORITY = 5;
    /** As many as go at once, twice: of fewer it would not be a long one. */
    private static final int PIECES = 8;

    private static final long LIMIT_NANOS = 10_000_000_000L;
    private static final long MOMENT_NANOS = 100_000_000;

    private final MemorySegment memory = Arena.ofAuto().allocate(World.memorySize(new Layout(2, 2, 0), false), 4096);
    private final World receiving = world(0);
    private final World sending = world(1);

    private World world(int worker) {
        return new World(
                new Layout(2, 2, worker),
                new Settings(false, false, false, false),
                new ObjectCodec(new AllowedTypes(PeerTest.class, ""), Serialisation.FORY),
                memory);
    }

    private void send(int tag, int bytes) {
        send(tag, bytes, PRIORITY);
    }

    private void send(int tag, int bytes, int priority) {
        var _ = sending.rank(1).send(0, CONTEXT, 1, tag, priority, new byte[bytes], Rank.Mode.STANDARD);
    }

    /** Of the next message from there, with that tag. */
    private JStatus receive(int source, int tag) {
        Receive receive =
                receiving.rank(0).receive(Receive.Kind.TAKE, CONTEXT, source, tag, source == 1 ? 1 : Receive.ANY, null);
        assertTrue(receive.isDone(), "nothing has come");
        return receive.status();
    }

    private static JStatus small(int bytes, int priority) {
        return new JStatus(1, SMALL, priority, bytes);
    }

    /** Or a sender that is ahead would never have to wait, and its messages would fill the memory. */
    @Test
    void whoIsBehindTakesInNoMoreThanItWants() {
        int sent = 200;
        for (int i = 0; i < sent; i++) {
            send(SMALL, i);
        }
        assertTrue(receiving.poll(0, null, null));
        for (int i = 0; i < sent; i++) {
            assertTrue(receiving.hasMessages(null) || i > 64, "after " + i + " all have been taken in");
            assertEquals(small(i, PRIORITY), receive(1, i % 2 == 0 ? SMALL : Receive.ANY));
        }
        assertFalse(receiving.hasMessages(null));
    }

    @Test
    void whoIsBehindSeesThatAMoreImportantOneHasCome() {
        for (int source : new int[] {1, Receive.ANY}) {
            send(SMALL, 1);
            send(SMALL, 2);
            takeInAMoreImportantOne();
            send(SMALL, 3, PRIORITY + 1);
            assertEquals(small(3, PRIORITY + 1), receive(source, SMALL), "the next one in the ring is");
            send(SMALL, 4);
            send(SMALL, 5, PRIORITY + 1);
            assertEquals(small(5, PRIORITY + 1), receive(source, SMALL), "one behind it is");
            for (int bytes : new int[] {1, 2, 4}) {
                assertEquals(small(bytes, PRIORITY), receive(source, SMALL));
            }
        }
    }

    /** What comes after it is not more important than what has come before. */
    private void takeInAMoreImportantOne() {
        send(LARGE, 0, PRIORITY + 2);
        assertTrue(receiving.poll(0, null, null));
        assertEquals(new JStatus(1, LARGE, PRIORITY + 2, 0), receive(1, LARGE));
    }

    /** That something is wanted has no priority, and hides that of what comes after it. */
    @Test
    void whoIsBehindSeesWhatComesAfterANote() {
        send(SMALL, 1);
        takeInAMoreImportantOne();
        var _ = receiving.rank(0).send(1, CONTEXT, 0, LARGE, PRIORITY, new byte[1 << 20], Rank.Mode.STANDARD);
        Receive wanted = sending.rank(1).receive(Receive.Kind.TAKE, CONTEXT, 0, LARGE, 0, null); // says that it is
        assertFalse(wanted.isDone());
        send(SMALL, 2, PRIORITY + 1);
        assertEquals(small(2, PRIORITY + 1), receive(1, SMALL));
        assertEquals(small(1, PRIORITY), receive(1, SMALL));
    }

    /** As when several ranks of the other JVM send short ones without end. */
    @Test
    void aLongMessageComesThroughAlthoughThereAreAlwaysShortOnes() {
        Receive large = receiving.rank(0).receive(Receive.Kind.TAKE, CONTEXT, 1, LARGE, 1, null);
        send(LARGE, PIECES * (8 << 10));
        int turns = 0;
        do {
            for (int i = 0; i < 10; i++) {
                send(SMALL, 8);
            }
            var _ = sending.poll(1, null, null);
            assertTrue(receiving.poll(0, null, null));
            receiving.rank(0).mailbox().tend();
            turns++;
        } while (!large.isDone() && turns < 1000);
        assertTrue(large.isDone());
        assertTrue(turns > 2 * PIECES, "in " + turns + " turns, and messages are to come first");
    }

    /** The rest comes as soon as its sender has learnt that it is wanted: to be woken for it takes longer than that. */
    @Test
    @Timeout(60)
    void whoHasFoundALongMessageLooksForTheRestBeforeItSleeps() throws InterruptedException {
        send(LARGE, 1 << 20);
        Rank rank = receiving.rank(0);
        Receive large = rank.newFetch(CONTEXT, 1, LARGE, 1, null);
        Thread waits = Thread.ofPlatform().daemon().start(() -> rank.run(() -> rank.fetch(large)));
        while (!Sleep.isOf(rank)) {
            Thread.onSpinWait();
        }
        long looks = receiving.looked();
        assertTrue(looks > 1000, "it sleeps after " + looks + " looks");
        while (waits.isAlive()) {
            var _ = sending.poll(1, null, null);
        }
        waits.join();
        assertEquals(1 << 20, large.count());
    }

    /** A message that its sender does not wait for. */
    private void sendAndLeave() {
        var contents = new byte[16 << 20];
        requireNonNull(sending.rank(1).send(0, CONTEXT, 1, LARGE, PRIORITY, contents, Rank.Mode.STANDARD))
                .leave();
    }

    @Test
    @Timeout(60)
    void whatNobodySeesToGoesOn() {
        sending.start();
        Receive large = receiving.rank(0).receive(Receive.Kind.TAKE, CONTEXT, 1, LARGE, 1, null);
        sendAndLeave();
        while (!large.isDone()) {
            receiving.rank(0).progress();
        }
        sending.close();
    }

    @Test
    void theAttendantKeepsOffAsLongAsARankLooks() {
        Attendant attendant =
                new Attendant(sending, new SharedWord(Arena.ofAuto().allocate(SharedWord.SIZE, SharedWord.SIZE)));
        assertFalse(attendant.isToWork(), "nothing is under way");
        sendAndLeave();
        assertTrue(attendant.isToWork());
        sending.rank(1).progress();
        assertFalse(attendant.isToWork());
        assertTrue(attendant.isToWork(), "it has not looked again");
    }

    /** The worker is told that a message is wanted which it has not sent. */
    @Test
    void allLearnThatTheAttendantHasFailed() {
        Receive large = receiving.rank(0).receive(Receive.Kind.TAKE, CONTEXT, 1, LARGE, 1, null);
        sendAndLeave();
        receiving.rank(0).progress();
        assertFalse(large.isDone());
        World forgetful = world(1);
        forgetful.leaveUnattended();
        forgetful.start();
        long end = System.nanoTime() + LIMIT_NANOS;
        while (!forgetful.hasFailed() && System.nanoTime() - end < 0) {
            Thread.onSpinWait();
        }
        forgetful.close();
        String message =
                String.valueOf(assertThrows(JException.class, forgetful::check).getMessage());
        assertTrue(
                message.startsWith("what came from other JVMs while no rank looked could not be taken in: "), message);
    }

    /** Of one that is shown when a part of it is there: the receiver gets all, or nothing, or learns that there is no more. */
    @Test
    void whoseMemoryIsClosedMeanwhileIsNotWaitedFor() throws InterruptedException {
        int bytes = 8 << 10;
        Receive receive = null;
        for (int i = 0; i < 3000; i++) {
            if (receive == null) {
                receive = receiving.rank(0).receive(Receive.Kind.TAKE, CONTEXT, 1, SMALL, 1, null);
            }
            Arena arena = Arena.ofShared();
            MemorySegment contents = arena.allocate(bytes).fill((byte) i);
            CountDownLatch begun = new CountDownLatch(1);
            int spins = i % 300;
            Thread closer = Thread.ofPlatform().start(() -> {
                begun.countDown();
                for (int spin = 0; spin < spins; spin++) {
                    Thread.onSpinWait();
                }
                arena.close();
            });
            begun.await();
            boolean whole = true;
            try {
                var _ = sending.rank(1)
                        .send(0, CONTEXT, 1, SMALL, PRIORITY, JBuffer.of(contents, JType.BYTE), Rank.Mode.STANDARD);
            } catch (JException e) {
                whole = false;
                boolean _ = Thread.interrupted(); // HotSpot does, to whom it throws that the memory is closed
            }
            closer.join();
            receiving.rank(0).progress();
            assertTrue(receive.isDone() || !whole, "nothing came of what was sent");
            if (receive.isDone()) {
                assertIsWhole(receive, whole, bytes, (byte) i);
                receive = null;
            }
        }
    }

    private static void assertIsWhole(Receive receive, boolean whole, int bytes, byte content) {
        if (whole) {
            byte[] expected = new byte[bytes];
            Arrays.fill(expected, content);
            assertArrayEquals(expected, (byte[]) receive.value());
        } else {
            String message = String.valueOf(
                    assertThrows(JException.class, receive::check).getMessage());
            assertTrue(message.contains("the sender closed the memory of the message"), message);
        }
    }

    private long looksIn(long nanos) {
        long before = receiving.looked();
        long end = System.nanoTime() + nanos;
        while (System.nanoTime() - end < 0) {
            LockSupport.parkNanos(end - System.nanoTime());
        }
        return receiving.looked() - before;
    }

    /** None of them is the rank's own. */
    @Test
    void threadsThatWaitDoNotWakeEachOtherWithoutEnd() throws InterruptedException {
        List<Thread> waiting = new ArrayList<>();
        for (int tag : new int[] {LARGE, SMALL}) {
            Receive receive = receiving.rank(0).newReceive(Receive.Kind.TAKE, CONTEXT, 1, tag, 1, null);
            waiting.add(
                    Thread.ofPlatform().daemon().start(() -> receiving.rank(0).fetch(receive)));
        }
        long end = System.nanoTime() + LIMIT_NANOS;
        while (looksIn(MOMENT_NANOS) != 0) {
            assertTrue(System.nanoTime() - end < 0, "they do not fall asleep");
        }
        receiving.rank(0).mailbox().wake();
        long looks = looksIn(MOMENT_NANOS);
        assertTrue(looks <= 10, looks + " looks");
        send(LARGE, 8);
        send(SMALL, 8);
        for (Thread thread : waiting) {
            thread.join();
        }
    }
}
