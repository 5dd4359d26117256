package ayatori.cli.doctor;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.List;
import java.util.OptionalInt;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Control groups without a real-time budget. */
class GroupCheckTest {
    private static final String CPU = "/sys/fs/cgroup/cpu";

    @TempDir
    private Path root;

    private FakeHost fake;

    @BeforeEach
    void makeHost() {
        fake = new FakeHost(root);
    }

    private Finding found() {
        List<Finding> findings = GroupCheck.of(fake.host(), fake.self());
        assertEquals(1, findings.size());
        return findings.getFirst();
    }

    private static List<String> lines(Finding finding) {
        return finding.remedies().stream().map(Remedy::line).toList();
    }

    private void budget(String group, long micros) {
        fake.write(CPU + group + "/cpu.rt_runtime_us", micros + "\n");
    }

    @Test
    void versionOneWithABudget() {
        fake.versionOne("/a");
        budget("", 950_000);
        budget("/a", 100_000);
        assertEquals(Verdict.OK, found().verdict());
    }

    @Test
    void versionOneOfAKernelWithoutGroupBudgets() {
        fake.versionOne("/a");
        assertEquals(Verdict.OK, found().verdict());
    }

    @Test
    void versionOneWithoutABudgetNamesEachGroupFromAboveAndWhatIsLeft() {
        fake.versionOne("/a/b.service");
        budget("", 950_000);
        budget("/other", 700_000);
        budget("/a", 0);
        budget("/a/b.service", 0);
        Finding finding = found();
        assertEquals(Verdict.PROBLEM, finding.verdict());
        assertEquals(
                List.of(
                        "echo 250000 | sudo tee " + CPU + "/a/cpu.rt_runtime_us",
                        "echo 250000 | sudo tee " + CPU + "/a/b.service/cpu.rt_runtime_us",
                        "echo $$ | sudo tee " + CPU + "/cgroup.procs",
                        "ExecStartPre=+/bin/sh -c 'echo 250000 > " + CPU + "/a/cpu.rt_runtime_us; echo 250000 > " + CPU
                                + "/a/b.service/cpu.rt_runtime_us'"),
                lines(finding));
    }

    @Test
    void onlyTheProcessesOwnGroupCounts() {
        fake.versionOne("/a/b");
        budget("", 950_000);
        budget("/a", 100_000);
        budget("/a/b", 50_000);
        budget("/a/c", 0);
        assertEquals(Verdict.OK, found().verdict());
    }

    @Test
    void whereNothingIsLeftTheWayIsOutOfTheGroup() {
        fake.versionOne("/a");
        budget("", 950_000);
        budget("/other", 950_000);
        budget("/a", 0);
        assertEquals(List.of("echo $$ | sudo tee " + CPU + "/cgroup.procs"), lines(found()));
    }

    @Test
    void inADockerContainer() {
        fake.versionOne("/docker/4711");
        fake.write("/proc/self/mountinfo", "32 31 0:29 /docker/4711 " + CPU + " ro - cgroup cgroup rw,cpu\n");
        budget("", 0);
        Finding finding = found();
        assertEquals(Verdict.PROBLEM, finding.verdict());
        assertTrue(
                lines(finding).contains("docker run --cpu-rt-runtime=400000 --cap-add=SYS_NICE …"), finding::toString);
    }

    @Test
    void inAControlGroupNamespace() {
        fake.versionOne("/");
        fake.write("/proc/self/mountinfo", "32 31 0:29 / " + CPU + " ro - cgroup cgroup rw,cpu\n");
        budget("", 0);
        assertEquals(Verdict.PROBLEM, found().verdict());
        fake.write("/proc/self/mountinfo", "32 31 0:29 /../.. " + CPU + " ro - cgroup cgroup rw,cpu\n");
        assertEquals(Verdict.PROBLEM, found().verdict());
    }

    private void versionTwo(String group, String... controlled) {
        fake.write("/proc/self/cgroup", "0::" + group + "\n");
        for (String each : controlled) {
            fake.write("/sys/fs/cgroup" + each + "/cpu.weight", "100\n");
        }
    }

    @Test
    void versionTwoOfAKernelWithGroupBudgetsRefusesEverybody() {
        fake.config("CONFIG_RT_GROUP_SCHED=y\n");
        versionTwo("/system.slice/app.service", "/system.slice", "/system.slice/app.service");
        Finding finding = found();
        assertEquals(Verdict.PROBLEM, finding.verdict());
        assertEquals(
                List.of(
                        "echo $$ | sudo tee /sys/fs/cgroup/cgroup.procs",
                        "echo -cpu | sudo tee /sys/fs/cgroup/system.slice/cgroup.subtree_control"),
                lines(finding),
                "rt_group_sched= came with 6.15");
        fake.write("/proc/sys/kernel/osrelease", "6.15.0");
        assertEquals("rt_group_sched=0", lines(found()).getFirst());
    }

    @Test
    void versionTwoCountsTheNearestGroupWithTheController() {
        fake.config("CONFIG_RT_GROUP_SCHED=y\n");
        versionTwo("/user.slice/app.scope");
        assertEquals(Verdict.OK, found().verdict(), "the controller is on nowhere below the topmost group");
        versionTwo("/user.slice/app.scope", "/user.slice");
        assertEquals(Verdict.PROBLEM, found().verdict());
    }

    @Test
    void versionTwoOfAKernelWithoutGroupBudgets() {
        fake.config("# CONFIG_RT_GROUP_SCHED is not set\n");
        versionTwo("/a", "/a");
        assertEquals(Verdict.OK, found().verdict());
    }

    @Test
    void versionTwoOfAKernelWhoseConfigurationIsHidden() {
        versionTwo("/a", "/a");
        Finding finding = found();
        assertEquals(Verdict.INFO, finding.verdict());
        assertEquals(List.of("grep RT_GROUP_SCHED /boot/config-6.12.9-amd64"), lines(finding));
    }

    @Test
    void quotasOfBothVersionsAreRoundedUpAndTheLeastCounts() {
        assertEquals(OptionalInt.empty(), fake.self().quotaCpus());
        versionTwo("/a/b", "/a", "/a/b");
        fake.write("/sys/fs/cgroup/a/b/cpu.max", "max 100000\n");
        fake.write("/sys/fs/cgroup/a/cpu.max", "150000 100000\n");
        assertEquals(OptionalInt.of(2), fake.self().quotaCpus());
        fake.versionOne("/a");
        fake.write(CPU + "/a/cpu.cfs_quota_us", "50000\n").write(CPU + "/a/cpu.cfs_period_us", "100000\n");
        assertEquals(OptionalInt.of(1), fake.self().quotaCpus());
        fake.write(CPU + "/a/cpu.cfs_quota_us", "-1\n");
        assertEquals(OptionalInt.empty(), fake.self().quotaCpus());
    }
}
