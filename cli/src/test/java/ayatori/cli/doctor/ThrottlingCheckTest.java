package ayatori.cli.doctor;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is kept for ordinary threads, and how late threads wake up. */
class ThrottlingCheckTest {
    private static final String RUNTIME = "/proc/sys/kernel/sched_rt_runtime_us";
    private static final String SERVER = "/sys/kernel/debug/sched/fair_server/cpu0/";

    @TempDir
    private Path root;

    private FakeHost fake;

    @BeforeEach
    void makeHost() {
        fake = new FakeHost(root);
    }

    private Finding found(String check) {
        return ThrottlingCheck.of(fake.host()).stream()
                .filter(finding -> finding.check().equals(check))
                .findFirst()
                .orElseThrow();
    }

    @Test
    void theDefaults() {
        Finding finding = found(ThrottlingCheck.THROTTLING);
        assertEquals(Verdict.INFO, finding.verdict());
        assertEquals(
                "real-time threads get at most 950 of each 1000 ms: a gap of up to 50 ms when they compute for longer",
                finding.text());
        assertEquals(
                List.of(new Remedy("if the gap is too long", "sudo sysctl kernel.sched_rt_runtime_us=990000")),
                finding.remedies());
    }

    @Test
    void noTimeAtAll() {
        fake.write(RUNTIME, "0\n");
        assertEquals(Verdict.PROBLEM, found(ThrottlingCheck.THROTTLING).verdict());
    }

    @Test
    void noThrottlingIsADangerUnlessTheFairServerIsThere() {
        fake.write(RUNTIME, "-1\n");
        assertEquals(Verdict.WARNING, found(ThrottlingCheck.THROTTLING).verdict());
        fake.write(SERVER + "runtime", "50000000\n").write(SERVER + "period", "1000000000\n");
        assertEquals(Verdict.INFO, found(ThrottlingCheck.THROTTLING).verdict());
        assertEquals(
                "ordinary threads that starve get 50 of each 1000 ms of a CPU",
                found(ThrottlingCheck.FAIR_SERVER).text());
        fake.write(SERVER + "runtime", "0\n");
        assertEquals(Verdict.WARNING, found(ThrottlingCheck.THROTTLING).verdict());
        assertEquals(Verdict.WARNING, found(ThrottlingCheck.FAIR_SERVER).verdict());
    }

    @Test
    void aFairServerThatCannotBeLookedAt() {
        assertEquals(
                "sudo mount -t debugfs none /sys/kernel/debug",
                found(ThrottlingCheck.FAIR_SERVER).remedies().getFirst().line());
        fake.write("/proc/self/mountinfo", "24 23 0:7 / /sys/kernel/debug rw - debugfs none rw\n");
        assertEquals(
                "sudo ayatori doctor",
                found(ThrottlingCheck.FAIR_SERVER).remedies().getFirst().line());
        fake.write(SERVER + "runtime", "");
        Finding lockedDown = found(ThrottlingCheck.FAIR_SERVER);
        assertTrue(lockedDown.reasons().getFirst().contains("locked down"), lockedDown::toString);
        assertEquals(Verdict.INFO, lockedDown.verdict());
    }

    @Test
    void olderKernelsHaveNoFairServer() {
        assertTrue(ThrottlingCheck.of(fake.host()).stream()
                .anyMatch(finding -> finding.check().equals(ThrottlingCheck.FAIR_SERVER)));
        fake.write("/proc/sys/kernel/osrelease", "6.1.0-40-amd64\n");
        assertTrue(ThrottlingCheck.of(fake.host()).stream()
                .noneMatch(finding -> finding.check().equals(ThrottlingCheck.FAIR_SERVER)));
    }

    @Test
    void sessionsOfTheirOwn() {
        fake.write("/proc/sys/kernel/sched_autogroup_enabled", "1\n");
        assertEquals(Verdict.INFO, found(ThrottlingCheck.AUTOGROUP).verdict());
    }

    @Test
    void latenessIsToldAndNotJudged() {
        Wakeups good = new Wakeups("RR 25", Optional.empty(), 2, 2000, 41_400, 90_600, 200_000, 9_000_000, 10);
        Finding finding = TimekeepingCheck.of(good).getFirst();
        assertEquals(Verdict.INFO, finding.verdict());
        assertEquals(
                "wake-ups of a thread at RR 25 are late by 41 µs (median), 91 (99 %), 200 (99.9 %), 9,000 (max)",
                finding.text());
        assertEquals(41_400, finding.figures().get("median_ns"));
        Wakeups refused = new Wakeups("OTHER", Optional.of("EPERM"), 2, 2000, 0, 0, 0, 60_000_000_000L, 0);
        assertEquals(Verdict.INFO, TimekeepingCheck.of(refused).getFirst().verdict());
        assertTrue(TimekeepingCheck.of(refused).getFirst().reasons().getLast().contains("(EPERM)"));
    }
}
