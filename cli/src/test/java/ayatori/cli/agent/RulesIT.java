package ayatori.cli.agent;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import ayatori.cli.Archive;
import ayatori.cli.Finished;
import ayatori.cli.Program;
import ayatori.cli.TargetJvm;
import ayatori.internal.linux.KernelException;
import ayatori.internal.linux.Sched;
import ayatori.internal.linux.TaskFiles;
import ayatori.sched.SchedulingParameters;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Rules for single threads, by what the kernel says of each. */
class RulesIT {
    private static final String RULES = """
            # By name, group and kind; the first that matches counts.
            [Thread http-admin]
            [Thread http-*]
            CPUSchedulingPolicy=rr
            CPUSchedulingPriority=18
            [Thread fifo]
            CPUSchedulingPolicy=fifo
            CPUSchedulingPriority=3
            [Thread control]
            CPUSchedulingPolicy=deadline
            DeadlineRuntime=2ms
            DeadlineDeadline=8ms
            DeadlinePeriod=10ms
            [Thread idler]
            CPUSchedulingPolicy=idle
            [Thread scan-*]
            IOSchedulingClass=idle
            [Thread pinned]
            CPUAffinity=%s
            IOSchedulingClass=best-effort
            IOSchedulingPriority=2
            [Group batch-*]
            CPUSchedulingPolicy=batch
            Nice=10
            [Thread Signal Dispatcher]
            CPUSchedulingPolicy=idle
            [Kind compiler]
            CPUAffinity=%s
            """;

    private static final Path FOLDER = Archive.publicFolder("ayatori-rules");

    @BeforeAll
    static void needs() {
        ActorsJvm.assumeRealTime();
    }

    private static Path file(String name, String text) throws IOException {
        return Files.writeString(FOLDER.resolve(name), text);
    }

    private static ActorsJvm start(int jdk, String options, String rules) throws IOException {
        return ActorsJvm.Launch.of(jdk, options + ",runaway-limit=0,rules=" + file("app, 1.rules", rules))
                .start();
    }

    private static String cpus(int tid) throws IOException {
        return new TaskFiles(tid).status("Cpus_allowed_list").orElseThrow();
    }

    private static String allCpus() throws IOException {
        return cpus(Sched.gettid());
    }

    private static String ionice(int tid) {
        return Program.run(List.of("ionice", "-p", Integer.toString(tid))).out().strip();
    }

    private static SchedulingParameters deadline() {
        return SchedulingParameters.deadline(Duration.ofMillis(2), Duration.ofMillis(8), Duration.ofMillis(10));
    }

    @ParameterizedTest
    @ValueSource(ints = {17, 25})
    void eachThreadStandsWhereItsRuleSays(int jdk) throws IOException {
        try (ActorsJvm jvm = start(jdk, "policy=mixed", RULES.formatted(Cpus.last(), Cpus.last()))) {
            for (String name : List.of("http-1", "http-admin", "fifo", "idler", "scan-1", "pinned")) {
                jvm.start("main", name, 3);
            }
            jvm.tell("main", "start-in batch-1 worker 9", "started");
            assertEquals(
                    SchedulingParameters.roundRobin(18), jvm.born("http-1").level(), "from the first instruction on");
            assertEquals(SchedulingParameters.roundRobin(18), ActorsJvm.level(jvm.tid("http-1")));
            assertEquals(SchedulingParameters.other(2), ActorsJvm.level(jvm.tid("http-admin")), "an empty section");
            assertEquals(SchedulingParameters.fifo(3), ActorsJvm.level(jvm.tid("fifo")));
            assertEquals(SchedulingParameters.idle(), ActorsJvm.level(jvm.tid("idler")));
            assertEquals(SchedulingParameters.batch(10), ActorsJvm.level(jvm.tid("worker")));
            assertEquals("idle", ionice(jvm.tid("scan-1")));
            assertEquals(SchedulingParameters.other(2), ActorsJvm.level(jvm.tid("scan-1")), "the ladder's");
            assertEquals("best-effort: prio 2", ionice(jvm.tid("pinned")));
            assertEquals(Cpus.last(), cpus(jvm.tid("pinned")));
            assertEquals(allCpus(), cpus(jvm.tid("http-1")));
            assertEquals(Cpus.last(), cpus(jvm.tid("C1 CompilerThre")));
            assertEquals(SchedulingParameters.roundRobin(21), ActorsJvm.level(jvm.tid("C1 CompilerThre")));
            assertEquals(
                    SchedulingParameters.roundRobin(23),
                    ActorsJvm.level(jvm.tid("Signal Dispatcher")),
                    "who ends the JVM keeps the level that this takes");
            jvm.assertNothingLeftBehind();
            assertEquals("", jvm.end().err());
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {17, 25})
    void setPriorityMovesNoThreadThatARulePlaces(int jdk) throws IOException {
        try (ActorsJvm jvm = start(jdk, "policy=static", RULES.formatted(Cpus.last(), Cpus.last()))) {
            jvm.start("main", "http-1", 3);
            jvm.start("main", "pinned", 3);
            int http = jvm.tid("http-1");
            int pinned = jvm.tid("pinned");
            jvm.tell("main", "priority http-1 9", "set");
            jvm.tell("main", "priority pinned 9", "set");
            assertEquals(SchedulingParameters.roundRobin(18), ActorsJvm.level(http));
            assertEquals(SchedulingParameters.roundRobin(18), ActorsJvm.level(pinned), "nothing is said of its level");
            assertEquals(Cpus.last(), cpus(pinned));
            jvm.assertNothingLeftBehind();
            assertEquals("", jvm.end().err());
        }
    }

    /** clone(2) would hand on CPUs, I/O priority and slice. */
    @ParameterizedTest
    @ValueSource(ints = {17, 25})
    void whatARuleGivesIsNotInherited(int jdk) throws IOException {
        try (ActorsJvm jvm = start(jdk, "policy=mixed", RULES.formatted(Cpus.last(), Cpus.last()))) {
            jvm.start("main", "pinned", 3);
            jvm.start("pinned", "child", 3);
            int child = jvm.tid("child");
            assertEquals(allCpus(), cpus(child));
            assertEquals(ionice(Sched.gettid()), ionice(child));
            jvm.start("main", "idler", 3);
            ActorsJvm.Born process = ActorsJvm.Born.of(jvm.ask("idler", "process cat /proc/self/stat"));
            assertEquals(SchedulingParameters.other(0), process.level());
            assertEquals("", jvm.end().err());
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {17, 25})
    void aDeadlineThreadMakesThreads(int jdk) throws IOException {
        try (ActorsJvm jvm = start(jdk, "policy=mixed", RULES.formatted(Cpus.last(), Cpus.last()))) {
            jvm.start("main", "control", 9);
            int control = jvm.tid("control");
            assertEquals(deadline(), ActorsJvm.level(control));
            jvm.start("control", "child", 4);
            assertEquals(SchedulingParameters.other(1), jvm.born("child").level());
            jvm.tell("child", "gc", "collected");
            jvm.tell("child", "priority control 1", "set");
            assertEquals(deadline(), ActorsJvm.level(control));
            String ps = Program.run(List.of(Archive.command(), "ps", Long.toString(jvm.pid())))
                    .out();
            assertTrue(ps.contains("DEADLINE 2ms/8ms/10ms  DEADLINE 2ms/8ms/10ms  "), ps);
            jvm.assertNothingLeftBehind();
            assertEquals("", jvm.end().err());
        }
    }

    /** On one CPU, where the kernel cannot promise a deadline thread that it may run anywhere. */
    @Test
    void aDeadlineThatTheKernelRefusesIsSaidWithARemedy() throws IOException {
        assumeTrue(Runtime.getRuntime().availableProcessors() > 1, "needs two CPUs");
        Path rules = file("app.rules", RULES.formatted(Cpus.last(), Cpus.last()));
        try (ActorsJvm jvm = ActorsJvm.Launch.of(17, "policy=mixed,runaway-limit=0,rules=" + rules)
                .onOneCpu()
                .start()) {
            jvm.start("main", "control", 3);
            String actual = ActorsJvm.level(jvm.tid("control")).toString();
            assertTrue(actual.startsWith("OTHER"), actual);
            String err = jvm.end().err();
            assertTrue(
                    err.matches("ayatori: thread \\d+ \"control\": wanted DEADLINE, kernel kept OTHER \\(EPERM\\); a"
                            + " DEADLINE thread has to be allowed on every CPU: start the JVM without taskset, and outside"
                            + " of cpusets\n"),
                    err);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {17, 25})
    void aThreadIsMatchedAnewUnderAnotherName(int jdk) throws IOException {
        try (ActorsJvm jvm = start(jdk, "policy=mixed", RULES.formatted(Cpus.last(), Cpus.last()))) {
            jvm.start("main", "actor", 3);
            int tid = jvm.tid("actor");
            assertEquals(SchedulingParameters.other(2), ActorsJvm.level(tid));
            jvm.tell("actor", "rename http-7", "renamed");
            assertEquals(SchedulingParameters.roundRobin(18), ActorsJvm.level(tid));
            jvm.tell("actor", "rename pinned", "renamed");
            assertEquals(SchedulingParameters.other(2), ActorsJvm.level(tid));
            assertEquals(Cpus.last(), cpus(tid));
            jvm.tell("actor", "rename control", "renamed");
            assertEquals(deadline(), ActorsJvm.level(tid));
            jvm.tell("actor", "rename pinned", "renamed");
            assertEquals(Cpus.last(), cpus(tid), "no DEADLINE thread could be pinned");
            jvm.tell("actor", "rename nobody", "renamed");
            assertEquals(SchedulingParameters.other(2), ActorsJvm.level(tid));
            assertEquals(allCpus(), cpus(tid));
            assertEquals("", jvm.end().err());
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {17, 25})
    void aSliceIsTheKernels(int jdk) throws IOException, KernelException {
        long slice = Sched.getAttributes(Sched.gettid()).runtime();
        assumeTrue(slice > 0, "threads have no slice of their own before Linux 6.12");
        try (ActorsJvm jvm = start(jdk, "policy=mixed", "[Thread long]\nSliceTime=7ms\n")) {
            jvm.start("main", "long", 4);
            jvm.start("long", "child", 4);
            assertEquals(7_000_000, Sched.getAttributes(jvm.tid("long")).runtime());
            assertEquals(SchedulingParameters.other(1), ActorsJvm.level(jvm.tid("long")));
            assertEquals(slice, Sched.getAttributes(jvm.tid("child")).runtime());
            jvm.tell("main", "priority long 9", "set");
            assertEquals(SchedulingParameters.roundRobin(18), ActorsJvm.level(jvm.tid("long")));
            jvm.tell("main", "priority long 5", "set");
            assertEquals(7_000_000, Sched.getAttributes(jvm.tid("long")).runtime());
            assertEquals("", jvm.end().err());
        }
    }

    /** The policy is about the other threads. */
    @ParameterizedTest
    @ValueSource(ints = {17, 25})
    void underPolicyNoneTheRulesAloneCount(int jdk) throws IOException {
        String rules = "[Thread a]\nNice=7\n[Thread b]\nCPUSchedulingPolicy=batch\n";
        try (ActorsJvm jvm = start(jdk, "policy=none", rules)) {
            for (String name : List.of("a", "b", "c")) {
                jvm.start("main", name, 9);
            }
            assertEquals(SchedulingParameters.other(7), ActorsJvm.level(jvm.tid("a")));
            assertEquals(SchedulingParameters.batch(0), ActorsJvm.level(jvm.tid("b")));
            assertEquals(SchedulingParameters.other(0), ActorsJvm.level(jvm.tid("c")));
            jvm.tell("a", "rename c2", "renamed");
            assertEquals(SchedulingParameters.other(0), ActorsJvm.level(jvm.tid("c2")));
            assertEquals("", jvm.end().err());
        }
    }

    /** From the user's folder, by a path with everything in it, also through a script that goes elsewhere. */
    @ParameterizedTest
    @CsvSource({"17, direct", "25, direct", "17, script"})
    void theCommandHandsThePathOn(int jdk, String way) throws IOException {
        Path folder = Files.createDirectories(FOLDER.resolve("it's, a=\"folder\""));
        Files.writeString(folder.resolve("my, app.rules"), "[Thread main]\nCPUSchedulingPolicy=batch\nNice=3\n");
        List<String> command = new ArrayList<>(TargetJvm.of(jdk).plain("Workers"));
        if (way.equals("script")) {
            Path script = file("start", "#!/bin/sh\ncd /\nexec \"$@\"\n");
            assertTrue(script.toFile().setExecutable(true));
            command.addFirst(script.toString());
        }
        command.addAll(0, List.of("sh", "-c", "cd \"$0\" && exec \"$@\"", folder.toString(), Archive.command()));
        command.addAll(5, List.of("run", "--rules", "my, app.rules", "--"));
        try (Program jvm = Program.start(command)) {
            jvm.awaitOut("ready\n");
            assertTrue(threadsOf(jvm.pid()).contains(SchedulingParameters.batch(3)), threadsOf(jvm.pid()) + "");
            assertEquals(0, jvm.end().exit());
        }
    }

    private static List<SchedulingParameters> threadsOf(long pid) throws IOException {
        try (var tasks = Files.list(Path.of("/proc/" + pid + "/task"))) {
            return tasks.map(task ->
                            ActorsJvm.level(Integer.parseInt(task.getFileName().toString())))
                    .toList();
        }
    }

    @ParameterizedTest
    @CsvSource({
        "'[Thread a]\nNice=20\n', 2, 'Nice=20: it is -20 (first) to 19'",
        "'[Thread a]\nColour=red\n', 2, 'unknown key Colour: keys are'",
        "'\n[Worker a]\n', 2, '[Worker a]: a section is [Thread NAME], [Group NAME] or [Kind NAME]'",
        "'[Thread a]\nCPUSchedulingPolicy=rr\nCPUSchedulingPriority=30\n', 3, '--band LOW-HIGH'",
        "'[Thread a]\nCPUAffinity=999\n', 2, 'there is no CPU 999 here'",
        "'[Thread a]\nCPUSchedulingPolicy=deadline\nDeadlineRuntime=2s\nDeadlinePeriod=1s\n', 3, 'longer than'",
    })
    void aMistakeIsRefusedWithItsLineAndNothingIsStarted(String text, int line, String reason) throws IOException {
        Path rules = file("bad.rules", text);
        Path trace = FOLDER.resolve("started");
        Finished command = Program.run(
                List.of(Archive.command(), "run", "--rules", rules.toString(), "--", "touch", trace.toString()));
        assertEquals(2, command.exit());
        assertEquals("", command.out());
        assertTrue(command.err().startsWith("ayatori run: " + rules + ":" + line + ": "), command.err());
        assertTrue(command.err().contains(reason), command.err());
        assertTrue(command.err().endsWith("; see ayatori run --help\n"), command.err());
        assertEquals(1, command.err().lines().count());
        assertTrue(Files.notExists(trace));
        Finished agent =
                ActorsJvm.Launch.of(17, "runaway-limit=0,rules=" + rules).run("Actors");
        assertEquals(2, agent.exit());
        assertEquals("", agent.out());
        assertTrue(agent.err().startsWith("ayatori: " + rules + ":" + line + ": "), agent.err());
        assertTrue(agent.err().contains(reason), agent.err());
    }

    @Test
    void aFileThatCannotBeRead() {
        Finished command =
                Program.run(List.of(Archive.command(), "run", "--rules", "/no/such.rules", "--", "java", "-version"));
        assertEquals(
                "ayatori run: cannot read rules /no/such.rules: No such file or directory; see ayatori run --help\n",
                command.err());
        assertEquals(2, command.exit());
    }

    /** Rules of a JVM that runs: others take their place, and restore takes all of them back. */
    @ParameterizedTest
    @ValueSource(ints = {17, 25})
    void rulesAreAppliedToAJvmThatRunsAndTakenBack(int jdk) throws IOException {
        Path first = file("first.rules", RULES.formatted(Cpus.last(), Cpus.last()));
        Path second = file("second.rules", "[Thread http-*]\nNice=3\n[Kind compiler]\nNice=0\n");
        try (ActorsJvm jvm = ActorsJvm.Launch.of(jdk, "no agent")
                .with("-XX:+UnlockExperimentalVMOptions")
                .start()) {
            jvm.start("main", "http-1", 3);
            jvm.start("main", "pinned", 3);
            apply(jvm, first);
            int http = jvm.tid("http-1");
            int pinned = jvm.tid("pinned");
            assertEquals(SchedulingParameters.roundRobin(18), ActorsJvm.level(http));
            assertEquals(Cpus.last(), cpus(pinned));
            apply(jvm, second);
            assertEquals(SchedulingParameters.other(3), ActorsJvm.level(http));
            assertEquals(allCpus(), cpus(pinned));
            assertEquals(SchedulingParameters.other(0), ActorsJvm.level(jvm.tid("C1 CompilerThre")));
            apply(jvm, first);
            assertEquals("best-effort: prio 2", ionice(pinned));
            Finished restored = Program.run(List.of(Archive.command(), "restore", Long.toString(jvm.pid())));
            assertEquals(0, restored.exit(), restored.err());
            assertEquals(SchedulingParameters.other(0), ActorsJvm.level(http));
            assertEquals(allCpus(), cpus(pinned));
            assertEquals(ionice(Sched.gettid()), ionice(pinned));
            assertEquals(0, jvm.end().exit());
        }
    }

    private static void apply(ActorsJvm jvm, Path rules) {
        Finished applied =
                Program.run(List.of(Archive.command(), "apply", "--rules", rules.toString(), Long.toString(jvm.pid())));
        assertEquals(0, applied.exit(), applied.err());
    }
}
