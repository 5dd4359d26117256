package ayatori.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import ayatori.internal.linux.Sched;
import ayatori.sched.LinuxThread;
import ayatori.sched.Needs;
import ayatori.sched.PriorityLadder;
import ayatori.sched.Waiting;
import java.util.BitSet;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * The paper's table 1, on the counters and on the kernel's levels: a request (AP_r) to a server (OS) on another CPU, on which a
 * third thread (AP_o) computes. Static: priority p is RR 2p, rank 100 + 2p. Where OS is, and who raises it, is the subclasses' matter.
 */
abstract class SixCases {
    /** futex_waitv(2), on every architecture: how a server sleeps that has clients in other processes. */
    static final int FUTEX_WAITV = 449;

    private static final int ATTEMPTS = 5;

    /** After that a thread that computes gives up, whatever happens: nothing else runs on its CPU meanwhile. */
    private static final long LIMIT = TimeUnit.SECONDS.toNanos(10);

    private BitSet before = new BitSet();
    private int serversCpu;

    /** Of requests: how many have woken the server, needed not, had it raised by a process, and needed not. */
    record Operations(long wakes, long wakesSkipped, long raises, long raisesSkipped) {
        Operations since(Operations then) {
            return new Operations(
                    wakes - then.wakes,
                    wakesSkipped - then.wakesSkipped,
                    raises - then.raises,
                    raisesSkipped - then.raisesSkipped);
        }
    }

    /** OS: answers with its rank at once, but a request that holds it only when it is told to. On the servers' CPU. */
    interface Os extends AutoCloseable {
        /** Has it at a request that holds it, or asleep, at a priority. */
        void bring(int priority, boolean asleep) throws Exception;

        /** AP_r asks, and what it does for that is done; the answer comes when it comes. */
        Future<Integer> ask(int priority) throws Exception;

        /** Ends the request that holds it. */
        void letGo() throws Exception;

        Operations operations();

        /** Where the kernel has it. */
        int rank();

        @Override
        void close();
    }

    /** A line of the table. */
    record Row(PriorityProtocol protocol, boolean wakes, int server, int requester, boolean raises, boolean inverted) {
        /** The server is high enough. */
        boolean skipsRaise() {
            return protocol == PriorityProtocol.VPSET && !raises;
        }
    }

    abstract Os start(PriorityProtocol protocol) throws Exception;

    /** What a request does, one operation at most. */
    abstract Operations expected(Row row);

    /** Rank at which OS is that a request of this priority raises. */
    abstract int lent(int priority);

    /** If OS was not asleep as it should have been, for a moment, and the attempt is worth nothing. */
    boolean wasAwakeByChance(Row row, Operations done) {
        return false;
    }

    static int rank(int priority) {
        return 100 + 2 * priority;
    }

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

    int serversCpu() {
        return serversCpu;
    }

    void moveToServersCpu() {
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

    interface Sign {
        boolean isGiven();
    }

    static void compute(Sign end) {
        long limit = System.nanoTime() + LIMIT;
        while (!end.isGiven() && System.nanoTime() - limit < 0) {
            Thread.onSpinWait();
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
        Row row = new Row(protocol, wakes, server, requester, raises, inverted);
        boolean asExpected = false;
        for (int i = 0; i < ATTEMPTS && !asExpected; i++) {
            try (Os os = start(protocol)) {
                os.bring(server, wakes);
                try (Middle middle = new Middle(other)) {
                    if (wakes || other > server) {
                        middle.awaitComputing();
                    }
                    asExpected = requestAndCheck(os, middle, row);
                }
            }
        }
        assertTrue(asExpected, "OS sleeps, and AP_o keeps it from its CPU");
    }

    /** False: there was no inversion, since the virtual machine stopped AP_o for a moment, as it does all threads; or no sleep. */
    private boolean requestAndCheck(Os os, Middle middle, Row row) throws Exception {
        Operations then = os.operations();
        Future<Integer> answer = os.ask(row.requester);
        Operations done = os.operations().since(then);
        if (wasAwakeByChance(row, done)) {
            return false;
        }
        assertEquals(expected(row), done, "what was done to the server's CPU");
        if (!row.wakes && row.raises) {
            int lent = lent(row.requester);
            Waiting.until("the kernel's level of a busy server at " + lent, () -> os.rank() == lent);
        } else if (!row.wakes) {
            assertEquals(rank(row.server), os.rank(), "the kernel's level of a busy server");
        }
        os.letGo();
        if (row.inverted) {
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(20));
            if (os.rank() != rank(row.server) || answer.isDone()) {
                return false;
            }
            middle.end();
        }
        Waiting.until("the answer", answer::isDone);
        assertEquals(rank(row.requester), answer.get(), "the level of the request, once it has been taken");
        assertTrue(row.inverted || middle.isComputing(), "AP_o delays nobody");
        return true;
    }
}
