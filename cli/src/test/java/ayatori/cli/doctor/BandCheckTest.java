package ayatori.cli.doctor;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.List;
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

    @Test
    void whoHasRealTimeThreadsAndBetweenWhichValues() {
        assertEquals(
                List.of(new Span(10, "java", 12, 25), new Span(20, "pipewire", 20, 20)), spans(new FakeHost(root)));
    }

    @Test
    void overlapsAreNamedWithTheLinesThatEndThem() {
        Finding finding = BandCheck.of(spans(new FakeHost(root))).getFirst();
        assertEquals(Verdict.WARNING, finding.verdict());
        assertEquals("2 processes have real-time threads, and their values overlap", finding.text());
        assertEquals("RR or FIFO 12-25: process 10 (java)", finding.reasons().getFirst());
        assertTrue(finding.reasons().getLast().startsWith("processes 10 and 20 overlap"), finding.toString());
        assertTrue(finding.remedies().getFirst().line().startsWith("ayatori run --band "), finding.toString());
    }

    @Test
    void oneAboveTheOtherIsNoWarning() {
        Finding finding = BandCheck.of(List.of(new Span(1, "java", 25, 49), new Span(2, "java", 1, 24)))
                .getFirst();
        assertEquals(Verdict.INFO, finding.verdict());
        assertEquals(List.of(), finding.remedies());
        assertEquals(List.of(), BandCheck.of(List.of()));
    }
}
