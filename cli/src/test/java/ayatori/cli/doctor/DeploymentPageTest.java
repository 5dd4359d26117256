package ayatori.cli.doctor;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** docs/deployment.md has the lines that doctor prints for services and containers. */
class DeploymentPageTest {
    private static final Set<String> PLACES = Set.of(Grants.UNIT, Grants.DOCKER, Grants.PODMAN, Grants.KUBERNETES);

    @TempDir
    private Path root;

    private static String page() throws IOException {
        Path file = Path.of(System.getProperty("ayatori.root", "..")).resolve("docs/deployment.md");
        // Lines are broken where they become too long, those of a shell by a backslash.
        return Files.readString(file).replaceAll("\\s*\\\\?\\n\\s*", " ");
    }

    /** An ordinary user who was granted nothing, on a host that swaps, with a limit to a real-time thread's time. */
    private FakeHost refused() {
        return new FakeHost(root)
                .limits("0", "0", "8388608", "200000")
                .write("/proc/meminfo", "SwapTotal:          1000 kB\n")
                .thread(4712, 25);
    }

    private static void assertOnPage(List<Finding> findings) throws IOException {
        List<String> lines = findings.stream()
                .flatMap(finding -> finding.remedies().stream())
                .filter(remedy -> PLACES.contains(remedy.where()))
                .map(remedy -> remedy.line().replace(" …", ""))
                .toList();
        assertTrue(lines.size() >= 3, findings::toString);
        String page = page();
        // The unit has the value of the band in its example, and that without one beside.
        lines.forEach(line -> assertTrue(page.contains(line), line));
    }

    private static List<Finding> findings(FakeHost fake) {
        HostFacts host = fake.host();
        ProcessFacts process = fake.jvm(4711);
        List<Finding> findings = new ArrayList<>(
                PrivilegeCheck.of(host, process, Needs.of(Optional.empty()), Optional.of(new Trial(1, 13))));
        findings.addAll(MemoryCheck.of(host, process, Optional.of(FakeHost.jvm(java.util.Map.of()))));
        findings.addAll(ContainerCheck.of(fake.self(), fake.self()));
        return findings;
    }

    @Test
    void systemd() throws IOException {
        assertOnPage(findings(refused()));
    }

    @ParameterizedTest
    @ValueSource(strings = {"docker", "podman"})
    void containers(String kind) throws IOException {
        assertOnPage(findings(refused()
                .write("/proc/self/environ", "container=" + kind + "\0")
                .link("/proc/self/ns/pid", "pid:[4026532000]")));
    }

    @Test
    void kubernetes() throws IOException {
        assertOnPage(findings(refused()
                .write("/proc/self/environ", "KUBERNETES_SERVICE_HOST=10.0.0.1\0")
                .link("/proc/self/ns/pid", "pid:[4026532000]")));
    }

    @Test
    void aSeccompFilter() throws IOException {
        FakeHost fake = refused().capability().status("Seccomp", "2");
        assertOnPage(findings(fake));
        assertOnPage(findings(fake.write("/proc/self/environ", "container=docker\0")));
    }
}
