package ayatori.cli.doctor;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** CPUs, containers and memory of a process. */
class ProcessCheckTest {
    @TempDir
    private Path root;

    private FakeHost fake;

    @BeforeEach
    void makeHost() {
        fake = new FakeHost(root);
    }

    private Finding cpus(Optional<JvmFacts> jvm) {
        return CpuCheck.of(fake.host(), fake.self(), jvm).getFirst();
    }

    private Finding memory(Map<String, String> flags) {
        return MemoryCheck.of(fake.host(), fake.self(), Optional.of(FakeHost.jvm(flags)))
                .getFirst();
    }

    private static List<String> lines(Finding finding) {
        return finding.remedies().stream().map(Remedy::line).toList();
    }

    @Test
    void severalCpus() {
        assertEquals(Verdict.OK, cpus(Optional.empty()).verdict());
        assertEquals("4 of 4", cpus(Optional.empty()).text());
    }

    @Test
    void anAffinityOfOneCpu() {
        fake.status("Cpus_allowed_list", "2");
        Finding finding = cpus(Optional.empty());
        assertEquals(Verdict.WARNING, finding.verdict());
        assertEquals("one: HotSpot chooses the Serial collector", finding.text());
        assertEquals(List.of("taskset -a -cp 0-3 $$", "CPUAffinity=0-3"), lines(finding));
        assertEquals(
                "one: this JVM has the Serial collector",
                cpus(Optional.of(FakeHost.jvm(Map.of("UseSerialGC", "true")))).text());
        assertEquals(
                "one",
                cpus(Optional.of(FakeHost.jvm(Map.of("UseG1GC", "true")))).text());
        fake.write("/.dockerenv", "");
        assertTrue(lines(cpus(Optional.empty())).contains("docker run --cpuset-cpus=0-3 …"));
    }

    @Test
    void aQuotaOfOneCpu() {
        fake.write("/proc/self/cgroup", "0::/a\n");
        fake.write("/sys/fs/cgroup/a/cpu.weight", "100\n").write("/sys/fs/cgroup/a/cpu.max", "80000 100000\n");
        Finding finding = cpus(Optional.empty());
        assertEquals(Verdict.WARNING, finding.verdict());
        assertEquals(List.of("CPUQuota=200%"), lines(finding));
        fake.write("/proc/self/environ", "KUBERNETES_SERVICE_HOST=x\0");
        assertEquals(List.of("resources: {limits: {cpu: \"2\"}}"), lines(cpus(Optional.empty())));
    }

    @Test
    void aHostOfOneCpu() {
        fake.write("/sys/devices/system/cpu/online", "0\n").status("Cpus_allowed_list", "0");
        assertEquals(List.of("java -XX:+UseG1GC …"), lines(cpus(Optional.empty())));
    }

    @Test
    void onTheHostItselfThereIsNothingToSayOfContainers() {
        assertEquals(List.of(), ContainerCheck.of(fake.self(), fake.self()));
    }

    @Test
    void insideOfAPidNamespace() {
        fake.write("/proc/self/cgroup", "0::/kubepods/pod1/x\n").link("/proc/self/ns/pid", "pid:[4026532001]");
        List<Finding> findings = ContainerCheck.of(fake.self(), fake.self());
        assertEquals(2, findings.size());
        assertTrue(findings.getFirst().text().startsWith("Kubernetes"), findings::toString);
        assertEquals(List.of("hostPID: true"), lines(findings.getLast()));
    }

    @Test
    void aJvmInAPidNamespaceOfItsOwn() {
        ProcessFacts self = fake.self();
        fake.link("/proc/self/ns/pid", "pid:[4026532001]").status("NSpid", "4711\t1");
        List<Finding> findings = ContainerCheck.of(fake.jvm(4711), self);
        assertEquals(
                "it is in a PID namespace of its own, where its id is 1: ayatori ps joins the two",
                findings.getFirst().text());
    }

    @Test
    void memoryMattersBesideRealTimeThreads() {
        fake.thread(4711, 0);
        assertEquals(Verdict.OK, memory(Map.of()).verdict());
        fake.thread(4712, 25).thread(4713, 1);
        Finding finding = memory(Map.of("MaxHeapSize", "4294967296"));
        assertEquals(Verdict.WARNING, finding.verdict());
        assertEquals("2 real-time threads, and memory is not touched beforehand", finding.text());
        assertEquals(List.of("-XX:+AlwaysPreTouch -Xms4096m"), lines(finding));
        assertEquals(Verdict.OK, memory(Map.of("AlwaysPreTouch", "true")).verdict(), "there is no swap");
    }

    @Test
    void memoryThatCanBeSwappedOutIsNotLocked() {
        fake.thread(4711, 25).write("/proc/meminfo", "SwapTotal:       1000 kB\n");
        Finding finding = memory(Map.of("AlwaysPreTouch", "true"));
        assertEquals("1 real-time thread, and memory is not locked", finding.text());
        assertEquals(List.of("MemorySwapMax=0", "LimitMEMLOCK=infinity", "sudo swapoff -a"), lines(finding));
        assertEquals(
                "1 real-time thread, and memory is neither touched beforehand nor locked",
                memory(Map.of()).text());
        fake.status("VmLck", "123456 kB");
        assertEquals(Verdict.OK, memory(Map.of("AlwaysPreTouch", "true")).verdict());
    }

    @Test
    void memoryOfAUser() {
        Finding finding =
                MemoryCheck.of(fake.host(), fake.self(), Optional.empty()).getFirst();
        assertEquals("at most 8192 KiB can be locked (RLIMIT_MEMLOCK), and the host has no swap", finding.text());
        fake.limits("0", "0", "unlimited", "unlimited").write("/proc/meminfo", "SwapTotal:       1000 kB\n");
        assertEquals(
                "all memory can be locked (RLIMIT_MEMLOCK), and the host swaps",
                MemoryCheck.of(fake.host(), fake.self(), Optional.empty())
                        .getFirst()
                        .text());
    }
}
