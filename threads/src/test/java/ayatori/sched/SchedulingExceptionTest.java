package ayatori.sched;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import ayatori.internal.linux.Errno;
import ayatori.internal.linux.Sched;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.BitSet;
import org.junit.jupiter.api.Test;

class SchedulingExceptionTest {
    /** What an unprivileged user sees; {@link UnprivilegedProbe} prints it. */
    @Test
    void anUnprivilegedUserIsToldWhichLimitToRaise() throws Exception {
        Needs.root();
        Needs.program("/usr/bin/setpriv");
        ChildJvm.Result result = new ChildJvm(
                        "/usr/bin/setpriv", "--reuid=65534", "--regid=65534", "--clear-groups", "--bounding-set=-all")
                .run(UnprivilegedProbe.class, Integer.toString(Sched.getpid()));
        assertEquals(0, result.exitCode(), result.output());
        String[] lines = result.output().split("\n", -1);
        String thread = "thread \\d+ \"probe\": ";
        assertLine(
                thread
                        + "wanted RR 20, kernel kept OTHER nice 3 \\(EPERM\\); raise RLIMIT_RTPRIO \\(it is \\d+, and this"
                        + " needs 20\\) or grant CAP_SYS_NICE",
                lines[0]);
        assertLine(
                thread + "wanted OTHER nice -4, kernel kept OTHER nice 3 \\(EPERM\\); raise RLIMIT_NICE \\(it is \\d+,"
                        + " and this needs 24\\) or grant CAP_SYS_NICE",
                lines[1]);
        assertLine(thread + "wanted DEADLINE .*EPERM\\); grant CAP_SYS_NICE, which DEADLINE always needs.*", lines[2]);
        assertLine(
                "thread \\d+ \".*\": wanted IDLE, kernel kept OTHER.* \\(EPERM\\); the thread is user 0's and this is"
                        + " user 65534: run as that user or as root, or grant CAP_SYS_NICE",
                lines[3]);
        assertLine("ledger refused RR 15, and owes rank 17", lines[4]);
        assertLine("ledger owed rank 17 below its own, own nice 3 is back", lines[5]);
    }

    private static void assertLine(String pattern, String line) {
        assertTrue(line.matches(pattern), line);
    }

    @Test
    void aDeadlineThreadIsToldAboutItsAffinity() throws Exception {
        Needs.realTime();
        Needs.twoCpus();
        try (ParkedThread parked = new ParkedThread("pinned")) {
            LinuxThread thread = parked.linuxThread();
            BitSet one = new BitSet();
            one.set(Sched.getAffinity(0).nextSetBit(0));
            assertEquals(0, Sched.setAffinity(thread.id(), one));
            SchedulingParameters wanted = SchedulingParameters.parse("DEADLINE runtime 1ms deadline 5ms period 5ms");
            SchedulingException e = assertThrows(SchedulingException.class, () -> thread.set(wanted));
            assertTrue(e.errno() == Errno.EPERM || e.errno() == Errno.EBUSY, e.getMessage());
            assertTrue(e.remedy().contains("on all CPUs of its cpuset"), e.getMessage());
            assertEquals(wanted, e.wanted().orElseThrow());
            assertEquals(SchedulingParameters.other(0), e.kept().orElseThrow());
            assertEquals("pinned", e.threadName());
            assertEquals(thread.id(), e.threadId());
        }
    }

    @Test
    void aPeriodThatTheKernelRefusesIsNamed() throws Exception {
        Needs.realTime();
        try (ParkedThread parked = new ParkedThread("period")) {
            SchedulingParameters wanted = SchedulingParameters.parse("DEADLINE runtime 2us deadline 3us period 4us");
            SchedulingException e = assertThrows(
                    SchedulingException.class, () -> parked.linuxThread().set(wanted));
            assertEquals("EINVAL", e.errnoName());
            assertTrue(e.remedy().contains("sched_deadline_period_min_us"), e.getMessage());
        }
    }

    @Test
    void aControlGroupWithoutRealTimeBudgetIsNamed() throws Exception {
        Needs.realTime();
        Path cpu = Path.of("/sys/fs/cgroup/cpu");
        assumeTrue(
                Files.isWritable(cpu.resolve("cpu.rt_runtime_us")),
                "SKIP: needs cgroups version 1 with real-time group scheduling");
        Path group = cpu.resolve("ayatori-test-" + Sched.getpid());
        Files.createDirectory(group);
        ParkedThread parked = new ParkedThread("budget");
        try {
            LinuxThread thread = parked.linuxThread();
            Files.writeString(group.resolve("tasks"), Integer.toString(thread.id()));
            SchedulingException e =
                    assertThrows(SchedulingException.class, () -> thread.set(SchedulingParameters.roundRobin(5)));
            assertEquals(
                    thread + ": wanted RR 5, kernel kept OTHER (EPERM); write a budget in microseconds to "
                            + group.resolve("cpu.rt_runtime_us")
                            + ": the thread's control group has no real-time budget",
                    e.getMessage());
        } finally {
            parked.close();
            Waiting.until(
                    "the group to be empty",
                    () -> Files.readString(group.resolve("tasks")).isEmpty());
            Files.delete(group);
        }
    }
}
