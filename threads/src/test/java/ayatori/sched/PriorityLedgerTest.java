package ayatori.sched;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class PriorityLedgerTest {
    private final KernelKeeper keeper = new KernelKeeper();
    private final PriorityLedger ledger = new PriorityLedger(keeper);

    @BeforeEach
    void privileged() throws Exception {
        Needs.realTime();
    }

    @Test
    void twoCausesDoNotUndoEachOther() throws Exception {
        try (ParkedThread parked = new ParkedThread("two-causes")) {
            LinuxThread thread = parked.linuxThread();
            PriorityLedger.Due low = ledger.owe(thread, 105);
            PriorityLedger.Due high = ledger.owe(thread, 117);
            assertEquals("RR 17 reset-on-fork", thread.get().toString());
            low.close();
            assertEquals(117, thread.effectiveRank());
            PriorityLedger.Due middle = ledger.owe(thread, 109);
            high.close();
            assertEquals(109, thread.effectiveRank());
            high.close(); // again: nothing
            middle.close();
            assertEquals("OTHER", thread.get().toString());
            assertEquals(0, keeper.accounts());
        }
    }

    @Test
    void equalDuesAreOwedEachByItself() throws Exception {
        try (ParkedThread parked = new ParkedThread("equal-dues")) {
            LinuxThread thread = parked.linuxThread();
            PriorityLedger.Due one = ledger.owe(thread, 111);
            PriorityLedger.Due two = ledger.owe(thread, 111);
            one.close();
            assertEquals(111, thread.effectiveRank());
            two.close();
            assertEquals(20, thread.effectiveRank());
        }
    }

    @Test
    void aDueChangesInPlace() throws Exception {
        try (ParkedThread parked = new ParkedThread("change")) {
            LinuxThread thread = parked.linuxThread();
            PriorityLedger.Due due = ledger.owe(thread, 25);
            assertEquals("OTHER nice -5 reset-on-fork", thread.get().toString());
            due.change(120);
            assertEquals(120, thread.effectiveRank());
            due.change(103);
            assertEquals(103, thread.effectiveRank());
            assertEquals(103, ledger.rank(thread));
            due.close();
            assertEquals("OTHER", thread.get().toString());
            assertThrows(IllegalStateException.class, () -> due.change(104));
        }
    }

    @Test
    void theOwnLevelMayChangeWhileSomethingIsOwed() throws Exception {
        try (ParkedThread parked = new ParkedThread("own-level")) {
            LinuxThread thread = parked.linuxThread();
            ledger.setOwn(thread, SchedulingParameters.fifo(30));
            PriorityLedger.Due due = ledger.owe(thread, 120);
            assertEquals("FIFO 30", thread.get().toString());
            ledger.setOwn(thread, SchedulingParameters.fifo(3));
            assertEquals("FIFO 20 reset-on-fork", thread.get().toString());
            ledger.setOwn(thread, SchedulingParameters.batch(2));
            assertEquals("RR 20 reset-on-fork", thread.get().toString());
            due.close();
            assertEquals("BATCH nice 2", thread.get().toString());
        }
    }

    @Test
    void whatIsStartedDuringALoanDoesNotInheritIt() throws Exception {
        LinuxThread current = LinuxThread.current();
        SchedulingParameters own = current.get();
        try (var due = ledger.owe(current, 105);
                ParkedThread child = new ParkedThread("child")) {
            assertEquals(105, due.thread().effectiveRank());
            assertEquals("OTHER", child.linuxThread().get().toString());
        }
        assertEquals(own, current.get());
    }

    @Test
    void aDueOnAThreadThatHasEndedIsDropped() throws Exception {
        ParkedThread parked = new ParkedThread("ends");
        LinuxThread thread = parked.linuxThread();
        PriorityLedger.Due one = ledger.owe(thread, 105);
        PriorityLedger.Due two = ledger.owe(thread, 107);
        parked.close();
        two.close();
        assertEquals(0, keeper.accounts());
        one.close();
        SchedulingException e = assertThrows(SchedulingException.class, () -> ledger.owe(thread, 105));
        assertEquals("ESRCH", e.errnoName());
        assertEquals(0, keeper.accounts());
    }

    @Test
    void threadsOfOtherProcessesAreRefused() throws Exception {
        Process child = new ProcessBuilder("sleep", "60").start();
        try {
            LinuxThread thread = LinuxThread.of((int) child.pid());
            assertThrows(IllegalArgumentException.class, () -> ledger.owe(thread, 105));
        } finally {
            child.destroyForcibly();
            assertTrue(child.waitFor(30, TimeUnit.SECONDS));
        }
    }

    @Test
    void ranksThatAreNoneAreRefused() throws Exception {
        LinuxThread current = LinuxThread.current();
        for (int rank : new int[] {-1, 0, 41, 100, 200}) {
            assertThrows(IllegalArgumentException.class, () -> ledger.owe(current, rank));
        }
        assertEquals(0, keeper.accounts());
    }

    @Test
    void withoutAnAgentTheLibraryKeepsTheLedger() {
        assertFalse(PriorityLedger.ofThisProcess().isKeptByAgent());
    }

    /** {@link AgentLedgerProbe} does the checking. */
    @Test
    void withTheAgentTheAgentKeepsTheLedger() throws Exception {
        Path agent = Path.of(System.getProperty("ayatori.agent", "../native/build/libayatori.so"));
        assumeTrue(Files.exists(agent), "SKIP: needs " + agent.getFileName() + ", built by make -C native");
        ChildJvm.Result result = new ChildJvm()
                .with("-agentpath:" + agent.toAbsolutePath().normalize() + "=policy=static")
                .run(AgentLedgerProbe.class);
        assertEquals("agent keeps the ledger: true\nall as expected\n", result.output());
        assertEquals(0, result.exitCode());
    }
}
