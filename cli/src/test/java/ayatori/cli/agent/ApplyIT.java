package ayatori.cli.agent;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import ayatori.cli.Archive;
import ayatori.cli.Finished;
import ayatori.cli.Program;
import ayatori.cli.TargetJvm;
import ayatori.internal.linux.TaskFiles;
import ayatori.sched.LinuxThread;
import ayatori.sched.PriorityLadder;
import ayatori.sched.PriorityLadder.Policy;
import ayatori.sched.SchedulingParameters;
import ayatori.sched.SchedulingPolicy;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** {@code ayatori apply} and {@code ayatori restore}, to JVMs that were started without anything. */
class ApplyIT {
    private static final SchedulingParameters ORDINARY = SchedulingParameters.other(0);

    @BeforeAll
    static void needs() {
        ActorsJvm.assumeRealTime();
    }

    private static ActorsJvm plain(int jdk, String... arguments) {
        return ActorsJvm.Launch.of(jdk, "no agent").with(arguments).start();
    }

    private static Finished ayatori(Object... words) {
        List<String> command = new ArrayList<>(List.of(Archive.command()));
        Arrays.stream(words).map(Object::toString).forEach(command::add);
        return Program.run(command);
    }

    private static String done(Object... words) {
        Finished finished = ayatori(words);
        assertEquals("", finished.err());
        assertEquals(0, finished.exit(), finished.out());
        return finished.out();
    }

    private static String apply(ActorsJvm jvm, String policy) {
        String said = done("apply", "--policy", policy, "--runaway-limit", 0, jvm.pid());
        assertTrue(said.endsWith(" 0 not where they should be\n"), said);
        return said;
    }

    private static SchedulingParameters level(String policy, int priority) {
        return PriorityLadder.of(Policy.valueOf(policy.toUpperCase(Locale.ROOT)))
                .forJavaPriority(priority)
                .map(level -> level.withResetOnFork(false))
                .orElse(ORDINARY);
    }

    private static SchedulingParameters vmThread(ActorsJvm jvm) {
        return jvm.levels().entrySet().stream()
                .filter(entry -> entry.getKey().startsWith("VM Thread "))
                .map(Map.Entry::getValue)
                .findFirst()
                .orElseThrow();
    }

    private static void assertEverythingOrdinary(ActorsJvm jvm) {
        jvm.levels().forEach((thread, level) -> assertEquals(ORDINARY, level, thread));
    }

    /** Those that were there, those that are born later, and those that are moved: under one policy after the other. */
    @ParameterizedTest
    @ValueSource(ints = {17, 25})
    void aRunningJvmIsPutUnderEachPolicyAndBack(int jdk) {
        try (ActorsJvm jvm = plain(jdk)) {
            jvm.start("main", "high", 9);
            jvm.start("main", "low", 2);
            int high = jvm.born("high").tid();
            int low = jvm.born("low").tid();
            Map<String, SchedulingParameters> before = jvm.levels();
            for (String policy : List.of("mixed", "static", "nice", "static", "none", "mixed")) {
                apply(jvm, policy);
                assertEquals(level(policy, 9), ActorsJvm.level(high), policy);
                assertEquals(level(policy, 2), ActorsJvm.level(low), policy);
                boolean realTime = level(policy, 9).policy() == SchedulingPolicy.RR;
                assertEquals(realTime ? SchedulingParameters.roundRobin(25) : ORDINARY, vmThread(jvm), policy);
                jvm.start("main", policy, 8);
                assertEquals(level(policy, 8), jvm.born(policy).level(), "at its first instruction, " + policy);
                jvm.tell("main", "priority low 7", "set");
                assertEquals(level(policy, 7), ActorsJvm.level(low), policy);
                jvm.tell("main", "priority low 2", "set");
                assertEquals(level(policy, 2), ActorsJvm.level(low), policy);
                jvm.assertNothingLeftBehind();
            }
            done("restore", jvm.pid());
            before.forEach((thread, level) -> assertEquals(level, jvm.levels().get(thread), thread));
            assertEverythingOrdinary(jvm);
            jvm.tell("main", "priority low 10", "set");
            jvm.start("main", "late", 10);
            assertEverythingOrdinary(jvm);
            apply(jvm, "static");
            assertEquals(level("static", 10), ActorsJvm.level(low), "as was set meanwhile");
            String messages = jvm.end().err();
            assertTrue(
                    messages.lines().allMatch(line -> line.startsWith("WARNING: ")),
                    "HotSpot's own that an agent was loaded (JEP 451), and nothing else: " + messages);
        }
    }

    /** What the agent was started with is no more than a first policy. */
    @ParameterizedTest
    @ValueSource(ints = {17, 25})
    void aJvmUnderTheAgentIsPutUnderAnotherPolicyAndBack(int jdk) {
        try (ActorsJvm jvm = ActorsJvm.Launch.of(jdk, "policy=static").start()) {
            jvm.start("main", "low", 2);
            int low = jvm.born("low").tid();
            apply(jvm, "mixed");
            assertEquals(level("mixed", 2), ActorsJvm.level(low));
            done("restore", jvm.pid());
            assertEverythingOrdinary(jvm);
            assertEquals("", jvm.end().err());
        }
    }

    /** The waits inside the JVM are watched in a JVM that ran before the agent came. */
    @ParameterizedTest
    @CsvSource({"17, G1", "25, Serial"})
    void aMiddleThreadInNativeCodeDoesNotHoldACollectionUp(int jdk, String collector) {
        ActorsJvm.Launch launch =
                ActorsJvm.Launch.of(jdk, "no agent").onOneCpu().with("-XX:+Use" + collector + "GC");
        try (ActorsJvm jvm = launch.start()) {
            jvm.tell("main", "load " + NativeActors.library(), "loaded");
            jvm.start("main", "low", 2);
            jvm.start("main", "middle", 5);
            jvm.start("main", "top", 9);
            apply(jvm, "static");
            int low = jvm.born("low").tid();
            int spinning = jvm.order("low", "spin spinning");
            jvm.awaitAnswer("spinning");
            int working = jvm.order("middle", "work-in-native working");
            jvm.awaitAnswer("working");
            for (int i = 0; i < 10; i++) {
                jvm.tell("top", "gc", "collected");
            }
            assertFalse(jvm.answered(Integer.toString(working)), "the middle thread is still in native code");
            assertFalse(jvm.answered(Integer.toString(spinning)), "the low one is still in Java code");
            assertEquals(level("static", 2), ActorsJvm.level(low), "put back once it was there");
            done("restore", jvm.pid()); // with the CPU taken
            assertEverythingOrdinary(jvm);
            jvm.tell("prompter", "stop-native", "stopped");
            jvm.tell("prompter", "stop low", "stopped");
            assertEquals("returned", jvm.answer(working));
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {17, 25})
    void aJvmThatTakesNoAgentsIsPlacedFromOutside(int jdk) {
        try (ActorsJvm jvm = plain(jdk, "-XX:-EnableDynamicAgentLoading")) {
            jvm.start("main", "high", 9);
            jvm.start("main", "low", 2);
            String said = done("apply", "--policy", "static", jvm.pid());
            assertTrue(said.contains("from outside") && said.contains("not followed: threads born from now on"), said);
            assertEquals(level("static", 9), ActorsJvm.level(jvm.born("high").tid()));
            assertEquals(level("static", 2), ActorsJvm.level(jvm.born("low").tid()));
            assertEquals(SchedulingParameters.roundRobin(25), vmThread(jvm));
            assertMistake(
                    "ayatori apply: process " + jvm.pid() + " takes no agents, and without one policy none changes "
                            + "nothing: ayatori restore " + jvm.pid()
                            + " puts its threads back; see ayatori apply --help",
                    ayatori("apply", "--policy", "none", jvm.pid()));
            done("restore", jvm.pid());
            assertEverythingOrdinary(jvm);
        }
    }

    private static void assertMistake(String line, Finished finished) {
        assertEquals(line + "\n", finished.err());
        assertEquals("", finished.out());
        assertEquals(2, finished.exit());
    }

    @Test
    void whoCannotBeReachedIsNamed() {
        try (ActorsJvm jvm = plain(25, "-XX:+DisableAttachMechanism")) {
            assertMistake(
                    "ayatori apply: process " + jvm.pid() + " cannot be asked anything, because it has "
                            + "-XX:+DisableAttachMechanism: start it by ayatori run; see ayatori apply --help",
                    ayatori("apply", jvm.pid()));
            assertEverythingOrdinary(jvm);
        }
        try (ActorsJvm jvm = plain(25)) {
            jvm.signal("STOP");
            Waiting.until(() -> "not stopped", () -> stopped(jvm.pid()));
            assertMistake(
                    "ayatori apply: process " + jvm.pid()
                            + " cannot be asked anything, because it is stopped: kill -CONT " + jvm.pid()
                            + " lets it go on; see ayatori apply --help",
                    ayatori("apply", jvm.pid()));
            jvm.signal("CONT");
            assertEverythingOrdinary(jvm);
            assertEquals("", jvm.end().err());
        }
        for (String command : List.of("apply", "restore")) {
            assertMistake(
                    "ayatori " + command + ": process 1 is no JVM; see ayatori " + command + " --help",
                    ayatori(command, 1));
            assertMistake(
                    "ayatori " + command + ": there is no process 4194305; see ayatori " + command + " --help",
                    ayatori(command, 4194305));
        }
    }

    private static boolean stopped(long pid) {
        try {
            return new TaskFiles((int) pid).stopped();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** After the agent was told to load, and most often before the command has its answer. */
    @Test
    void aJvmThatEndsMeanwhileIsSaidToHaveEnded() {
        List<String> command = ActorsJvm.Launch.of(17, "no agent").command("Actors");
        try (Program jvm =
                Program.start(command.subList(command.indexOf(TargetJvm.of(17).java()), command.size()))) {
            jvm.awaitOut("#pid.\n");
            try (Program apply = Program.start(List.of(Archive.command(), "apply", Long.toString(jvm.pid())))) {
                Waiting.until(() -> "the agent does not come", () -> hasAgent(jvm.pid()));
                jvm.signal("KILL");
                Finished finished = apply.end();
                if (finished.exit() != 0) { // else it was done before
                    assertMistake(
                            "ayatori apply: process " + jvm.pid() + " has ended meanwhile; see ayatori apply --help",
                            finished);
                }
            }
        }
    }

    private static boolean hasAgent(long pid) {
        return LinuxThread.ofProcess((int) pid).stream().anyMatch(thread -> {
            try {
                return new TaskFiles(thread.id()).comm().equals("ayatori");
            } catch (IOException e) {
                return false; // has ended since
            }
        });
    }

    @Test
    void whatTheAgentRefusesChangesNothing() {
        try (ActorsJvm jvm = plain(25)) {
            assertMistake(
                    "ayatori apply: band 10-12: too narrow for policy mixed, which takes 10 values; "
                            + "see ayatori apply --help",
                    ayatori("apply", "--band", "10-12", jvm.pid()));
            assertEverythingOrdinary(jvm);
            apply(jvm, "static");
            Map<String, SchedulingParameters> before = jvm.levels();
            assertEquals(2, ayatori("apply", "--band", "10-12", jvm.pid()).exit());
            assertEquals(before, jvm.levels());
        }
    }
}
