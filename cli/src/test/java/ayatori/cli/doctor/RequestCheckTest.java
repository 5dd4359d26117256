package ayatori.cli.doctor;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import ayatori.internal.linux.Errno;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RequestCheckTest {
    @TempDir
    private Path directory;

    private HostFacts host() throws IOException {
        return new FakeHost(directory).host();
    }

    @Test
    void whoCanRaiseAServerIsSaid() throws IOException {
        RequestTrial all = new RequestTrial(0, 0, 0);
        assertEquals(Verdict.OK, RequestCheck.of(host(), all, false).verdict());
        assertTrue(RequestCheck.of(host(), all, false).reasons().getFirst().contains("may not raise itself"));
        assertTrue(RequestCheck.of(host(), all, true).reasons().getFirst().contains("may raise itself"));
        Finding noLoan = RequestCheck.of(host(), new RequestTrial(0, 0, Errno.ENOSYS), true);
        assertEquals(Verdict.WARNING, noLoan.verdict());
        assertTrue(noLoan.reasons().getFirst().contains("ENOSYS"));
    }

    @Test
    void whatIsMissingIsNamed() throws IOException {
        Finding wait = RequestCheck.of(host(), new RequestTrial(0, Errno.EPERM, 0), true);
        assertEquals(Verdict.WARNING, wait.verdict());
        assertTrue(wait.reasons().getFirst().startsWith("futex_waitv(2) is refused: EPERM"));
        Finding memory = RequestCheck.of(host(), new RequestTrial(Errno.EINVAL, 0, 0), true);
        assertTrue(memory.reasons().getFirst().startsWith("sealed memory is refused: EINVAL"));
    }

    @Test
    void thisKernelHasWhatItTakes() {
        assertEquals(new RequestTrial(0, 0, 0), RequestTrial.run());
    }
}
