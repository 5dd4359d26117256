package ayatori.internal.linux;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import ayatori.sched.Needs;
import ayatori.sched.ParkedThread;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.BitSet;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;

class SchedTest {
    /** No thread of the host can have it: above the largest that /proc/sys/kernel/pid_max may hold. */
    private static final int NO_THREAD = 1 << 30;

    @Test
    void whoIsAsking() throws Exception {
        assertEquals(ProcessHandle.current().pid(), Sched.getpid());
        assertTrue(Files.isDirectory(Path.of("/proc/self/task/" + Sched.gettid())));
        TaskFiles self = new TaskFiles(Sched.gettid());
        assertEquals(
                Sched.getuid() + "\t" + Sched.geteuid(),
                self.status("Uid").orElseThrow().replaceFirst("^(\\d+\t\\d+)\t.*", "$1"));
        assertEquals(Sched.getpid(), self.processId());
        assertTrue(TaskFiles.tids(Sched.getpid()).contains(Sched.gettid()));
    }

    @Test
    void affinityIsSetAndReadBack() throws Exception {
        try (ParkedThread parked = new ParkedThread("affinity")) {
            int tid = parked.linuxThread().id();
            BitSet before = Sched.getAffinity(tid);
            BitSet last = new BitSet();
            last.set(before.length() - 1);
            assertEquals(0, Sched.setAffinity(tid, last));
            assertEquals(last, Sched.getAffinity(tid));
            assertEquals(-Errno.EINVAL, Sched.setAffinity(tid, new BitSet()));
            BitSet beyond = new BitSet();
            beyond.set(100_000);
            assertEquals(-Errno.EINVAL, Sched.setAffinity(tid, beyond));
            assertEquals(last, Sched.getAffinity(tid));
        }
    }

    @Test
    void whereTheCallerRuns() throws Exception {
        BitSet before = Sched.getAffinity(0);
        try {
            for (int cpu : new int[] {before.nextSetBit(0), before.length() - 1}) {
                BitSet one = new BitSet();
                one.set(cpu);
                assertEquals(0, Sched.setAffinity(0, one));
                assertEquals(cpu, Sched.currentCpu());
            }
        } finally {
            assertEquals(0, Sched.setAffinity(0, before));
        }
    }

    @Test
    void howOftenTheCallersCpuHasGoneOnWithOthers() throws Exception {
        TaskFiles self = new TaskFiles(Sched.gettid());
        long before = Sched.contextSwitches();
        for (int i = 0; i < 10; i++) {
            LockSupport.parkNanos(1_000_000);
        }
        long counted = Long.parseLong(self.status("voluntary_ctxt_switches").orElseThrow())
                + Long.parseLong(self.status("nonvoluntary_ctxt_switches").orElseThrow());
        long after = Sched.contextSwitches();
        assertTrue(before + 10 <= counted, before + " before, " + counted + " after ten naps");
        assertTrue(counted <= after, counted + " in /proc, and later " + after);
    }

    @Test
    void niceIsSetAndReadBack() throws Exception {
        try (ParkedThread parked = new ParkedThread("nice")) {
            int tid = parked.linuxThread().id();
            assertEquals(0, Sched.setNice(tid, 19));
            assertEquals(19, Sched.getNice(tid));
            assertEquals(19, Sched.getAttributes(tid).nice());
        }
    }

    @Test
    void flagsReachTheKernel() throws Exception {
        Needs.realTime();
        try (ParkedThread parked = new ParkedThread("flags")) {
            int tid = parked.linuxThread().id();
            long flags = Sched.RESET_ON_FORK | Sched.RECLAIM | Sched.DL_OVERRUN;
            Sched.Attributes wanted =
                    new Sched.Attributes(Sched.DEADLINE, flags, 0, 0, 1_000_000, 10_000_000, 20_000_000);
            assertEquals(0, Sched.setAttributes(tid, wanted));
            assertEquals(wanted, Sched.getAttributes(tid));
            assertEquals(0, Sched.setAttributes(tid, new Sched.Attributes(Sched.OTHER, 0, 0, 0, 0, 0, 0)));
        }
    }

    @Test
    void keepingThePolicyChangesOnlyTheParameters() throws Exception {
        Needs.realTime();
        try (ParkedThread parked = new ParkedThread("keep")) {
            int tid = parked.linuxThread().id();
            assertEquals(0, Sched.setAttributes(tid, new Sched.Attributes(Sched.RR, 0, 0, 9, 0, 0, 0)));
            long keep = Sched.KEEP_POLICY;
            assertEquals(0, Sched.setAttributes(tid, new Sched.Attributes(Sched.OTHER, keep, 0, 12, 0, 0, 0)));
            assertEquals(new Sched.Attributes(Sched.RR, 0, 0, 12, 0, 0, 0), Sched.getAttributes(tid));
        }
    }

    @Test
    void limitsAreReadAndSet() throws Exception {
        Sched.Limit limit = Sched.getLimit(0, Sched.RLIMIT_RTPRIO);
        assertEquals(0, Sched.setLimit(0, Sched.RLIMIT_RTPRIO, limit));
        assertEquals(limit, Sched.getLimit(Sched.getpid(), Sched.RLIMIT_RTPRIO));
        String line = Files.readAllLines(Path.of("/proc/self/limits")).stream()
                .filter(l -> l.startsWith("Max realtime priority"))
                .findFirst()
                .orElseThrow();
        String soft = limit.soft() == Sched.UNLIMITED ? "unlimited" : Long.toString(limit.soft());
        assertTrue(line.matches("Max realtime priority\\s+" + soft + "\\s.*"), line);
    }

    @Test
    void aThreadThatIsNotThereIsNamed() {
        assertEquals(-Errno.ESRCH, Sched.setAttributes(NO_THREAD, new Sched.Attributes(Sched.OTHER, 0, 0, 0, 0, 0, 0)));
        assertEquals(-Errno.ESRCH, Sched.setNice(NO_THREAD, 0));
        KernelException e = assertThrows(KernelException.class, () -> Sched.getAttributes(NO_THREAD));
        assertEquals("sched_getattr of thread " + NO_THREAD + ": ESRCH", e.getMessage());
        assertEquals(Errno.ESRCH, e.errno());
        assertThrows(KernelException.class, () -> Sched.getAffinity(NO_THREAD));
        assertThrows(KernelException.class, () -> Sched.getNice(NO_THREAD));
        assertThrows(KernelException.class, () -> Sched.getLimit(NO_THREAD, Sched.RLIMIT_NICE));
        assertThrows(KernelException.class, () -> new TaskFiles(NO_THREAD).comm());
    }
}
