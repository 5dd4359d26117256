package jpi.internal.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.concurrent.locks.LockSupport;
import jpi.internal.objects.AllowedTypes;
import jpi.internal.objects.ObjectCodec;
import jpi.internal.objects.Serialisation;
import jpi.internal.shm.SharedLayout;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** All that goes from one JVM to another has the same room. */
class FullRingTest {
    private static final int CONTEXT = 2;
    private static final int TAG = 1;
    private static final int PRIORITY = 5;
    private static final int RANKS = 4;
    private static final long LIMIT_NANOS = 10_000_000_000L;
    private static final long LOOK_NANOS = 1_000_000;

    private final MemorySegment memory =
            Arena.ofAuto().allocate(World.memorySize(new Layout(RANKS, 2, 0), false), 4096);
    /** Of ranks 0 and 1. */
    private final World receiving = world(0);
    /** Of ranks 2 and 3. */
    private final World sending = world(1);

    private World world(int worker) {
        return new World(
                new Layout(RANKS, 2, worker),
                new Settings(false, false, false, false),
                new ObjectCodec(new AllowedTypes(FullRingTest.class, ""), Serialisation.FORY),
                memory);
    }

    private void send(int from, int to) {
        send(from, to, 8, Rank.Mode.STANDARD);
    }

    private void send(int from, int to, int bytes, Rank.Mode mode) {
        var _ = sending.rank(from).send(to, CONTEXT, from, TAG, PRIORITY, new byte[bytes], mode);
    }

    /** No rank of the other JVM looks. */
    @Test
    @Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
    void whatIsNotToWaitDoesNot() {
        receiving.start();
        int sent = 5 * SharedLayout.MOST_MESSAGES;
        for (int i = 0; i < sent; i++) {
            send(2, 0, i, Rank.Mode.BUFFERED);
        }
        assertFalse(receiving.isAsked(), "who has got room asks no more");
        receiving.close();
        for (int i = 0; i < sent; i++) {
            Receive receive = receiving.rank(0).receive(Receive.Kind.TAKE, CONTEXT, 2, TAG, 2, null);
            assertTrue(receive.isDone(), () -> "a message of " + sent + " is missing");
            assertEquals(i, receive.status().count());
        }
    }

    /** Else who sends without end would fill the memory of one that computes. */
    @Test
    @Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
    void whatMayWaitAsksNobody() throws InterruptedException {
        receiving.start();
        Thread sends = Thread.ofPlatform().daemon().start(() -> {
            for (int i = 0; i <= SharedLayout.MOST_MESSAGES; i++) {
                send(2, 0);
            }
        });
        long end = System.nanoTime() + LIMIT_NANOS;
        while (sends.getState() != Thread.State.TIMED_WAITING) {
            assertTrue(sends.isAlive() && System.nanoTime() - end < 0, "it does not wait");
            Thread.onSpinWait();
        }
        assertFalse(receiving.isAsked());
        assertTrue(receiving
                .rank(0)
                .receive(Receive.Kind.TAKE, CONTEXT, 2, TAG, 2, null)
                .isDone());
        while (receiving
                .rank(0)
                .receive(Receive.Kind.PROBE, CONTEXT, 2, TAG, 2, null)
                .isDone()) {
            var _ = receiving.rank(0).receive(Receive.Kind.TAKE, CONTEXT, 2, TAG, 2, null);
        }
        sends.join();
        receiving.close();
    }

    /** Else it would never be: nobody but the one that all that fills it is for would be woken. */
    @Test
    @Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
    void whoSleepsIsWokenToMakeRoom() throws InterruptedException {
        Rank sleeper = receiving.rank(0);
        Thread waits = Thread.ofPlatform()
                .daemon()
                .start(() -> sleeper.run(
                        () -> sleeper.fetch(sleeper.newReceive(Receive.Kind.TAKE, CONTEXT, 3, TAG, 3, null))));
        long end = System.nanoTime() + LIMIT_NANOS;
        while (sleeper.mailbox().waitsFor() == null && System.nanoTime() - end < 0) {
            LockSupport.parkNanos(LOOK_NANOS);
        }
        assertNotNull(sleeper.mailbox().waitsFor());
        for (int i = 0; i < SharedLayout.MOST_MESSAGES; i++) {
            send(2, 1); // which computes, or has ended
        }
        send(3, 0);
        waits.join();
    }
}
