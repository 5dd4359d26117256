package jpi.internal.launch;

import static java.util.Objects.requireNonNull;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import jpi.JApplication;
import jpi.JBuffer;
import jpi.JComm;
import jpi.JOperation;
import jpi.internal.engine.Layout;
import jpi.internal.engine.Settings;
import jpi.internal.engine.World;
import jpi.internal.objects.AllowedTypes;
import jpi.internal.objects.ObjectCodec;
import jpi.internal.objects.Serialisation;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** However a rank ends, the master learns that it has, and why. */
class RanksTest {
    /** Ample: it only bounds what hangs. */
    private static final long LIMIT_SECONDS = 60;

    /** Both ranks of it. */
    private static List<ControlMessage> run(Class<? extends JApplication> program) throws InterruptedException {
        BlockingQueue<ControlMessage> said = new LinkedBlockingQueue<>();
        var _ = start(program, 2, said);
        return allOf(said);
    }

    private static Ranks start(Class<? extends JApplication> program, int number, BlockingQueue<ControlMessage> said) {
        Layout layout = new Layout(number, 1, 0);
        ApplicationClass application = ApplicationClass.find(program.getName());
        ObjectCodec codec = new ObjectCodec(new AllowedTypes(program, ""), Serialisation.FORY);
        World world = new World(layout, new Settings(false, false, false, true), codec, null);
        ControlMessage.Task task = new ControlMessage.Task(
                number, 1, false, false, false, false, true, Serialisation.FORY, false, program.getName(), List.of());
        Ranks ranks = new Ranks(layout, task, world, application, said::add);
        ranks.start();
        return ranks;
    }

    private static List<ControlMessage> allOf(BlockingQueue<ControlMessage> said) throws InterruptedException {
        List<ControlMessage> all = new ArrayList<>();
        while (all.isEmpty() || !(all.getLast() instanceof ControlMessage.Ended)) {
            ControlMessage next = said.poll(LIMIT_SECONDS, TimeUnit.SECONDS);
            assertNotNull(next, () -> "no more than " + all);
            all.add(next);
        }
        return all;
    }

    static final class Wordless extends RuntimeException {
        private static final long serialVersionUID = 1;

        @Override
        public String getMessage() {
            throw new IllegalStateException("no words");
        }
    }

    /** Its first rank ends with an exception that cannot say what it is. */
    static final class EndsWordless extends JApplication {
        @Override
        public void Jmain(String[] args) {
            if (JPI.COMM_WORLD.rank() == 0) {
                throw new Wordless();
            }
        }
    }

    @Test
    void anExceptionNeedNotBeAbleToSayWhatItIs() throws InterruptedException {
        assertEquals(
                List.of(
                        new ControlMessage.Failed(
                                0,
                                "ended with " + Wordless.class.getName()
                                        + ", and what that says of itself cannot be told"
                                        + " (java.lang.IllegalStateException)"),
                        new ControlMessage.Ended()),
                run(EndsWordless.class));
    }

    /** Its first rank ends with an exception whose causes are a circle. */
    static final class EndsInACircle extends JApplication {
        @Override
        public void Jmain(String[] args) {
            if (JPI.COMM_WORLD.rank() == 0) {
                IllegalStateException one = new IllegalStateException("one");
                one.initCause(new IllegalStateException("other", one));
                throw one;
            }
        }
    }

    @Test
    void causesMayComeRound() throws InterruptedException {
        assertEquals(
                List.of(
                        new ControlMessage.Failed(0, "ended with java.lang.IllegalStateException: one"),
                        new ControlMessage.Ended()),
                run(EndsInACircle.class));
    }

    private static void awaitLook(CountDownLatch looked) {
        while (looked.getCount() != 0) {
            LockSupport.parkNanos(1_000_000);
        }
    }

    /** Of its first rank one thread waits for a message, and the other one computes, to wit until the test has looked. */
    abstract static class Divides extends JApplication {
        final void compute(CountDownLatch looked) {
            awaitLook(looked);
            JPI.COMM_WORLD.send("a result", 0, 5);
            JPI.COMM_WORLD.send("a result", 1, 5);
        }

        final void listen(BlockingQueue<Thread> waiting) {
            waiting.add(Thread.currentThread());
            JPI.COMM_WORLD.recv(0, 5);
        }
    }

    /** It is the rank's own thread that computes. */
    static final class ListensBeside extends Divides {
        static final CountDownLatch LOOKED = new CountDownLatch(1);
        static final BlockingQueue<Thread> WAITING = new LinkedBlockingQueue<>();

        @Override
        public void Jmain(String[] args) {
            if (JPI.COMM_WORLD.rank() == 0) {
                Thread.ofPlatform().start(() -> listen(WAITING));
                compute(LOOKED);
            } else {
                listen(WAITING);
            }
        }
    }

    /** The other way round: it is the rank's own thread that waits. */
    static final class ComputesBeside extends Divides {
        static final CountDownLatch LOOKED = new CountDownLatch(1);
        static final BlockingQueue<Thread> WAITING = new LinkedBlockingQueue<>();

        @Override
        public void Jmain(String[] args) {
            if (JPI.COMM_WORLD.rank() == 0) {
                Thread.ofPlatform().start(() -> compute(LOOKED));
            }
            listen(WAITING);
        }
    }

    private static void awaitUntil(BooleanSupplier condition, Supplier<@Nullable String> state) {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(LIMIT_SECONDS);
        while (!condition.getAsBoolean()) {
            assertTrue(System.nanoTime() - end < 0, state);
            Thread.onSpinWait();
        }
    }

    private static void assertNotBlocked(
            Class<? extends JApplication> program, BlockingQueue<Thread> waiting, CountDownLatch looked)
            throws InterruptedException {
        BlockingQueue<ControlMessage> said = new LinkedBlockingQueue<>();
        Ranks ranks = start(program, 2, said);
        for (int i = 0; i < 2; i++) {
            Thread thread = waiting.poll(LIMIT_SECONDS, TimeUnit.SECONDS);
            assertNotNull(thread);
            awaitUntil(
                    () -> thread.getState() == Thread.State.WAITING,
                    () -> thread + " does not sleep, but is " + thread.getState());
        }
        ControlMessage.Standing standing = ranks.standing();
        looked.countDown();
        assertTrue(standing.running() > 0, standing::toString);
        assertEquals(List.of(new ControlMessage.Ended()), allOf(said));
    }

    @Test
    void aRankIsNotBlockedIfOneOfItsThreadsComputes() throws InterruptedException {
        assertNotBlocked(ListensBeside.class, ListensBeside.WAITING, ListensBeside.LOOKED);
        assertNotBlocked(ComputesBeside.class, ComputesBeside.WAITING, ComputesBeside.LOOKED);
    }

    /** Two of three ranks come together, the other one when the test has looked. */
    static final class ComesLate extends JApplication {
        static final CountDownLatch LOOKED = new CountDownLatch(1);

        @Override
        public void Jmain(String[] args) {
            JComm backwards = requireNonNull(JPI.COMM_WORLD.split(0, -JPI.COMM_WORLD.rank()));
            if (JPI.COMM_WORLD.rank() == 0) {
                awaitLook(LOOKED);
            }
            backwards.allreduce(JBuffer.of(new int[1]), JBuffer.of(new int[1]), JOperation.SUM);
        }
    }

    @Test
    void whoHasNotComeIsAwaited() throws InterruptedException {
        BlockingQueue<ControlMessage> said = new LinkedBlockingQueue<>();
        Ranks ranks = start(ComesLate.class, 3, said);
        String what = "in allreduce of part of COMM_WORLD, for rank 0";
        List<ControlMessage.Wait> expected =
                List.of(new ControlMessage.Wait(1, what), new ControlMessage.Wait(2, what));
        // They may wait for each other before.
        awaitUntil(
                () -> ranks.standing().first().equals(expected),
                () -> ranks.standing().toString());
        ComesLate.LOOKED.countDown();
        assertEquals(List.of(new ControlMessage.Ended()), allOf(said));
    }
}
