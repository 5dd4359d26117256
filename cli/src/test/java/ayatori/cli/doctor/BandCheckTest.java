package ayatori.cli.doctor;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import ayatori.cli.Band;
import ayatori.cli.HostFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Several real-time programs on one host. */
class BandCheckTest {
    @TempDir
    private Path root;

    private static String stat(int tid, String comm, long flags, int value, int policy) {
        return tid + " (" + comm + ") S 1 1 1 0 -1 " + flags + " 0".repeat(30) + " " + value + " " + policy + " 0 0\n";
    }

    private List<Span> spans(FakeHost fake) {
        fake.write("/proc/10/comm", "java\n");
        fake.write("/proc/10/task/10/stat", stat(10, "java", 0x400000, 0, 0));
        fake.write("/proc/10/task/11/stat", stat(11, "a) R 2 (b", 0x400000, 12, 2));
        fake.write("/proc/10/task/12/stat", stat(12, "VM Thread", 0x400000, 25, 2));
        fake.write("/proc/20/comm", "pipewire\n");
        fake.write("/proc/20/task/20/stat", stat(20, "pipewire", 0x400000, 20, 1));
        fake.write("/proc/30/comm", "migration/0\n");
        fake.write("/proc/30/task/30/stat", stat(30, "migration/0", 0x200040, 99, 1));
        fake.write("/proc/40/comm", "bash\n");
        fake.write("/proc/40/task/40/stat", stat(40, "bash", 0x400000, 0, 0));
        return SpanReader.read(new KernelFiles(root));
    }

    private static Span span(int pid, String program, int low, int high) {
        return new Span(pid, "x", Optional.of(program).filter(name -> !name.isEmpty()), new Band(low, high));
    }

    private HostFile hostFile() throws IOException {
        return HostFile.read(Files.writeString(root.resolve("host.conf"), """
                [Program audio]
                Priority=47
                Policy=fifo
                [Program renderer]
                Band=30-45
                """));
    }

    private static List<Finding> check(Span... spans) {
        return BandCheck.of(List.of(spans), Optional.empty(), pid -> Optional.empty());
    }

    @Test
    void whoHasRealTimeThreadsAndBetweenWhichValues() {
        FakeHost fake = new FakeHost(root);
        fake.write("/proc/20/environ", "A=1\0AYATORI_PROGRAM=audio\0");
        assertEquals(
                List.of(
                        new Span(10, "java", Optional.empty(), new Band(12, 25)),
                        new Span(20, "pipewire", Optional.of("audio"), new Band(20, 20))),
                spans(fake));
    }

    @Test
    void overlapsAreNamedWithTheLinesThatEndThem() {
        Finding finding = check(spans(new FakeHost(root)).toArray(Span[]::new)).getFirst();
        assertEquals(Verdict.WARNING, finding.verdict());
        assertEquals("2 processes have real-time threads, and their values overlap", finding.text());
        assertEquals("RR or FIFO 12-25: process 10 (java)", finding.reasons().getFirst());
        assertTrue(finding.reasons().getLast().startsWith("processes 10 and 20 overlap"), finding.toString());
        assertTrue(finding.remedies().getFirst().line().startsWith("ayatori run --band "), finding.toString());
    }

    @Test
    void oneAboveTheOtherIsNoWarning() {
        Finding finding = check(span(1, "", 25, 49), span(2, "", 1, 24)).getFirst();
        assertEquals(Verdict.INFO, finding.verdict());
        assertEquals(List.of(), finding.remedies());
        assertEquals(List.of(), check());
    }

    @Test
    void processesOfOneProgramMayStandTogether() {
        assertEquals(
                Verdict.INFO,
                check(span(1, "audio", 47, 47), span(2, "audio", 47, 47))
                        .getFirst()
                        .verdict());
        assertEquals(
                Verdict.WARNING,
                check(span(1, "audio", 47, 47), span(2, "video", 47, 47))
                        .getFirst()
                        .verdict());
    }

    @Test
    void whoIsOutsideOfTheBandThatTheFileGivesIt() throws IOException {
        List<Finding> findings = BandCheck.of(
                List.of(span(1, "audio", 40, 47), span(2, "renderer", 30, 41), span(3, "renderer", 12, 25)),
                Optional.of(hostFile()),
                pid -> Optional.of(new Band(1, 49)));
        assertEquals(3, findings.size(), findings::toString);
        assertEquals(
                List.of(new Remedy(
                        "each of them, by its name in " + root.resolve("host.conf"),
                        "ayatori run --host-file " + root.resolve("host.conf") + " --band NAME -- COMMAND")),
                findings.get(0).remedies());
        assertEquals(
                "process 1 (x, program audio) stands at 40-47, outside of its band 47",
                findings.get(1).text());
        assertEquals(
                List.of(new Remedy(
                        "start it anew",
                        "ayatori run --host-file " + root.resolve("host.conf") + " --band audio -- COMMAND")),
                findings.get(1).remedies());
        assertEquals(
                "process 3 (x, program renderer) stands at 12-25, outside of its band 30-45",
                findings.get(2).text());
        assertEquals(
                List.of(new Remedy(
                        "start it anew",
                        "ayatori run --host-file " + root.resolve("host.conf") + " --band renderer -- COMMAND")),
                findings.get(2).remedies());
    }

    @Test
    void whoIsOutsideOfTheBandThatItWasStartedWith() {
        List<Finding> findings = BandCheck.of(
                List.of(span(1, "", 30, 39), span(2, "", 12, 25)),
                Optional.empty(),
                pid -> Optional.of(new Band(20, 44)));
        assertEquals(2, findings.size(), findings::toString);
        assertEquals(
                "process 2 (x) stands at 12-25, outside of its band 20-44",
                findings.get(1).text());
        assertEquals(
                List.of(new Remedy("start it anew", "ayatori run --band 20-44 -- COMMAND")),
                findings.get(1).remedies());
    }

    @Test
    void aHostFile() throws IOException {
        Finding usable = BandCheck.usable(hostFile());
        assertEquals(Verdict.OK, usable.verdict());
        assertEquals(root.resolve("host.conf") + ": audio 47, renderer 30-45", usable.text());
        Finding unusable = BandCheck.unusable(Path.of("/etc/x"), "/etc/x:3: no band");
        assertEquals(Verdict.PROBLEM, unusable.verdict());
        assertEquals("/etc/x:3: no band", unusable.text());
        assertEquals(List.of(new Remedy("a shell", "sudoedit /etc/x")), unusable.remedies());
    }
}
