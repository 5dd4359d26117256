package ayatori.cli.agent;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import ayatori.cli.Archive;
import ayatori.cli.Finished;
import ayatori.cli.Program;
import ayatori.sched.SchedulingParameters;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Real-time threads that take a whole CPU for too long are put back, and others never are. */
class RunawayIT {
    @BeforeAll
    static void needs() {
        ActorsJvm.assumeRealTime();
    }

    @ParameterizedTest
    @CsvSource({"17, static", "25, static", "25, mixed"})
    void aThreadThatLoopsForEverBecomesAnOrdinaryOne(int jdk, String policy) {
        try (ActorsJvm jvm = ActorsJvm.Launch.of(jdk, "policy=" + policy + ",runaway-limit=1")
                .onOneCpu()
                .start()) {
            jvm.start("main", "looper", 10);
            jvm.start("main", "bystander", 8);
            int looper = jvm.born("looper").tid();
            int bystander = jvm.born("bystander").tid();
            int looping = jvm.order("looper", "spin looping");
            jvm.awaitAnswer("looping");
            assertEquals(SchedulingParameters.roundRobin(20), ActorsJvm.level(looper));
            Waiting.until(
                    () -> "the looper is at " + ActorsJvm.level(looper),
                    () -> ActorsJvm.level(looper).equals(SchedulingParameters.other(0)));
            assertEquals(SchedulingParameters.other(0), ActorsJvm.level(bystander));
            // The JVM's own threads stay where they are, and what is born later is an ordinary thread too.
            assertEquals(SchedulingParameters.roundRobin(25), ActorsJvm.level(jvm.tid("VM Thread")));
            jvm.start("bystander", "late", 10);
            assertEquals(SchedulingParameters.other(0), jvm.born("late").level());
            jvm.tell("bystander", "priority late 9", "set");
            assertEquals(
                    SchedulingParameters.other(0),
                    ActorsJvm.level(jvm.born("late").tid()));
            Finished ps = Program.run(List.of(Archive.command(), "ps", Long.toString(jvm.pid())));
            assertTrue(ps.out().contains("real-time threads ran away"), ps.out());
            assertFalse(jvm.answered(Integer.toString(looping)), "it loops on");
            jvm.tell("prompter", "stop looper", "stopped");
            jvm.answer(looping);
            jvm.assertNothingLeftBehind();
            String err = jvm.end().err();
            assertTrue(
                    err.matches("ayatori: runaway guard: real-time threads took CPU \\d+ for 1 s, thread " + looper
                            + " \"looper\" at RR 20 above all; all Java threads are ordinary ones from here on; .*\n"),
                    err);
        }
    }

    /** Two that share one CPU: neither takes it whole. */
    @Test
    void whatTwoTakeBetweenThemCountsAsWell() {
        try (ActorsJvm jvm = ActorsJvm.Launch.of(25, "policy=static,runaway-limit=1")
                .onOneCpu()
                .start()) {
            jvm.start("main", "one", 9);
            jvm.start("main", "other", 9);
            int one = jvm.born("one").tid();
            int other = jvm.born("other").tid();
            jvm.order("one", "spin one-loops");
            jvm.order("other", "spin other-loops");
            Waiting.until(
                    () -> "one is at " + ActorsJvm.level(one) + ", the other at " + ActorsJvm.level(other),
                    () -> ActorsJvm.level(one).equals(SchedulingParameters.other(0))
                            && ActorsJvm.level(other).equals(SchedulingParameters.other(0)));
            jvm.tell("prompter", "stop one", "stopped");
            jvm.tell("prompter", "stop other", "stopped");
            assertEquals(1, jvm.end().err().lines().count());
        }
    }

    /** An ordinary thread may have a CPU for as long as it likes, and a real-time one that sleeps now and then too. */
    @Test
    void nobodyElseIsPutBack() {
        try (ActorsJvm jvm = ActorsJvm.Launch.of(25, "policy=mixed,runaway-limit=1")
                .onOneCpu()
                .start()) {
            jvm.start("main", "ordinary", 5);
            jvm.start("main", "high", 9);
            int high = jvm.born("high").tid();
            int spinning = jvm.order("ordinary", "spin spinning");
            jvm.awaitAnswer("spinning");
            // Fifteen turns of 100 ms each, with an answer to this process between two: more than the limit.
            for (int i = 0; i < 15; i++) {
                jvm.tell("high", "compute 100", "computed");
                assertEquals(SchedulingParameters.roundRobin(18), ActorsJvm.level(high));
                jvm.tell("high", "rest 40", "rested");
            }
            assertFalse(jvm.answered(Integer.toString(spinning)));
            jvm.tell("prompter", "stop ordinary", "stopped");
            assertEquals("", jvm.end().err());
        }
    }
}
