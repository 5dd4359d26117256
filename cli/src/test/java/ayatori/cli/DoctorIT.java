package ayatori.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** {@code ayatori doctor} where something is in the way, and where nothing is. */
class DoctorIT {
    private static final Path CPU_GROUPS = Path.of("/sys/fs/cgroup/cpu");
    private static final String BUDGET = "cpu.rt_runtime_us";

    @BeforeAll
    static void needs() {
        assumeTrue("root".equals(System.getProperty("user.name")), "only root can become another user");
    }

    private static List<String> doctor(String... arguments) {
        List<String> command = new ArrayList<>(List.of(Archive.command(), "doctor", "--probe", "0"));
        command.addAll(List.of(arguments));
        return command;
    }

    private static List<String> before(List<String> command, String... words) {
        List<String> all = new ArrayList<>(List.of(words));
        all.addAll(command);
        return all;
    }

    /** Runs it and asserts the exit code. */
    private static Finished examine(int exit, List<String> command) {
        Finished finished = Program.run(command);
        assertEquals("", finished.err());
        assertEquals(exit, finished.exit(), finished.out());
        return finished;
    }

    private static Finished examine(int exit, Program jvm) {
        return examine(exit, doctor(Long.toString(jvm.pid())));
    }

    /** Asserts that the last section has a line that begins so. */
    private static void assertFound(Finished finished, String verdict, String beginning) {
        String start = String.format("  %-8s %s", verdict, beginning);
        assertTrue(
                finished.lines().stream().anyMatch(line -> line.startsWith(start)), start + " in\n" + finished.out());
    }

    @Test
    void rootHasEverything() {
        Finished finished = examine(0, doctor());
        assertFound(finished, "ok", "policies: none, nice, static and mixed work");
        assertFound(finished, "ok", "real-time priorities: up to RR 25: granted by CAP_SYS_NICE");
        assertFound(finished, "ok", "nice values: down to -5: granted by CAP_SYS_NICE");
        assertFound(finished, "info", "real-time throttling: ");
        assertTrue(finished.lines().getLast().startsWith("nothing in the way"), finished.out());
    }

    @Test
    void anUnprivilegedUserHasNothing() {
        Finished finished = examine(1, TargetJvm.asNobody(doctor("--band", "30-45")));
        assertFound(finished, "info", "policies: none alone works as it should; nice works downwards only");
        assertFound(finished, "problem", "real-time priorities: up to RR 45: refused (EPERM)");
        assertFound(finished, "problem", "nice values: down to -5: refused (EACCES)");
        assertFound(finished, "info", "requests between processes: work, and raise nobody");
        assertTrue(finished.out().contains("RLIMIT_RTPRIO (0) would have to be 45"), finished.out());
        assertEquals("2 problems", finished.lines().getLast().split(",")[0]);
    }

    @Test
    void theAmbientCapabilityGivesAnUnprivilegedUserEverything() {
        Finished finished = examine(0, before(doctor(), TargetJvm.nobodyWithSysNice()));
        assertFound(finished, "ok", "real-time priorities: up to RR 25: granted by CAP_SYS_NICE");
        assertFound(finished, "ok", "nice values: down to -5: granted by CAP_SYS_NICE");
    }

    @Test
    void aControlGroupWithoutBudgetRefusesEvenRootAndTheRemedyMendsIt() throws IOException {
        assumeTrue(Files.isWritable(CPU_GROUPS.resolve(BUDGET)), "no control groups of version 1 with budgets here");
        Path group = Files.createDirectory(
                CPU_GROUPS.resolve("ayatori-doctor-" + ProcessHandle.current().pid()));
        try {
            String[] enter = {"sh", "-c", "echo $$ > \"$0\"/cgroup.procs && exec \"$@\"", group.toString()};
            try (Program jvm = Program.start(before(TargetJvm.of(17).plain("Workers"), enter))) {
                jvm.awaitOut("ready\n");
                assertFound(examine(1, jvm), "problem", "control group: /" + group.getFileName());
                assertEquals(0, jvm.end().exit());
            }
            List<String> inside = before(doctor(), enter);
            Finished refused = examine(1, inside);
            assertFound(refused, "problem", "control group: /" + group.getFileName() + " has no real-time budget");
            assertFound(refused, "ok", "real-time priorities: up to RR 25: granted by CAP_SYS_NICE");
            String remedy = refused.lines().stream()
                    .map(String::strip)
                    .filter(line -> line.startsWith("a shell: echo ") && line.endsWith(BUDGET))
                    .findFirst()
                    .orElseThrow(() -> new AssertionError(refused.out()));
            String typed = remedy.substring("a shell: ".length()).replace("sudo ", "");
            assertEquals(0, Program.run(List.of("sh", "-c", typed)).exit(), typed);
            assertFound(examine(0, inside), "ok", "control group: /" + group.getFileName());
        } finally {
            Files.delete(group);
        }
    }

    @Test
    void anAffinityOfOneCpu() {
        String cpu = Program.run(List.of("sh", "-c", "taskset -cp $$ | sed 's/.*[ ,-]//'"))
                .out()
                .strip();
        List<String> pinned = before(TargetJvm.of(17).plain("Workers"), "taskset", "-c", cpu);
        assertFound(
                examine(0, before(doctor(), "taskset", "-c", cpu)),
                "warning",
                "CPUs: one: HotSpot chooses the Serial collector");
        try (Program jvm = Program.start(pinned)) {
            jvm.awaitOut("ready\n");
            assertFound(examine(0, jvm), "warning", "CPUs: one: this JVM has the Serial collector");
            assertEquals(0, jvm.end().exit());
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {17, 25})
    void aJvmUnderAyatori(int jdk) {
        List<String> band = List.of("--band", "20-44");
        List<String> command = TargetJvm.underAyatori(band, TargetJvm.of(jdk).plain("Workers"));
        try (Program jvm = Program.start(command)) {
            jvm.awaitOut("ready\n");
            Finished finished = examine(0, jvm);
            assertFound(finished, "ok", "real-time priorities: up to RR 25: granted by CAP_SYS_NICE");
            assertFound(finished, "ok", "real-time priorities: up to RR 44: granted by CAP_SYS_NICE");
            assertFound(finished, "ok", "agent: Ayatori's agent is in this JVM");
            assertFound(finished, "ok", "JDK: openjdk version \"" + jdk + ".");
            assertTrue(finished.out().contains("real-time threads, and memory is "), finished.out());
            assertTrue(finished.out().contains("-XX:+AlwaysPreTouch -Xms64m"), finished.out());
            Finished ended = jvm.end();
            assertEquals("ready\nhook\n", ended.out(), "nothing was changed");
            assertEquals("", ended.err());
        }
    }

    @Test
    void aJvmThatDoesNotWantToBeAskedIsNotAsked() {
        String refusal = "-XX:+DisableAttachMechanism";
        List<String> byOption = TargetJvm.of(17).plain(List.of(refusal), "Workers");
        try (Program jvm = Program.start(byOption)) {
            jvm.awaitOut("ready\n");
            Finished finished = examine(1, jvm);
            assertFound(finished, "problem", "agent: no agent can be loaded into this JVM: it has " + refusal);
            assertTrue(finished.out().contains("instead of java …: ayatori run -- java …"), finished.out());
            assertEquals("ready\nhook\n", jvm.end().out(), "SIGQUIT would have made it print a dump");
        }
        Map<String, String> variable = Map.of("JAVA_TOOL_OPTIONS", refusal);
        try (Program jvm = Program.start(TargetJvm.of(17).plain("Workers"), variable)) {
            jvm.awaitOut("ready\n");
            assertFound(
                    examine(1, jvm),
                    "problem",
                    "agent: no agent can be loaded into this JVM: it has " + refusal + " in JAVA_TOOL_OPTIONS");
            assertEquals("ready\nhook\n", jvm.end().out(), "SIGQUIT would have made it print a dump");
        }
    }

    @Test
    void aJvmThatRefusesAgents() {
        List<String> command = TargetJvm.of(25).plain(List.of("-XX:-EnableDynamicAgentLoading"), "Workers");
        try (Program jvm = Program.start(command)) {
            jvm.awaitOut("ready\n");
            assertFound(
                    examine(1, jvm),
                    "problem",
                    "agent: no agent can be loaded into this JVM: it has -XX:-EnableDynamicAgentLoading");
            assertEquals(0, jvm.end().exit());
        }
    }

    @Test
    void aJvmInAPidNamespaceOfItsOwn() {
        assumeTrue(
                Program.run(List.of("unshare", "--pid", "--fork", "--mount-proc", "true"))
                                .exit()
                        == 0,
                "no PID namespaces here");
        List<String> command =
                before(TargetJvm.of(17).plain("Workers"), "unshare", "--pid", "--fork", "--mount-proc", "--kill-child");
        try (Program outer = Program.start(command)) {
            outer.awaitOut("ready\n");
            long jvm = ProcessHandle.of(outer.pid())
                    .flatMap(process -> process.children().findFirst())
                    .orElseThrow()
                    .pid();
            Finished finished = examine(0, doctor(Long.toString(jvm)));
            assertFound(finished, "info", "process ids: it is in a PID namespace of its own, where its id is 1:");
            assertFound(finished, "info", "agent: none in this JVM; one can be loaded into it");
            assertFound(finished, "info", "JDK: whether the agent works with ");
            assertEquals("ready\nhook\n", outer.end().out());
        }
    }

    @Test
    void rootStartsNoProgramOfAnotherUser() {
        try (Program jvm = Program.start(TargetJvm.asNobody(TargetJvm.of(17).plain("Workers")))) {
            jvm.awaitOut("ready\n");
            Finished finished = examine(1, jvm);
            assertTrue(finished.out().contains("JVM " + jvm.pid() + " of user nobody\n"), finished.out());
            assertFound(finished, "problem", "real-time priorities: up to RR 25: refused");
            assertTrue(finished.out().contains("only user nobody should start that program"), finished.out());
            assertTrue(finished.out().contains("sudo -u nobody ayatori doctor " + jvm.pid()), finished.out());
            assertEquals(0, jvm.end().exit());
        }
    }

    @Test
    void whatIsHiddenFromThisUserIsSaidToBe() {
        List<String> privileged = before(TargetJvm.of(17).plain("Workers"), TargetJvm.nobodyWithSysNice());
        try (Program jvm = Program.start(privileged)) {
            jvm.awaitOut("ready\n");
            Finished finished = examine(1, TargetJvm.asNobody(doctor(Long.toString(jvm.pid()))));
            int section = finished.lines().indexOf("JVM " + jvm.pid() + " of user nobody");
            assertTrue(section > 0, finished.out());
            assertEquals(
                    "  ok       real-time priorities: up to RR 25: granted by CAP_SYS_NICE",
                    finished.lines().get(section + 1));
            assertTrue(finished.out().contains("the JVM has privileges that you have not"), finished.out());
            assertEquals("ready\nhook\n", jvm.end().out());
        }
    }

    @Test
    void jsonHasTheMeasurementOfTheHost() {
        Finished finished = examine(0, List.of(Archive.command(), "doctor", "--json", "--probe", "1"));
        assertTrue(finished.out().contains("\"problems\" : 0"), finished.out());
        long median = figure(finished, "median_ns");
        assertTrue(median <= figure(finished, "p99_ns"), finished.out());
        assertTrue(figure(finished, "p99_ns") <= figure(finished, "p99_9_ns"), finished.out());
        assertTrue(figure(finished, "p99_9_ns") <= figure(finished, "max_ns"), finished.out());
        assertEquals(1000, figure(finished, "wakeups"));
        assertTrue(finished.out().contains("wake-ups of a thread at RR 25 are late by "), finished.out());
    }

    private static long figure(Finished finished, String name) {
        String start = "\"" + name + "\" : ";
        return finished.lines().stream()
                .map(String::strip)
                .filter(line -> line.startsWith(start))
                .mapToLong(line -> Long.parseLong(line.substring(start.length()).replace(",", "")))
                .findFirst()
                .orElseThrow(() -> new AssertionError("no " + name + " in\n" + finished.out()));
    }

    @Test
    void mistakes() {
        Finished stranger = Program.run(TargetJvm.asNobody(doctor("1")));
        assertEquals(2, stranger.exit());
        assertEquals("", stranger.out());
        assertTrue(
                stranger.err()
                        .startsWith("ayatori doctor: process 1 is of user root: only that user and root may look"),
                stranger.err());
        try (Program cat = Program.start(List.of("cat"))) {
            Finished finished = Program.run(doctor(Long.toString(cat.pid())));
            assertEquals(2, finished.exit());
            assertEquals(
                    "ayatori doctor: process " + cat.pid() + " is no JVM; see ayatori doctor --help\n", finished.err());
            assertEquals(0, cat.end().exit(), "and it lives on");
        }
    }
}
