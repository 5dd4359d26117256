package ayatori.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Bad input: one clear line, exit code 2, nothing changed. */
class BadInputIT {
    private final Path folder = Archive.publicFolder("ayatori-bad-input");

    private static void assertMistake(String line, Finished finished) {
        assertEquals(line + "\n", finished.err());
        assertEquals("", finished.out());
        assertEquals(2, finished.exit());
    }

    private static Finished ayatori(String... arguments) {
        List<String> command = new ArrayList<>(List.of(Archive.command()));
        command.addAll(Arrays.asList(arguments));
        return Program.run(command);
    }

    private String file(String name, String text, boolean executable) throws IOException {
        Path file = Files.writeString(folder.resolve(name), text);
        assertTrue(!executable || file.toFile().setExecutable(true, false));
        return file.toString();
    }

    @Test
    void anOutputThatCannotBeWrittenIsSaid() {
        Finished full = Program.run(List.of("sh", "-c", Archive.command() + " --help > /dev/full"));
        assertEquals(2, full.exit());
        assertTrue(full.err().startsWith("ayatori: standard output could not be written ("), full.err());
    }

    @Test
    void aReaderThatHasEnoughIsNoMistake() {
        String pipe = "{ " + Archive.command() + " --help; echo \"exit $?\" >&2; } | sleep 0";
        assertEquals("exit 141\n", Program.run(List.of("sh", "-c", pipe)).err());
    }

    @Test
    void noCommand() {
        assertMistake("ayatori run: no command given; see ayatori run --help", ayatori("run"));
        assertMistake(
                "ayatori run: no command given; see ayatori run --help", ayatori("run", "--policy", "nice", "--"));
    }

    @Test
    void unknownPolicy() {
        assertMistake(
                "ayatori run: unknown policy 'fast': it is one of none, nice, static, mixed; see ayatori run --help",
                ayatori("run", "--policy", "fast", "--", "java", "-version"));
    }

    @Test
    void unusableBandsAndLimits() {
        assertMistake(
                "ayatori run: no band '30': it is LOW-HIGH, two real-time values from 1 to 49, such as 10-29, or the name of a"
                        + " program in the host file; see ayatori run --help",
                ayatori("run", "--band", "30", "--", "java", "-version"));
        assertMistake(
                "ayatori run: no runaway limit '-1': it is 1 to 3600 seconds, or 0 for no guard; see ayatori run --help",
                ayatori("run", "--runaway-limit=-1", "--", "java", "-version"));
    }

    @Test
    void aCommandThatIsNoProgram() throws IOException {
        String plain = file("plain", "text\n", false);
        String text = file("text", "text\n", true);
        String orphan = file("orphan", "#!/no/such/interpreter\n", true);
        String see = "; see ayatori run --help";
        assertMistake("ayatori run: 'no-such-program' is not on PATH" + see, ayatori("run", "--", "no-such-program"));
        assertMistake("ayatori run: '/no/such' does not exist" + see, ayatori("run", "--", "/no/such"));
        assertMistake(
                "ayatori run: '" + folder + "' is a directory, not a program" + see,
                ayatori("run", "--", folder.toString()));
        assertMistake("ayatori run: '" + plain + "' is not executable (chmod +x?)" + see, ayatori("run", "--", plain));
        assertMistake(
                "ayatori run: '" + text + "' is no program: neither an ELF file nor a script that begins with #!"
                        + " (ENOEXEC)" + see,
                ayatori("run", "--", text));
        assertMistake(
                "ayatori run: '" + orphan
                        + "' cannot start: the interpreter after its #!, or its loader, does not exist" + " (ENOENT)"
                        + see,
                ayatori("run", "--", orphan));
    }

    @Test
    void runTwiceOver() {
        assertMistake(
                "ayatori run: JAVA_TOOL_OPTIONS loads libayatori.so already: one 'ayatori run' around the outermost"
                        + " command is enough; see ayatori run --help",
                ayatori("run", "--", Archive.command(), "run", "--", "java", "-version"));
    }

    @Test
    void psOfWhatIsNoProcess() {
        assertMistake("ayatori ps: 'x' is no process id; see ayatori ps --help", ayatori("ps", "x"));
        assertMistake("ayatori ps: there is no process 99999999; see ayatori ps --help", ayatori("ps", "99999999"));
    }

    @Test
    void psOfAProcessThatIsNoJvm() {
        try (Program cat = Program.start(List.of("cat"))) {
            assertMistake(
                    "ayatori ps: process " + cat.pid() + " is no JVM; see ayatori ps --help",
                    ayatori("ps", Long.toString(cat.pid())));
            assertEquals(0, cat.end().exit(), "and it lives on");
        }
    }

    @Test
    void psOfAThread() throws IOException {
        try (Program jvm = Program.start(TargetJvm.of(17).plain("Workers"))) {
            jvm.awaitOut("ready\n");
            String thread;
            try (var tasks = Files.list(Path.of("/proc/" + jvm.pid() + "/task"))) {
                thread = tasks.map(task -> task.getFileName().toString())
                        .filter(tid -> !tid.equals(Long.toString(jvm.pid())))
                        .findFirst()
                        .orElseThrow();
            }
            assertMistake(
                    "ayatori ps: " + thread + " is a thread of process " + jvm.pid()
                            + ": name that one; see ayatori ps --help",
                    ayatori("ps", thread));
            assertEquals(0, jvm.end().exit());
        }
    }

    @Test
    void psOfAnotherUsersJvm() {
        List<String> ps = new ArrayList<>(List.of(Archive.command(), "ps"));
        try (Program jvm = Program.start(TargetJvm.of(17).plain("Workers"))) {
            jvm.awaitOut("ready\n");
            ps.add(Long.toString(jvm.pid()));
            assertMistake(
                    "ayatori ps: process " + jvm.pid()
                            + " is of user root: only that user and root may look into it; see ayatori ps --help",
                    Program.run(TargetJvm.asNobody(ps), Map.of()));
            Finished finished = jvm.end();
            assertEquals("", finished.err());
            assertEquals("ready\nhook\n", finished.out(), "not even a thread dump");
        }
    }
}
