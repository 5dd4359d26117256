package ayatori.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** {@code ayatori ps} of live JVMs, with the agent and without. */
class PsIT {
    private static final String NUMBERS = "\\s+\\d+\\.\\d{3}\\s+\\d+\\s+\\d+\\.\\d\\s+\\d+\\s+\\d+";

    private static Finished ps(long pid) {
        Finished finished = Program.run(List.of(Archive.command(), "ps", Long.toString(pid)));
        assertEquals(0, finished.exit(), finished.err());
        assertEquals("", finished.err());
        return finished;
    }

    /** Asserts that there is exactly one row with these cells, which are regular expressions. */
    private static void assertRow(
            Finished table, String name, String kind, String priority, String wanted, String actual) {
        Pattern row = Pattern.compile("\\s*\\d+\\s+" + name + "\\s+" + kind + "\\s+" + priority + "\\s+" + wanted
                + "\\s+" + actual + NUMBERS);
        assertEquals(
                1,
                table.lines().stream()
                        .filter(line -> row.matcher(line).matches())
                        .count(),
                row + " in\n" + table.out());
    }

    private static void assumeRealTime() {
        assumeTrue("root".equals(System.getProperty("user.name")), "real-time policies need root here");
    }

    @ParameterizedTest
    @ValueSource(ints = {17, 25})
    void withTheAgentWantedAndActualAreShown(int jdk) {
        assumeRealTime();
        List<String> command =
                TargetJvm.underAyatori(List.of(), TargetJvm.of(jdk).plain("Workers"));
        try (Program jvm = Program.start(command)) {
            jvm.awaitOut("ready\n");
            Finished table = ps(jvm.pid());
            assertEquals(
                    "policy mixed with RR, launched at OTHER", table.lines().get(1));
            assertRow(table, "worker-1", "java", "1", "OTHER nice 4", "OTHER nice 4");
            assertRow(table, "worker-5", "java", "5", "OTHER", "OTHER");
            assertRow(table, "worker-6", "java", "6", "RR 12", "RR 12");
            assertRow(table, "worker-10", "java", "10", "RR 20", "RR 20");
            assertRow(table, "VM Thread", "vm", "-", "RR 25", "RR 25");
            assertFalse(table.out().contains("!"), table.out());
            assertTrue(
                    table.lines().get(3).contains("VM Thread"),
                    "the highest on the ladder comes first\n" + table.out());
            jvm.end();
        }
    }

    @Test
    void underPolicyNoneNothingIsWantedThoughHotSpotSetsNiceValues() {
        assumeRealTime();
        List<String> plain = TargetJvm.of(17).plain(List.of("-XX:ThreadPriorityPolicy=1"), "Workers");
        try (Program jvm = Program.start(TargetJvm.underAyatori(List.of("--policy", "none"), plain))) {
            jvm.awaitOut("ready\n");
            Finished table = ps(jvm.pid());
            assertEquals("policy none, launched at OTHER", table.lines().get(1));
            assertRow(table, "worker-1", "java", "1", "-", "OTHER nice 4");
            assertRow(table, "worker-10", "java", "10", "-", "OTHER nice -5");
            assertFalse(table.out().contains("!"), table.out());
            jvm.end();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"POSIX", "C.UTF-8"})
    void namesAreShownWhateverTheLocale(String locale) throws IOException {
        List<String> command = TargetJvm.underAyatori(
                List.of("--policy", "none"), TargetJvm.of(17).plain("Actors"));
        try (Program jvm = Program.start(command, Map.of("LC_ALL", locale))) {
            jvm.in().write("1 main start größe 7\n".getBytes(UTF_8));
            jvm.in().flush();
            jvm.awaitOut("#1# started");
            Finished table =
                    Program.run(List.of(Archive.command(), "ps", Long.toString(jvm.pid())), Map.of("LC_ALL", locale));
            assertRow(table, "größe", "java", "7", "-", "OTHER");
            jvm.end();
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {17, 25})
    void withoutTheAgentNamesAndPrioritiesAreFromAThreadDump(int jdk) {
        try (Program jvm = Program.start(TargetJvm.of(jdk).plain("Workers"))) {
            jvm.awaitOut("ready\n");
            Finished table = ps(jvm.pid());
            assertEquals(
                    "no agent in this JVM: names and priorities are from a thread dump",
                    table.lines().get(1));
            assertRow(table, "worker-1", "java", "1", "-", "OTHER");
            assertRow(table, "worker-10", "java", "10", "-", "OTHER");
            assertRow(table, "VM Periodic Task Thread", "jvm", "-", "-", "OTHER");
            assertRow(table, "Finalizer", "system", "8", "-", "OTHER");
            Finished finished = jvm.end();
            assertEquals("ready\nhook\n", finished.out(), "the dump came to us alone");
            assertEquals("", finished.err());
        }
    }

    @Test
    void aJvmThatMustNotBeAskedIsNotAsked() {
        List<String> command = TargetJvm.of(17).plain(List.of("-XX:+DisableAttachMechanism"), "Workers");
        try (Program jvm = Program.start(command)) {
            jvm.awaitOut("ready\n");
            Finished table = ps(jvm.pid());
            assertEquals(
                    "no agent in this JVM, and no thread dump, because it has -XX:+DisableAttachMechanism: names are"
                            + " the kernel's",
                    table.lines().get(1));
            assertRow(table, "VM Thread", "vm", "-", "-", "OTHER");
            assertEquals("ready\nhook\n", jvm.end().out(), "SIGQUIT would have made it print a dump");
        }
    }

    @Test
    void aJvmThatDoesNotCatchSigquitSurvives() {
        try (Program jvm = Program.start(TargetJvm.of(17).plain(List.of("-Xrs"), "Workers"))) {
            jvm.awaitOut("ready\n");
            // With -Xrs HotSpot listens from the start, so that no signal is needed.
            assertRow(ps(jvm.pid()), "worker-10", "java", "10", "-", "OTHER");
            assertEquals(0, jvm.end().exit());
        }
    }

    @Test
    void aStoppedJvmIsShownWithoutWaitingForIt() {
        try (Program jvm = Program.start(TargetJvm.of(17).plain("Workers"))) {
            jvm.awaitOut("ready\n");
            jvm.signal("STOP");
            Finished table = ps(jvm.pid());
            jvm.signal("CONT");
            assertTrue(table.lines().get(1).contains("because it is stopped"), table.out());
            assertEquals(0, jvm.end().exit());
        }
    }

    @Test
    void whatTheKernelRefusedIsMarkedAndExplained() {
        List<String> command = TargetJvm.asNobody(TargetJvm.underAyatori(
                List.of("--policy", "static"), TargetJvm.of(17).plain("Workers")));
        try (Program jvm = Program.start(command)) {
            jvm.awaitOut("ready\n");
            Finished table = ps(jvm.pid());
            // Without any right to real-time policies the agent falls back to nice.
            assertRow(table, "worker-9", "java", "9", "OTHER nice -4", "OTHER !");
            List<String> explained =
                    table.lines().stream().filter(line -> line.startsWith("! ")).toList();
            assertEquals(1, explained.size(), table.out());
            assertTrue(
                    explained
                            .getFirst()
                            .matches(
                                    "! thread \\d+ \".*\": wanted OTHER nice -\\d, kernel has OTHER \\(EACCES\\), and"
                                            + " \\d+ more of the same cause; raise RLIMIT_NICE \\(it is 0\\) or grant CAP_SYS_NICE \\(see ayatori doctor\\)"),
                    explained.getFirst());
            jvm.end();
        }
    }

    @Test
    void whatAnotherHasSetIsMarkedAndExplained() {
        assumeRealTime();
        try (Program jvm =
                Program.start(TargetJvm.underAyatori(List.of(), TargetJvm.of(17).plain("Workers")))) {
            jvm.awaitOut("ready\n");
            String tid = ps(jvm.pid()).lines().stream()
                    .filter(line -> line.contains("worker-8 "))
                    .map(line -> line.strip().split("\\s+")[0])
                    .findFirst()
                    .orElseThrow();
            assertEquals(0, Program.run(List.of("chrt", "-f", "-p", "3", tid)).exit());
            Finished table = ps(jvm.pid());
            assertRow(table, "worker-8", "java", "8", "RR 16", "FIFO 3 !");
            assertTrue(
                    table.out()
                            .contains("! thread " + tid + " \"worker-8\": wanted RR 16, kernel has FIFO 3; the agent's"
                                    + " call succeeded, so something else has set it since (chrt, renice?)\n"),
                    table.out());
            jvm.end();
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void aUserSeesTheirOwnJvm(boolean agent) {
        List<String> plain = TargetJvm.of(17).plain("Workers");
        List<String> command = agent ? TargetJvm.underAyatori(List.of("--policy", "nice"), plain) : plain;
        try (Program jvm = Program.start(TargetJvm.asNobody(command))) {
            jvm.awaitOut("ready\n");
            Finished table = Program.run(
                    TargetJvm.asNobody(List.of(Archive.command(), "ps", Long.toString(jvm.pid()))), Map.of());
            assertEquals(0, table.exit(), table.err());
            assertRow(table, "worker-2", "java", "2", agent ? "OTHER nice 3" : "-", agent ? "OTHER nice 3" : "OTHER");
            jvm.end();
        }
    }

    @Test
    void aJvmWithMorePrivilegesThanItsUserIsShownByAThreadDump() {
        List<String> command =
                TargetJvm.underAyatori(List.of(), TargetJvm.of(17).plain("Workers"));
        List<String> ambient = new ArrayList<>(List.of(TargetJvm.nobodyWithSysNice()));
        assumeRealTime();
        ambient.addAll(command);
        try (Program jvm = Program.start(ambient)) {
            jvm.awaitOut("ready\n");
            Finished asUser = Program.run(
                    TargetJvm.asNobody(List.of(Archive.command(), "ps", Long.toString(jvm.pid()))), Map.of());
            assertEquals(0, asUser.exit(), asUser.err());
            assertTrue(
                    asUser.lines()
                            .get(1)
                            .startsWith("this JVM has privileges that you have not, so its ledger cannot be"),
                    asUser.out());
            assertRow(asUser, "worker-10", "java", "10", "-", "RR 20");
            assertRow(ps(jvm.pid()), "worker-10", "java", "10", "RR 20", "RR 20");
            jvm.end();
        }
    }

    /** The ledger and the dump name threads by their ids inside; the table by those outside. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void aJvmInAPidNamespaceOfItsOwnIsSeenFromOutside(boolean agent) {
        List<String> unshare = List.of("unshare", "--pid", "--fork", "--kill-child", "--mount-proc");
        List<String> probe = new ArrayList<>(unshare);
        probe.add("true");
        assumeTrue(Program.run(probe).exit() == 0, "no PID namespace to be had here");
        List<String> plain = TargetJvm.of(17).plain("Workers");
        List<String> command = new ArrayList<>(unshare);
        command.addAll(agent ? TargetJvm.underAyatori(List.of("--policy", "nice"), plain) : plain);
        try (Program namespace = Program.start(command)) {
            namespace.awaitOut("ready\n");
            long pid = ProcessHandle.of(namespace.pid())
                    .flatMap(unshared -> unshared.children().findFirst())
                    .orElseThrow()
                    .pid();
            assertRow(ps(pid), "worker-2", "java", "2", agent ? "OTHER nice 3" : "-", agent ? "OTHER nice 3" : "OTHER");
            namespace.end();
        }
    }

    @Test
    void withoutAPidAllJvmsAreShown() {
        try (Program first = Program.start(TargetJvm.of(17).plain("Workers"));
                Program second = Program.start(TargetJvm.of(25).plain("Workers"))) {
            first.awaitOut("ready\n");
            second.awaitOut("ready\n");
            Finished all = Program.run(List.of(Archive.command(), "ps"));
            assertEquals(0, all.exit());
            assertTrue(all.out().contains("JVM " + first.pid() + ": "), all.out());
            assertTrue(all.out().contains("JVM " + second.pid() + ": "), all.out());
            first.end();
            second.end();
        }
    }

    @Test
    void aNarrowTerminalIsNotOverrun() {
        try (Program jvm = Program.start(TargetJvm.of(17).plain("Workers"))) {
            jvm.awaitOut("ready\n");
            Finished table = Program.run(List.of(
                    "script", "-qec", "stty cols 76; '" + Archive.command() + "' ps " + jvm.pid(), "/dev/null"));
            for (String line : table.lines()) {
                // The second line is prose, and may wrap.
                assertTrue(line.length() <= 76 || line.startsWith("no agent"), line);
            }
            jvm.end();
        }
    }
}
