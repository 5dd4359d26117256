package ayatori.cli.doctor;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import ayatori.cli.Band;
import ayatori.internal.linux.Errno;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Capability, limits, and where they are granted. */
class PrivilegeCheckTest {
    private static final Trial REFUSED = new Trial(Errno.EPERM, Errno.EACCES);
    private static final Needs WITHOUT_BAND = Needs.of(Optional.empty());
    private static final Trial GRANTED = new Trial(0, 0);

    @TempDir
    private Path root;

    private FakeHost fake;

    @BeforeEach
    void makeHost() {
        fake = new FakeHost(root);
    }

    private List<Finding> found(Trial trial) {
        return found(Optional.empty(), trial);
    }

    private List<Finding> found(Optional<Band> band, Trial trial) {
        return PrivilegeCheck.of(fake.host(), fake.self(), Needs.of(band), Optional.of(trial));
    }

    private static List<Verdict> verdicts(List<Finding> findings) {
        return findings.stream().map(Finding::verdict).toList();
    }

    private static List<String> lines(Finding finding) {
        return finding.remedies().stream().map(Remedy::line).toList();
    }

    @Test
    void nothingGranted() {
        List<Finding> findings = found(REFUSED);
        assertEquals(List.of(Verdict.PROBLEM, Verdict.PROBLEM), verdicts(findings));
        Finding realTime = findings.getFirst();
        assertEquals("up to RR 25: refused (EPERM)", realTime.text());
        assertEquals(List.of("no CAP_SYS_NICE", "RLIMIT_RTPRIO (0) would have to be 25"), realTime.reasons());
        assertEquals(
                List.of(
                        new Remedy("this shell", "sudo prlimit --pid $$ --rtprio=25"),
                        new Remedy(
                                "every login",
                                "echo 'alice - rtprio 25' | sudo tee -a /etc/security/limits.d/ayatori.conf"),
                        new Remedy("systemd unit", "AmbientCapabilities=CAP_SYS_NICE"),
                        new Remedy("systemd unit", "LimitRTPRIO=25")),
                realTime.remedies());
        assertTrue(lines(findings.getLast()).contains("sudo prlimit --pid $$ --nice=25"), findings::toString);
        assertTrue(lines(findings.getLast()).contains("LimitNICE=-5"), findings::toString);
        assertTrue(
                lines(findings.getLast())
                        .contains("echo 'alice - nice -5' | sudo tee -a /etc/security/limits.d/ayatori.conf"),
                findings::toString);
    }

    @Test
    void theCapabilityGrantsBoth() {
        fake.capability();
        assertEquals(List.of(Verdict.OK, Verdict.OK), verdicts(found(GRANTED)));
        assertEquals(
                "up to RR 25: granted by CAP_SYS_NICE",
                found(GRANTED).getFirst().text());
    }

    @Test
    void eachLimitGrantsItsOwn() {
        fake.limits("25", "0", "0", "unlimited");
        assertEquals(List.of(Verdict.OK, Verdict.PROBLEM), verdicts(found(new Trial(0, Errno.EACCES))));
        fake.limits("24", "unlimited", "0", "unlimited");
        assertEquals(List.of(Verdict.PROBLEM, Verdict.OK), verdicts(found(new Trial(Errno.EPERM, 0))));
    }

    @Test
    void aBandTakesItsHighestValue() {
        Optional<Band> band = Optional.of(new Band(30, 45));
        fake.limits("25", "25", "0", "unlimited");
        Finding refused = found(band, REFUSED).getFirst();
        assertEquals("up to RR 45: refused (EPERM)", refused.text());
        assertEquals("RLIMIT_RTPRIO (25) would have to be 45", refused.reasons().getLast());
        assertTrue(lines(refused).contains("sudo prlimit --pid $$ --rtprio=45"), refused::toString);
        assertTrue(lines(refused).contains("LimitRTPRIO=45"), refused::toString);
        fake.write("/.dockerenv", "");
        assertEquals(
                List.of("docker run --cap-add=SYS_NICE --ulimit rtprio=45 --ulimit nice=25 …"),
                lines(found(band, REFUSED).getFirst()));
    }

    @Test
    void aLimitThatIsTooLowForSomeBandSaysSo() {
        List<String> hint = List.of("a band takes its HIGH: ayatori doctor --band LOW-HIGH|NAME");
        fake.limits("25", "25", "0", "unlimited");
        assertEquals(hint, found(GRANTED).getFirst().reasons());
        assertEquals(
                List.of(),
                found(Optional.of(new Band(10, 24)), GRANTED).getFirst().reasons());
        fake.limits("49", "25", "0", "unlimited");
        assertEquals(List.of(), found(GRANTED).getFirst().reasons());
        fake.limits("0", "0", "0", "unlimited").capability();
        assertEquals(List.of(), found(GRANTED).getFirst().reasons());
    }

    @Test
    void aHardLimitThatWouldDoTakesNoRoot() {
        fake.write("/proc/self/limits", "Max realtime priority     0                    99\n");
        assertEquals("ulimit -r 25", lines(found(REFUSED).getFirst()).getFirst());
    }

    @Test
    void aCapabilityInAUserNamespaceDoesNotCount() {
        fake.capability().link("/proc/self/ns/user", "user:[4026532000]");
        Finding finding = found(REFUSED).getFirst();
        assertEquals(Verdict.PROBLEM, finding.verdict());
        assertTrue(finding.reasons().getFirst().contains("user namespace"), finding::toString);
        assertEquals("sudo podman run --cap-add=SYS_NICE …", lines(finding).getFirst());
    }

    @Test
    void eachKindOfContainerHasItsOwnLine() {
        fake.write("/.dockerenv", "");
        assertEquals(
                List.of("docker run --cap-add=SYS_NICE --ulimit rtprio=25 --ulimit nice=25 …"),
                lines(found(REFUSED).getFirst()));
        fake.write("/proc/self/environ", "PATH=/bin\0container=podman\0");
        assertEquals(
                List.of("sudo podman run --cap-add=SYS_NICE --ulimit rtprio=25 --ulimit nice=25 …"),
                lines(found(REFUSED).getFirst()));
        fake.write("/proc/self/environ", "KUBERNETES_SERVICE_HOST=10.0.0.1\0");
        assertEquals(
                List.of("securityContext: {runAsUser: 0, capabilities: {add: [\"SYS_NICE\"]}}"),
                lines(found(REFUSED).getLast()));
        fake.write("/proc/self/environ", "").write("/run/systemd/container", "lxc\n");
        assertTrue(lines(found(REFUSED).getFirst()).contains("LimitRTPRIO=25"), "systemd runs in such a container");
    }

    @Test
    void aGroupWithoutBudgetIsTheGroupsAffair() {
        fake.capability().versionOne("/a").write("/sys/fs/cgroup/cpu/a/cpu.rt_runtime_us", "0\n");
        assertEquals(List.of(Verdict.OK, Verdict.OK), verdicts(found(new Trial(Errno.EPERM, 0))));
    }

    @Test
    void whatIsRefusedInSpiteOfTheCapabilityIsAFilters() {
        fake.capability().status("Seccomp", "2");
        Finding finding = found(new Trial(Errno.EPERM, 0)).getFirst();
        assertEquals("up to RR 25: refused (EPERM) in spite of CAP_SYS_NICE", finding.text());
        assertTrue(finding.reasons().getFirst().contains("seccomp"), finding::toString);
        assertEquals(List.of("SystemCallFilter=@resources", "RestrictRealtime=no"), lines(finding));
        fake.write("/.dockerenv", "");
        assertTrue(
                lines(found(new Trial(Errno.EPERM, 0)).getFirst())
                        .contains("docker run --security-opt seccomp=unconfined …"),
                "in a container");
    }

    @Test
    void aProcessOfAnotherIsOnlyLookedAt() {
        List<Finding> findings = PrivilegeCheck.of(fake.host(), fake.jvm(4711), WITHOUT_BAND, Optional.empty());
        assertEquals("up to RR 25: refused", findings.getFirst().text());
        assertEquals(
                "sudo prlimit --pid 4711 --rtprio=25",
                lines(findings.getFirst()).getFirst());
    }

    @Test
    void aLimitOfRealTimeWithoutAWait() {
        fake.capability().limits("0", "0", "0", "200000");
        Finding finding = found(GRANTED).getLast();
        assertEquals(Verdict.WARNING, finding.verdict());
        assertEquals(List.of("sudo prlimit --pid $$ --rttime=unlimited", "LimitRTTIME=infinity"), lines(finding));
    }

    @Test
    void whatItComesToForEachPolicy() {
        assertEquals(
                Verdict.OK,
                PrivilegeCheck.policies(fake.host(), fake.self(), GRANTED).verdict());
        assertEquals(
                "none alone works as it should; nice works downwards only, and static and mixed fall back to it",
                PrivilegeCheck.policies(fake.host(), fake.self(), REFUSED).text());
        assertEquals(
                "none and static work; mixed and nice too, but no thread comes back from a positive nice",
                PrivilegeCheck.policies(fake.host(), fake.self(), new Trial(0, Errno.EACCES))
                        .text());
        fake.versionOne("/a").write("/sys/fs/cgroup/cpu/a/cpu.rt_runtime_us", "0\n");
        assertEquals(
                "none and nice work; static and mixed fall back to nice",
                PrivilegeCheck.policies(fake.host(), fake.self(), GRANTED).text());
    }
}
