package ayatori.cli.agent;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import ayatori.cli.Finished;
import ayatori.sched.SchedulingParameters;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Who wins where the user has given HotSpot's own switches too. */
class PrecedenceIT {
    @BeforeAll
    static void needs() {
        ActorsJvm.assumeRealTime();
    }

    @ParameterizedTest
    @ValueSource(ints = {17, 25})
    void prioritiesThatAreSwitchedOffStayOffAndThatIsSaid(int jdk) {
        try (ActorsJvm jvm = ActorsJvm.Launch.of(jdk, "policy=static")
                .with("-XX:-UseThreadPriorities")
                .start()) {
            jvm.start("main", "high", 10);
            jvm.start("high", "low", 1);
            jvm.tell("high", "priority low 9", "set");
            jvm.born("low");
            jvm.levels()
                    .forEach((thread, level) ->
                            assertEquals(SchedulingParameters.other(0), level, thread + " in " + jvm.levels()));
            String err = jvm.end().err();
            assertEquals(1, err.lines().count(), err);
            assertTrue(err.startsWith("ayatori: policy static is not applied: -XX:-UseThreadPriorities "), err);
        }
    }

    @Test
    void strictDoesNotStartAProgramWhosePrioritiesAreSwitchedOff() {
        Finished finished = ActorsJvm.Launch.of(17, "policy=nice,strict")
                .with("-XX:-UseThreadPriorities")
                .run("Actors");
        assertEquals(2, finished.exit(), finished.err());
        assertEquals("", finished.out());
        assertEquals(
                "ayatori: policy nice is not applied: -XX:-UseThreadPriorities switches priorities off for this JVM;"
                        + " not started, as strict asks\n",
                finished.err());
    }

    @ParameterizedTest
    @CsvSource({"17, 0", "17, 1", "25, 0", "25, 1"})
    void theAgentWinsOverThreadPriorityPolicy(int jdk, int hotSpotPolicy) {
        try (ActorsJvm jvm = ActorsJvm.Launch.of(jdk, "policy=mixed")
                .with("-XX:ThreadPriorityPolicy=" + hotSpotPolicy)
                .start()) {
            jvm.start("main", "high", 10);
            jvm.start("high", "low", 3);
            assertEquals(
                    SchedulingParameters.roundRobin(20),
                    ActorsJvm.level(jvm.born("high").tid()));
            int low = jvm.born("low").tid();
            assertEquals(SchedulingParameters.other(2), ActorsJvm.level(low));
            jvm.tell("high", "priority low 8", "set");
            assertEquals(SchedulingParameters.roundRobin(16), ActorsJvm.level(low));
            jvm.tell("low", "priority low 2", "set");
            assertEquals(SchedulingParameters.other(3), ActorsJvm.level(low));
            jvm.assertNothingLeftBehind();
            assertEquals("", jvm.end().err());
        }
    }

    /** By name, without the ids, and without the agent's own thread. */
    private static Map<String, SchedulingParameters> byName(ActorsJvm jvm) {
        Map<String, SchedulingParameters> byName = new TreeMap<>();
        jvm.levels().forEach((thread, level) -> byName.put(thread.replaceAll(" \\d+$", ""), level));
        byName.remove("ayatori");
        return byName;
    }

    private static Map<String, SchedulingParameters> scene(ActorsJvm.Launch launch) {
        try (ActorsJvm jvm = launch.start()) {
            for (int priority = 1; priority <= 10; priority++) {
                jvm.start("main", "p" + priority, priority);
                jvm.born("p" + priority);
            }
            jvm.start("p10", "moved", 3);
            jvm.tell("main", "priority moved 8", "set");
            jvm.tell("moved", "priority moved 7", "set");
            Map<String, SchedulingParameters> levels = byName(jvm);
            assertEquals("", jvm.end().err());
            return levels;
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {17, 25})
    void noneLeavesHotSpotsOwnNiceValuesAlone(int jdk) {
        String[] arguments = {"-XX:+UseSerialGC", "-XX:ThreadPriorityPolicy=1", "-XX:-UseDynamicNumberOfCompilerThreads"
        };
        Map<String, SchedulingParameters> without =
                scene(ActorsJvm.Launch.of(jdk, "no agent").with(arguments));
        Map<String, SchedulingParameters> with =
                scene(ActorsJvm.Launch.of(jdk, "policy=none").with(arguments));
        assertEquals(SchedulingParameters.other(-2), without.get("moved"));
        assertEquals(without, with);
    }
}
