package ayatori.cli.top;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import ayatori.cli.Archive;
import ayatori.cli.Finished;
import ayatori.cli.Program;
import ayatori.cli.TargetJvm;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** {@code ayatori top}: one sample as JSON, and live in a terminal. */
class TopIT {
    private static final long LIMIT_SECONDS = 60;
    private static final Pattern RANK = Pattern.compile("\"rank\": (\\d+)");

    private static Finished top(String... arguments) {
        List<String> command = new ArrayList<>(List.of(Archive.command(), "top"));
        command.addAll(Arrays.asList(arguments));
        return Program.run(command);
    }

    private static void assertMistake(String line, Finished finished) {
        assertEquals(line + "; see ayatori top --help\n", finished.err());
        assertEquals("", finished.out());
        assertEquals(2, finished.exit());
    }

    private static void assumeRealTime() {
        assumeTrue("root".equals(System.getProperty("user.name")), "real-time policies need root here");
    }

    private static void assertThread(Finished json, String name, String... fields) {
        List<String> lines = json.lines().stream()
                .filter(line -> line.contains("\"name\": \"" + name + "\""))
                .toList();
        assertEquals(1, lines.size(), json.out());
        for (String field : fields) {
            assertTrue(lines.getFirst().contains(field), field + " in " + lines);
        }
    }

    private static List<Integer> ranks(Finished json) {
        return json.lines().stream()
                .map(RANK::matcher)
                .filter(java.util.regex.Matcher::find)
                .map(match -> Integer.valueOf(match.group(1)))
                .toList();
    }

    @ParameterizedTest
    @ValueSource(ints = {17, 25})
    void aSampleHasWantedAndActualFromTheHighestDown(int jdk) {
        assumeRealTime();
        try (Program jvm = Program.start(TargetJvm.underAyatori(
                List.of("--policy", "static"), TargetJvm.of(jdk).plain("Workers")))) {
            jvm.awaitOut("ready\n");
            Finished json = top("--json", "--delay", "0.2", Long.toString(jvm.pid()));
            assertEquals(0, json.exit(), json.err());
            assertEquals("", json.err());
            for (int priority = 1; priority <= 10; priority++) {
                assertThread(
                        json,
                        "worker-" + priority,
                        "\"java_priority\": " + priority + ",",
                        "\"wanted\": \"RR " + 2 * priority + "\"",
                        "\"actual\": \"RR " + 2 * priority + "\"",
                        "\"mismatch\": false",
                        "\"cpu_percent\": 0.");
            }
            assertTrue(json.out().contains("\"summary\": \"policy static with RR, launched at OTHER\""), json.out());
            List<Integer> ranks = ranks(json);
            assertEquals(ranks.stream().sorted((a, b) -> b - a).toList(), ranks);
            assertEquals(0, jvm.end().exit());
        }
    }

    @Test
    void withoutAPidAllJvmsAreInOneOrder() {
        assumeRealTime();
        try (Program ranked = Program.start(TargetJvm.underAyatori(
                        List.of("--policy", "static"), TargetJvm.of(17).plain("Workers")));
                Program plain = Program.start(TargetJvm.of(25).plain("Workers"))) {
            ranked.awaitOut("ready\n");
            plain.awaitOut("ready\n");
            Finished json = top("--json", "-d", "0.2");
            assertEquals(0, json.exit(), json.err());
            List<Integer> ranks = ranks(json);
            assertEquals(ranks.stream().sorted((a, b) -> b - a).toList(), ranks);
            for (Program jvm : List.of(ranked, plain)) {
                assertTrue(
                        json.lines().stream()
                                .anyMatch(line -> line.contains("{\"pid\": " + jvm.pid() + ",")
                                        && line.contains("\"name\": \"worker-10\"")),
                        json.out());
            }
        }
    }

    @Test
    void badInput() {
        assertMistake("ayatori top: 'x' is no process id", top("x"));
        assertMistake("ayatori top: there is no process 99999999", top("--json", "99999999"));
        assertMistake("ayatori top: --delay '0': must be 0.1 to 3600 seconds", top("--delay", "0", "--json"));
        assertMistake("ayatori top: standard input is no terminal: use --json for one sample", top());
        try (Program cat = Program.start(List.of("cat"))) {
            assertMistake("ayatori top: process " + cat.pid() + " is no JVM", top("--json", Long.toString(cat.pid())));
        }
    }

    @Test
    void anotherUsersJvm() {
        try (Program jvm = Program.start(TargetJvm.of(17).plain("Workers"))) {
            jvm.awaitOut("ready\n");
            List<String> command = List.of(Archive.command(), "top", "--json", Long.toString(jvm.pid()));
            assertMistake(
                    "ayatori top: process " + jvm.pid() + " is of user root: only that user and root may look into it",
                    Program.run(TargetJvm.asNobody(command), Map.of()));
        }
    }

    /** A terminal of 100 columns that shows what top draws in it, and then how top left it. */
    private static final class Screen implements AutoCloseable {
        private final String socket = "ayatori-top-" + ProcessHandle.current().pid() + "-" + System.nanoTime();

        Screen(long pid) {
            assumeTrue(Program.run(List.of("sh", "-c", "command -v tmux")).exit() == 0, "no tmux");
            // In variables: a line of stty -g may be longer than the screen is wide.
            String shell = "before=$(stty -g); '" + Archive.command() + "' top -d 0.2 " + pid
                    + "; echo exit=$?; [ \"$(stty -g)\" = \"$before\" ] && echo same; echo done; exec cat";
            tmux("-f", "/dev/null", "new-session", "-d", "-x", "100", "-y", "24", shell);
        }

        final Finished tmux(String... arguments) {
            List<String> command = new ArrayList<>(List.of("tmux", "-L", socket));
            command.addAll(Arrays.asList(arguments));
            Finished finished = Program.run(command);
            assertEquals(0, finished.exit(), finished.err());
            return finished;
        }

        void press(String... keys) {
            List<String> arguments = new ArrayList<>(List.of("send-keys"));
            arguments.addAll(Arrays.asList(keys));
            tmux(arguments.toArray(String[]::new));
        }

        List<String> await(Predicate<List<String>> condition) {
            long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(LIMIT_SECONDS);
            while (true) {
                List<String> lines = tmux("capture-pane", "-p").lines();
                if (condition.test(lines)) {
                    return lines;
                }
                assertTrue(System.nanoTime() < end, () -> String.join("\n", lines));
                LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(20));
            }
        }

        /** Top has ended well and left the terminal as it was. */
        void assertLeft(String said) {
            List<String> lines = await(all -> all.contains("done")).stream()
                    .filter(line -> !line.isBlank())
                    .toList();
            int code = lines.indexOf("exit=0");
            assertTrue(code >= 0, lines::toString);
            assertEquals(List.of("exit=0", "same", "done"), lines.subList(code, lines.size()));
            assertEquals(said, String.join("\n", lines.subList(0, code)));
            assertEquals(
                    "1 0\n",
                    tmux("display-message", "-p", "#{cursor_flag} #{alternate_on}")
                            .out(),
                    "cursor shown, screen given back");
        }

        @Override
        public void close() {
            Program.run(List.of("tmux", "-L", socket, "kill-server"));
        }
    }

    private static boolean shows(List<String> lines, String regex) {
        return lines.stream().anyMatch(line -> line.matches(regex));
    }

    /** By the first column. The process's own id need not be the lowest: ids begin anew. */
    private static boolean ascends(List<String> rows) {
        List<Integer> ids = rows.stream()
                .map(row -> Integer.valueOf(row.strip().split(" ", 2)[0]))
                .toList();
        return ids.stream().sorted().toList().equals(ids);
    }

    @ParameterizedTest
    @ValueSource(strings = {"q", "C-c"})
    void liveItSortsFiltersAndLeavesTheTerminalAsItWas(String quit) {
        assumeRealTime();
        try (Program jvm = Program.start(TargetJvm.underAyatori(
                List.of("--policy", "static"), TargetJvm.of(25).plain("Workers")))) {
            jvm.awaitOut("ready\n");
            try (Screen screen = new Screen(jvm.pid())) {
                screen.await(lines -> lines.get(0).endsWith("; by ladder")
                        && lines.get(2).equals("policy static with RR, launched at OTHER")
                        && lines.get(4).contains(" VM Thread ")
                        && lines.get(4).matches(".* RR 25 +RR 25 +\\d+\\.\\d .*"));
                screen.press("N");
                screen.await(lines -> lines.get(0).endsWith("; by tid") && ascends(lines.subList(4, 20)));
                screen.press("R", "/", "worker-1", "Enter");
                screen.await(lines -> lines.get(0).endsWith("; by tid reversed")
                        && lines.get(4).contains("worker-10")
                        && lines.get(5).contains("worker-1 ")
                        && lines.get(6).isBlank()
                        && lines.getLast().startsWith("names with \"worker-1\" (Esc: all)"));
                screen.tmux("resize-window", "-x", "70", "-y", "15");
                screen.await(lines -> lines.size() == 15
                        && shows(lines, ".*worker-10 .*")
                        && lines.stream().allMatch(line -> line.length() <= 70));
                screen.press(quit);
                screen.assertLeft("");
            }
            assertEquals(0, jvm.end().exit());
        }
    }

    @Test
    void whenTheJvmEndsItSaysSo() {
        try (Program jvm = Program.start(TargetJvm.of(17).plain("Workers"))) {
            jvm.awaitOut("ready\n");
            try (Screen screen = new Screen(jvm.pid())) {
                screen.await(lines -> shows(lines, ".* worker-10 +java +10 +- +OTHER .*"));
                jvm.end();
                screen.assertLeft("ayatori top: JVM " + jvm.pid() + " has ended");
            }
        }
    }
}
