package jpi.internal.engine;

import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import jpi.internal.objects.AllowedTypes;
import jpi.internal.objects.ObjectCodec;
import jpi.internal.objects.Serialisation;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** How several threads of a rank wait. */
class WaitingTest {
    private static final int CONTEXT = 2;
    private static final int TAG = 1;
    private static final int PRIORITY = 5;
    private static final long LIMIT_NANOS = 10_000_000_000L;
    private static final long LOOK_NANOS = 1_000_000;

    private final World world = new World(
            new Layout(2, 1, 0),
            new Settings(false, false, false, true),
            new ObjectCodec(new AllowedTypes(WaitingTest.class, ""), Serialisation.FORY),
            null);
    private final Rank rank = world.rank(0);
    private final Mailbox mailbox = rank.mailbox();

    private static boolean comesAbout(BooleanSupplier condition) {
        long deadline = System.nanoTime() + LIMIT_NANOS;
        while (!condition.getAsBoolean() && System.nanoTime() < deadline) {
            LockSupport.parkNanos(LOOK_NANOS);
        }
        return condition.getAsBoolean();
    }

    private static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    private static boolean sleeps(@Nullable Thread thread) {
        return thread != null && thread.getState() == Thread.State.WAITING;
    }

    private Receive receive(int tag) {
        return rank.newReceive(Receive.Kind.TAKE, CONTEXT, 1, tag, 1, null);
    }

    private void sendToIt(int tag) {
        var _ = world.rank(1).send(0, CONTEXT, 1, tag, PRIORITY, "message", Rank.Mode.STANDARD);
    }

    /** Else what has come in between, and was left by that one, lies there until something else comes. */
    @Test
    void whoFoundItTendedTendsItWhenTheOtherHasLetGo() throws InterruptedException {
        CountDownLatch tended = new CountDownLatch(1);
        CountDownLatch enough = new CountDownLatch(1);
        mailbox.add(
                _ -> {
                    tended.countDown();
                    await(enough);
                },
                new Place());
        Thread tends = Thread.ofPlatform().daemon().start(mailbox::tend);
        await(tended);
        Thread waits = Thread.ofPlatform().daemon().start(() -> rank.run(() -> rank.fetch(receive(TAG))));
        assertTrue(comesAbout(() -> sleeps(waits)));
        enough.countDown();
        tends.join();
        assertTrue(comesAbout(() -> Arrays.stream(waits.getStackTrace())
                .anyMatch(call -> call.getMethodName().equals("lead"))));
        sendToIt(TAG);
        waits.join();
    }

    private @Nullable String blocked() {
        return world.census().blocked().get(0);
    }

    /** The rank begins an errand that receives, does something itself meanwhile, and waits for the errand. */
    private Thread startWithErrand(AtomicReference<@Nullable Thread> errands, Runnable meanwhile) {
        return Thread.ofPlatform()
                .daemon()
                .start(() -> rank.run(() -> {
                    Errand<Receive> errand = Errand.start(rank, () -> "in an errand", () -> {
                        errands.set(Thread.currentThread());
                        return rank.fetch(receive(TAG));
                    });
                    meanwhile.run();
                    rank.await(errand);
                }));
    }

    /** As a program does that computes while a collective operation goes on: another rank may wait for what it sends then. */
    @Test
    void aRankThatComputesDoesNotWaitForWhatItHasBegun() throws InterruptedException {
        AtomicReference<@Nullable Thread> errands = new AtomicReference<>();
        CountDownLatch computed = new CountDownLatch(1);
        Thread own = startWithErrand(errands, () -> await(computed));
        assertTrue(comesAbout(() -> sleeps(errands.get())));
        assertNull(blocked());
        computed.countDown();
        assertTrue(comesAbout(() -> "in an errand".equals(blocked())));
        sendToIt(TAG);
        own.join();
        assertNull(blocked());
    }

    @Test
    void aRankIsSeenToWaitAlthoughAnotherThreadTends() throws InterruptedException {
        CountDownLatch tended = new CountDownLatch(1);
        Thread own = Thread.ofPlatform()
                .daemon()
                .start(() -> rank.run(() -> {
                    await(tended);
                    rank.fetch(receive(TAG));
                }));
        Thread other = Thread.ofPlatform().daemon().start(() -> rank.fetch(receive(TAG + 1)));
        assertTrue(comesAbout(() -> sleeps(other)));
        tended.countDown();
        assertTrue(comesAbout(() -> "for a message from rank 1, tag 1".equals(blocked())));
        sendToIt(TAG + 1);
        sendToIt(TAG);
        other.join();
        own.join();
    }

    /** What is to be done with a message that has come may send the one that another rank waits for. */
    @Test
    void aRankDoesNotWaitWhileWhatDependsOnARequestRuns() throws InterruptedException {
        CountDownLatch follows = new CountDownLatch(1);
        CountDownLatch computed = new CountDownLatch(1);
        Thread own = Thread.ofPlatform()
                .daemon()
                .start(() -> rank.run(() -> {
                    rank.receive(Receive.Kind.TAKE, CONTEXT, 1, TAG, 1, null).follow(() -> {
                        follows.countDown();
                        await(computed);
                        rank.fetch(receive(TAG + 1));
                    });
                    rank.fetch(receive(TAG + 2));
                }));
        sendToIt(TAG);
        await(follows);
        assertTrue(comesAbout(() -> sleeps(own)));
        assertNull(blocked());
        computed.countDown();
        assertTrue(comesAbout(() -> "for a message from rank 1, tag 3".equals(blocked())));
        sendToIt(TAG + 1);
        sendToIt(TAG + 2);
        own.join();
    }

    /** Virtual threads of the program may keep all carriers, and what sleeps in one of them then goes on when they let go only. */
    @Test
    @Timeout(60)
    void aRankReceivesAlthoughWhatItHasBegunGetsNoCarrier() throws InterruptedException {
        AtomicReference<@Nullable Thread> errands = new AtomicReference<>();
        CountDownLatch received = new CountDownLatch(1);
        CountDownLatch taken = new CountDownLatch(1);
        Thread own = startWithErrand(errands, () -> {
            await(taken);
            rank.fetch(receive(TAG + 1));
            received.countDown();
        });
        assertTrue(comesAbout(() -> sleeps(errands.get())));
        int carriers = Runtime.getRuntime().availableProcessors();
        CountDownLatch busy = new CountDownLatch(carriers);
        for (int i = 0; i < carriers; i++) {
            var _ = Thread.startVirtualThread(() -> {
                busy.countDown();
                while (received.getCount() != 0) {
                    Thread.onSpinWait();
                }
            });
        }
        try {
            busy.await();
            taken.countDown();
            sendToIt(TAG + 1);
            received.await();
        } finally {
            received.countDown(); // else nothing virtual ever runs here again
        }
        sendToIt(TAG);
        own.join();
    }
}
