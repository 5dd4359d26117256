package ayatori.cli.doctor;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import ayatori.internal.linux.Errno;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RequestCheckTest {
    private static final String JDK = "openjdk version \"25.0.3\" 2026-04-21";

    @TempDir
    private Path directory;

    private HostFacts host() throws IOException {
        return new FakeHost(directory).host();
    }

    @Test
    void whoCanRaiseAServerIsSaid() throws IOException {
        RequestTrial all = new RequestTrial(0, 0, 0);
        assertEquals(Verdict.OK, RequestCheck.of(host(), all, false, JDK).verdict());
        assertTrue(RequestCheck.of(host(), all, false, JDK).reasons().getFirst().contains("may not raise itself"));
        assertTrue(RequestCheck.of(host(), all, true, JDK).reasons().getFirst().contains("may raise itself"));
        Finding noLoan = RequestCheck.of(host(), new RequestTrial(0, 0, Errno.ENOSYS), true, JDK);
        assertEquals(Verdict.WARNING, noLoan.verdict());
        assertTrue(noLoan.reasons().getFirst().contains("ENOSYS"));
    }

    @Test
    void anOlderJdkIsNoneForServers() throws IOException {
        RequestTrial all = new RequestTrial(0, 0, 0);
        Finding old = RequestCheck.of(host(), all, true, "openjdk version \"17.0.15\" 2025-04-15");
        assertEquals(Verdict.INFO, old.verdict());
        assertTrue(old.reasons().getLast().contains("need a JDK 25 or later"));
        assertEquals(2, old.remedies().size());
        assertEquals(Verdict.OK, RequestCheck.of(host(), all, true, "").verdict(), "it is not known");
    }

    @Test
    void whatIsMissingIsNamed() throws IOException {
        Finding wait = RequestCheck.of(host(), new RequestTrial(0, Errno.EPERM, 0), true, JDK);
        assertEquals(Verdict.WARNING, wait.verdict());
        assertTrue(wait.reasons().getFirst().startsWith("futex_waitv(2) is refused: EPERM"));
        Finding memory = RequestCheck.of(host(), new RequestTrial(Errno.EINVAL, 0, 0), true, JDK);
        assertTrue(memory.reasons().getFirst().startsWith("sealed memory is refused: EINVAL"));
    }

    @Test
    void thisKernelHasWhatItTakes() {
        assertEquals(new RequestTrial(0, 0, 0), RequestTrial.run());
    }
}
