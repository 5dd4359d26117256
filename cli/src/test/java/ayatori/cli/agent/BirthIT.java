package ayatori.cli.agent;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import ayatori.sched.PriorityLadder;
import ayatori.sched.SchedulingParameters;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A thread runs at its own priority from its first instruction; a process begins as the JVM was launched. */
class BirthIT {
    @BeforeAll
    static void needs() {
        ActorsJvm.assumeRealTime();
    }

    private static SchedulingParameters level(String policy, int priority) {
        return PriorityLadder.of(policy.equals("static") ? PriorityLadder.Policy.STATIC : PriorityLadder.Policy.MIXED)
                .forJavaPriority(priority)
                .orElseThrow()
                .withResetOnFork(false);
    }

    @ParameterizedTest
    @CsvSource({"17, static", "17, mixed", "25, static", "25, mixed"})
    void childrenOfARealTimeParentOnAFullCpu(int jdk, String policy) {
        try (ActorsJvm jvm =
                ActorsJvm.Launch.of(jdk, "policy=" + policy).onOneCpu().start()) {
            jvm.start("main", "parent", 10);
            jvm.start("main", "spinner", 7);
            int spinning = jvm.order("spinner", "spin spinning");
            jvm.awaitAnswer("spinning");
            jvm.start("parent", "child-9", 9);
            jvm.start("parent", "child-10", 10);
            jvm.start("parent", "child-2", 2);
            assertEquals(level(policy, 9), jvm.born("child-9").level());
            assertEquals(level(policy, 10), jvm.born("child-10").level());
            // Not named by its born: it has to wait for the CPU, as it should.
            assertEquals(level(policy, 2), ActorsJvm.level(jvm.tid("child-2")), "kept nothing of its parent's");
            jvm.start("child-9", "grandchild", 8);
            assertEquals(level(policy, 8), jvm.born("grandchild").level());
            assertFalse(jvm.answered(Integer.toString(spinning)), "all that while the CPU was full");
            jvm.tell("prompter", "stop spinner", "stopped");
            assertEquals(level(policy, 2), jvm.born("child-2").level());
            assertFalse(jvm.answer(spinning).isEmpty());
            jvm.start("child-2", "grandchild-9", 9);
            assertEquals(level(policy, 9), jvm.born("grandchild-9").level());
            jvm.assertNothingLeftBehind();
            assertEquals("", jvm.end().err());
        }
    }

    private static ActorsJvm.Launch launchedBy(ActorsJvm.Launch launch, String before) {
        List<String> words = new ArrayList<>(Arrays.asList(before.split(" ")));
        words.remove("");
        return launch.by(words.toArray(String[]::new));
    }

    @ParameterizedTest
    @CsvSource({
        "17, POSIX_SPAWN, '', OTHER",
        "17, POSIX_SPAWN, nice -n 5, OTHER nice 5",
        "17, VFORK, nice -n 5, OTHER nice 5",
        "17, VFORK, chrt -r 3, RR 3",
        "17, FORK, '', OTHER",
        "17, FORK, chrt -r 3, RR 3",
        "25, POSIX_SPAWN, '', OTHER",
        "25, POSIX_SPAWN, chrt -r 3, RR 3",
        "25, VFORK, '', OTHER",
        "25, FORK, nice -n 5, OTHER nice 5",
    })
    void processesBeginAsTheJvmWasLaunched(int jdk, String mechanism, String before, String launched) {
        ActorsJvm.Launch launch =
                ActorsJvm.Launch.of(jdk, "policy=mixed").with("-Djdk.lang.Process.launchMechanism=" + mechanism);
        try (ActorsJvm jvm = launchedBy(launch, before).start()) {
            for (int priority : new int[] {1, 5, 6, 10}) {
                String parent = "p" + priority;
                jvm.start("main", parent, priority);
                assertEquals(
                        SchedulingParameters.parse(launched),
                        ActorsJvm.Born.of(jvm.ask(parent, "process cat /proc/self/stat"))
                                .level(),
                        "child of " + parent);
            }
            jvm.end();
        }
    }
}
