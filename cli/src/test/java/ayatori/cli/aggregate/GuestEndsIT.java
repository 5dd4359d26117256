package ayatori.cli.aggregate;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import ayatori.cli.Finished;
import ayatori.cli.Program;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** However a guest ends, nothing of it is left. No other guest runs meanwhile. */
class GuestEndsIT {
    private static final Duration LIMIT = Duration.ofMinutes(2);

    /** Of the guest, when this host has no more to do with it. */
    private static void assertNothingLeft() throws IOException {
        Path folder = Guest.folder();
        try (var files = Files.list(folder)) {
            assertEquals(List.of(), files.toList());
        }
        assertEquals(
                List.of(),
                ProcessHandle.allProcesses()
                        .map(process -> process.info().commandLine().orElse(""))
                        .filter(line -> line.contains(folder.toString()))
                        .toList());
        Path locks = Path.of("/var/run/virtiofsd");
        if (Files.isDirectory(locks)) {
            try (var files = Files.list(locks)) {
                String name = folder.toString().replace('/', '.');
                assertEquals(
                        List.of(),
                        files.filter(file -> file.toString().contains(name)).toList());
            }
        }
    }

    @Test
    void itEndsWhenTheTimeIsOver() throws IOException {
        Finished finished = Guest.any().inRealTime().script(Duration.ofSeconds(3), "while :; do :; done");
        assertEquals(Guest.TIME_IS_OVER, finished.exit(), finished.err());
        assertNothingLeft();
    }

    @Test
    void itEndsWithWhoeverStartedIt() throws IOException {
        try (Program guest = Guest.any().inRealTime().start(LIMIT, "sh", "-c", "echo ready; while :; do :; done")) {
            guest.awaitOut("ready\n");
            guest.signal("TERM");
            assertEquals(143, guest.end().exit());
        }
        assertNothingLeft();
    }

    @Test
    void aKernelThatDiesIsNoEndOfTheCommand() throws IOException {
        Finished finished = Guest.any().inRealTime().script(LIMIT, "echo before; echo c >/proc/sysrq-trigger");
        assertEquals(Guest.NO_GUEST, finished.exit());
        assertTrue(
                Pattern.compile("Kernel panic .*sysrq").matcher(finished.err()).find(), finished.err());
        assertNothingLeft();
    }
}
