package ayatori.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import ayatori.internal.linux.Sched;
import ayatori.sched.LinuxThread;
import ayatori.sched.Needs;
import ayatori.sched.PriorityLadder;
import ayatori.sched.Waiting;
import java.util.BitSet;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * The paper's table 1, on the counters and on the kernel's levels: a request (AP_r) to a server (OS) on another CPU, on which a
 * third thread (AP_o) computes. Static: priority p is RR 2p, and lends RR 2p - 1.
 */
class SixCasesTest {
    private static final int ATTEMPTS = 5;

    /** After that a thread that computes gives up, whatever happens: nothing else runs on its CPU meanwhile. */
    private static final long LIMIT = TimeUnit.SECONDS.toNanos(10);

    private BitSet before = new BitSet();
    private int serversCpu;

    @BeforeEach
    void moveToAnotherCpu() throws Exception {
        Needs.realTime();
        Needs.twoCpus();
        before = Sched.getAffinity(0);
        serversCpu = before.nextSetBit(0);
        BitSet other = (BitSet) before.clone();
        other.clear(serversCpu);
        assertEquals(0, Sched.setAffinity(0, other));
    }

    @AfterEach
    void moveBack() {
        if (!before.isEmpty()) {
            assertEquals(0, Sched.setAffinity(0, before));
        }
    }

    private void moveToServersCpu() {
        BitSet cpu = new BitSet();
        cpu.set(serversCpu);
        assertEquals(0, Sched.setAffinity(0, cpu));
    }

    /** AP_o: computes on the server's CPU until it is told to stop. */
    private final class Middle implements AutoCloseable {
        private final Thread thread;
        private volatile boolean computes;
        private volatile boolean stop;

        Middle(int priority) {
            thread = Thread.ofPlatform().name("middle").start(() -> {
                moveToServersCpu();
                PriorityLadder.of(PriorityLadder.Policy.STATIC)
                        .forJavaPriority(priority)
                        .ifPresent(LinuxThread.current()::set);
                computes = true;
                compute(() -> stop);
            });
        }

        void awaitComputing() {
            Waiting.until("AP_o computing", () -> computes);
        }

        boolean isComputing() {
            return thread.isAlive() && !stop;
        }

        void end() {
            stop = true;
        }

        @Override
        public void close() {
            end();
            Waiting.until("AP_o gone", () -> !thread.isAlive());
        }
    }

    private interface Sign {
        boolean isGiven();
    }

    private static void compute(Sign end) {
        long limit = System.nanoTime() + LIMIT;
        while (!end.isGiven() && System.nanoTime() - limit < 0) {
            Thread.onSpinWait();
        }
    }

    /** OS: answers at once, but the first request only when it is told to. */
    private final class Os implements AutoCloseable {
        final Endpoint<Integer, Integer> endpoint;
        final AtomicReference<LinuxThread> thread = new AtomicReference<>();
        final AtomicReference<Thread> javaThread = new AtomicReference<>();
        private volatile boolean released;

        Os(PriorityProtocol protocol) {
            endpoint = Endpoint.<Integer, Integer>builder()
                    .protocol(protocol)
                    .ladder(PriorityLadder.of(PriorityLadder.Policy.STATIC))
                    .build();
            endpoint.serve(1, request -> {
                if (thread.get() == null) {
                    moveToServersCpu();
                    javaThread.set(Thread.currentThread());
                    thread.set(LinuxThread.current());
                    compute(() -> released);
                }
                request.reply(LinuxThread.current().get().staticPriority());
            });
        }

        /** Busy or asleep at a priority. */
        void bring(int priority, boolean asleep) throws InterruptedException {
            released = asleep;
            Reply<Integer> first = endpoint.send(priority, 0);
            Waiting.until("the server at its first request", () -> thread.get() != null);
            if (asleep) {
                Waiting.until("the answer", first::isDone);
                Waiting.until("the server asleep", () -> javaThread.get().getState() == Thread.State.TIMED_WAITING);
            }
        }

        int value() {
            return thread.get().get().staticPriority();
        }

        @Override
        public void close() {
            released = true;
            endpoint.close();
        }
    }

    @ParameterizedTest(name = "({0}) {1}: wake {2}, OS {3}, AP_r {4}, AP_o {5}: raised {6}, inverted {7}")
    @CsvSource({
        "1, VPGET, false, 6, 4, 2, false, false",
        "1, VPSET, false, 6, 4, 2, false, false",
        "2, VPGET, false, 4, 8, 2, false, false",
        "2, VPSET, false, 4, 8, 2, true, false",
        "3, VPGET, false, 4, 8, 6, false, true",
        "3, VPSET, false, 4, 8, 6, true, false",
        "4, VPGET, true, 6, 4, 2, false, false",
        "4, VPSET, true, 6, 4, 2, false, false",
        "5, VPGET, true, 4, 8, 2, false, false",
        "5, VPSET, true, 4, 8, 2, true, false",
        "6, VPGET, true, 4, 8, 6, false, true",
        "6, VPSET, true, 4, 8, 6, true, false",
    })
    void aRequestWakesAndRaisesOnceAndIsInvertedUnderVpgetOnly(
            int number,
            PriorityProtocol protocol,
            boolean wakes,
            int server,
            int requester,
            int other,
            boolean raises,
            boolean inverted)
            throws Exception {
        boolean asExpected = false;
        for (int i = 0; i < ATTEMPTS && !asExpected; i++) {
            try (Os os = new Os(protocol)) {
                os.bring(server, wakes);
                try (Middle middle = new Middle(other)) {
                    if (wakes || other > server) {
                        middle.awaitComputing();
                    }
                    asExpected = requestAndCheck(os, middle, wakes, server, requester, raises, inverted);
                }
            }
        }
        assertTrue(asExpected, "AP_o keeps the server from its CPU");
    }

    /** False: there was no inversion, since the virtual machine stopped AP_o for a moment, as it does all threads. */
    private static boolean requestAndCheck(
            Os os, Middle middle, boolean wakes, int server, int requester, boolean raises, boolean inverted)
            throws InterruptedException {
        EndpointStatistics then = os.endpoint.statistics();
        Reply<Integer> reply = os.endpoint.send(requester, 1);
        EndpointStatistics now = os.endpoint.statistics();
        assertEquals(wakes ? 1 : 0, now.wakes() - then.wakes(), "wakes");
        assertEquals(wakes ? 0 : 1, now.wakesSkipped() - then.wakesSkipped(), "wakes skipped");
        assertEquals(raises ? 1 : 0, now.raises() - then.raises(), "raises");
        if (!wakes) {
            assertEquals(raises ? 2 * requester - 1 : 2 * server, os.value(), "the kernel's level of a busy server");
        }
        os.released = true;
        if (inverted) {
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(20));
            if (os.value() != 2 * server || reply.isDone()) {
                return false;
            }
            middle.end();
        }
        Waiting.until("the answer", reply::isDone);
        assertEquals(2 * requester, reply.resultNow(), "the level of the request, once it has been taken");
        assertTrue(inverted || middle.isComputing(), "AP_o delays nobody");
        return true;
    }
}
