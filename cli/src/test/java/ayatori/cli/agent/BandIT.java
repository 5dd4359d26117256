package ayatori.cli.agent;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import ayatori.sched.SchedulingParameters;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** All real-time threads of a JVM stand within its band, so that several JVMs can be ranked. */
class BandIT {
    @BeforeAll
    static void needs() {
        ActorsJvm.assumeRealTime();
    }

    @ParameterizedTest
    @CsvSource({
        "17, 'policy=static,band=10-29', 15, 16, 29",
        "25, 'policy=static,band=20-44', 21, 23, 44",
        "25, 'policy=mixed,band=10-29', 0, 0, 29"
    })
    void everyThreadStandsWithinTheBand(int jdk, String options, int lowest, int second, int vmThread) {
        String band = options.substring(options.indexOf("band=") + 5);
        int low = Integer.parseInt(band.substring(0, 2));
        int high = Integer.parseInt(band.substring(3));
        try (ActorsJvm jvm = ActorsJvm.Launch.of(jdk, options).start()) {
            for (int priority = 1; priority <= 10; priority++) {
                jvm.start("main", "p" + priority, priority);
            }
            if (lowest > 0) {
                assertEquals(
                        SchedulingParameters.roundRobin(lowest), jvm.born("p1").level());
                assertEquals(
                        SchedulingParameters.roundRobin(second), jvm.born("p2").level());
            } else {
                assertEquals(SchedulingParameters.other(4), jvm.born("p1").level());
            }
            assertEquals(
                    SchedulingParameters.roundRobin(high - 5), jvm.born("p10").level());
            assertEquals(SchedulingParameters.roundRobin(vmThread), ActorsJvm.level(jvm.tid("VM Thread")));
            jvm.tell("p10", "gc", "collected");
            jvm.levels()
                    .forEach((thread, level) -> assertTrue(
                            !level.policy().isRealTime()
                                    || (level.staticPriority() >= low && level.staticPriority() <= high),
                            thread + " is at " + level));
            jvm.assertNothingLeftBehind();
            assertEquals("", jvm.end().err());
        }
    }

    /** On one CPU, the lowest thread of the higher JVM keeps the highest of the lower one from it. */
    @Test
    void aHigherBandComesFirst() {
        try (ActorsJvm upper = ActorsJvm.Launch.of(25, "policy=static,band=20-44")
                        .onOneCpu()
                        .start();
                ActorsJvm lower = ActorsJvm.Launch.of(17, "policy=static,band=1-19")
                        .onOneCpu()
                        .start()) {
            upper.start("main", "low", 1);
            lower.start("main", "high", 10);
            int spinning = upper.order("low", "spin spinning");
            upper.awaitAnswer("spinning");
            int computing = lower.order("high", "compute 1");
            upper.tell("main", "compute 20", "computed");
            assertTrue(!lower.answered(Integer.toString(computing)), "the lower JVM got the CPU");
            upper.tell("prompter", "stop low", "stopped");
            upper.answer(spinning);
            assertEquals("computed", lower.answer(computing));
            assertEquals("", upper.end().err());
            assertEquals("", lower.end().err());
        }
    }
}
