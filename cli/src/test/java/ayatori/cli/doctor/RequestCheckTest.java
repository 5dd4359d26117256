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
    private static final RequestTrial ALL = new RequestTrial(0, 0, 0, 0);
    private static final RequestCheck.Rights ROOT = new RequestCheck.Rights(true, true, false);

    @TempDir
    private Path directory;

    private HostFacts host() throws IOException {
        return new FakeHost(directory).host();
    }

    @Test
    void whoCanRaiseAServerIsSaid() throws IOException {
        Finding itself = RequestCheck.of(host(), ALL, ROOT, JDK);
        assertEquals(Verdict.OK, itself.verdict());
        assertTrue(itself.reasons().getFirst().contains("may raise itself"));
        Finding kernel = RequestCheck.of(host(), ALL, new RequestCheck.Rights(true, false, false), JDK);
        assertEquals(Verdict.OK, kernel.verdict());
        assertTrue(kernel.reasons().getFirst().contains("may not raise itself"));
        assertTrue(kernel.reasons().getFirst().contains("no cap holds"));
        Finding noLoan = RequestCheck.of(host(), new RequestTrial(0, 0, Errno.ENOSYS, 0), ROOT, JDK);
        assertEquals(Verdict.WARNING, noLoan.verdict());
        assertTrue(noLoan.reasons().getFirst().contains("FUTEX_LOCK_PI where"));
        assertTrue(noLoan.reasons().getFirst().contains("ENOSYS"));
    }

    @Test
    void whereNobodyMayBeRealTimeNothingIsSaidToBeLent() throws IOException {
        Finding nobody = RequestCheck.of(host(), ALL, new RequestCheck.Rights(false, false, false), JDK);
        assertEquals(Verdict.INFO, nobody.verdict());
        assertTrue(nobody.text().startsWith("work, and raise nobody"), nobody.text());
        assertTrue(nobody.reasons().getLast().startsWith("real-time clients of other users lend"));
    }

    @Test
    void aPidNamespaceLimitsWhatIsLent() throws IOException {
        Finding inside = RequestCheck.of(host(), ALL, new RequestCheck.Rights(true, true, true), JDK);
        assertEquals(Verdict.OK, inside.verdict());
        assertTrue(inside.reasons().getLast().startsWith("this is a PID namespace"));
    }

    @Test
    void severalServersNeedACallOfTheirOwn() throws IOException {
        Finding late = RequestCheck.of(host(), new RequestTrial(0, 0, 0, Errno.EPERM), ROOT, "version \"17.0.15\"");
        assertEquals(Verdict.WARNING, late.verdict(), "worse than that there is no JDK");
        assertEquals("FUTEX_WAIT_REQUEUE_PI is refused: EPERM", late.reasons().getFirst());
    }

    @Test
    void anOlderJdkIsNoneForServers() throws IOException {
        Finding old = RequestCheck.of(host(), ALL, ROOT, "openjdk version \"17.0.15\" 2025-04-15");
        assertEquals(Verdict.INFO, old.verdict());
        assertTrue(old.reasons().getLast().contains("need a JDK 25 or later"));
        assertEquals(2, old.remedies().size());
        assertEquals(Verdict.OK, RequestCheck.of(host(), ALL, ROOT, "").verdict(), "it is not known");
    }

    @Test
    void whatIsMissingIsNamed() throws IOException {
        Finding wait = RequestCheck.of(host(), new RequestTrial(0, Errno.EPERM, 0, 0), ROOT, JDK);
        assertEquals(Verdict.WARNING, wait.verdict());
        assertTrue(wait.reasons().getFirst().startsWith("futex_waitv(2) is refused: EPERM"));
        Finding memory = RequestCheck.of(host(), new RequestTrial(Errno.EINVAL, 0, 0, 0), ROOT, JDK);
        assertTrue(memory.reasons().getFirst().startsWith("sealed memory is refused: EINVAL"));
    }

    @Test
    void thisKernelHasWhatItTakes() {
        assertEquals(ALL, RequestTrial.run());
    }
}
