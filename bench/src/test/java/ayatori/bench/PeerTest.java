package ayatori.bench;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What comes of peers that do as they should, and of others. */
class PeerTest {
    private static final String FOR_EVER = "exec tail -f /dev/null";
    private static final String READY = "echo result,ready,1; ";

    @Test
    void theClientsCallsAreTold() throws IOException, InterruptedException {
        Load.Outcome outcome = calls(READY + FOR_EVER, "echo result,call,$3; echo result,call,$4", 10);
        assertTrue(outcome.good());
        assertArrayEquals(new double[] {5, 7}, outcome.values("call", 1));
    }

    @Test
    void aServerThatCannotStartSaysWhy() throws IOException, InterruptedException {
        Load.Outcome outcome = calls("echo no such thing; exit 1", "echo result,call,1", 10);
        assertFalse(outcome.good());
        assertEquals(List.of("no such thing"), outcome.messages());
    }

    @Test
    void aClientThatHearsNothingIsEndedAtTheLimit() throws IOException, InterruptedException {
        assertFalse(calls(READY + FOR_EVER, FOR_EVER, 1).ended());
    }

    @Test
    void bothMeetInAPlaceThatIsGoneAfterwards() throws IOException, InterruptedException {
        Load.Outcome outcome =
                calls("touch $2/here $2-beside; " + READY + FOR_EVER, "ls -d $2/* $2-*; echo result,call,1", 10);
        assertEquals(2, outcome.messages().size());
        for (String path : outcome.messages()) {
            assertFalse(Files.exists(Path.of(path)), path);
        }
    }

    /** A shell is the peer; $1 is its side, $2 the place. */
    private static Load.Outcome calls(String server, String client, long limitSeconds)
            throws IOException, InterruptedException {
        String script = "if [ $1 = server ]; then " + server + "; else " + client + "; fi";
        return new Peer("shell", List.of("sh", "-c", script, "peer")).calls(List.of(), List.of(), 5, 7, limitSeconds);
    }
}
