package ayatori.cli.agent;

import static org.junit.jupiter.api.Assertions.assertEquals;

import ayatori.sched.PriorityLadder;
import ayatori.sched.PriorityLadder.Policy;
import ayatori.sched.PriorityLadder.Values;
import ayatori.sched.SchedulingParameters;
import ayatori.sched.SchedulingPolicy;
import java.util.Map;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Each Java priority stands where the ladder says, from the start and wherever the program moves it. */
class LadderIT {
    @BeforeAll
    static void needs() {
        ActorsJvm.assumeRealTime();
    }

    private static PriorityLadder ladder(String options) {
        String policy = options.replaceAll("policy=([a-z]+).*", "$1");
        PriorityLadder ladder = PriorityLadder.of(Policy.valueOf(policy.toUpperCase(java.util.Locale.ROOT)))
                .withValues(options.contains("values=paper") ? Values.PAPER : Values.LADDER);
        return options.contains("rt=fifo") ? ladder.withRealTime(SchedulingPolicy.FIFO) : ladder;
    }

    private static SchedulingParameters level(String options, int priority) {
        return ladder(options)
                .forJavaPriority(priority)
                .map(level -> level.withResetOnFork(false))
                .orElse(SchedulingParameters.other(0));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            value = {
                "17; policy=none",
                "17; policy=nice",
                "17; policy=static",
                "17; policy=mixed,values=paper",
                "17; policy=static,rt=fifo,values=paper",
                "25; policy=none",
                "25; policy=nice",
                "25; policy=static,rt=fifo",
                "25; policy=mixed",
                "25; policy=static,values=paper",
                "25; policy=mixed,rt=fifo"
            })
    void everyPriorityStandsAtItsLevel(int jdk, String options) {
        try (ActorsJvm jvm = ActorsJvm.Launch.of(jdk, options).start()) {
            assertEquals(level(options, 5), ActorsJvm.level(jvm.born("main").tid()), "main, there before VMInit");
            for (int priority = 1; priority <= 10; priority++) {
                String name = "p" + priority;
                jvm.start("main", name, priority);
                ActorsJvm.Born born = jvm.born(name);
                assertEquals(level(options, priority), born.level(), name + " at its first instruction");
                assertEquals(level(options, priority), ActorsJvm.level(born.tid()), name + " from outside");
            }
            moveByItselfAndByOthers(jvm, options);
            race(jvm, options);
            jvm.assertNothingLeftBehind();
            assertEquals("", jvm.end().err());
        }
    }

    private static void moveByItselfAndByOthers(ActorsJvm jvm, String options) {
        int tid = jvm.born("p4").tid();
        for (int priority : new int[] {9, 2, 5, 10, 6, 1}) {
            jvm.tell("p4", "priority p4 " + priority, "set");
            assertEquals(level(options, priority), ActorsJvm.level(tid), "by itself to " + priority);
            jvm.tell("p5", "priority p4 " + (11 - priority), "set");
            assertEquals(level(options, 11 - priority), ActorsJvm.level(tid), "by another to " + (11 - priority));
        }
    }

    /** The last value that Java has is the one that the kernel has. */
    private static void race(ActorsJvm jvm, String options) {
        int tid = jvm.born("p3").tid();
        for (int seed = 1; seed <= 5; seed++) {
            int first = jvm.order("p1", "race p3 " + seed);
            int second = jvm.order("p7", "race p3 " + 10 * seed);
            int third = jvm.order("p3", "race p3 " + 100 * seed);
            jvm.tell("main", "race p3 " + 1000 * seed, "raced");
            assertEquals("raced", jvm.answer(first));
            assertEquals("raced", jvm.answer(second));
            assertEquals("raced", jvm.answer(third));
            int priority = Integer.parseInt(jvm.ask("main", "priority-of p3"));
            assertEquals(level(options, priority), ActorsJvm.level(tid), "after race " + seed);
        }
    }

    /** priority_ladder.h and ladder.c: those above NORM_PRIORITY stay with the ordinary threads under `mixed`. */
    @ParameterizedTest
    @CsvSource({"17, static", "17, mixed", "25, static", "25, mixed"})
    void systemThreadsStandWhereTheLadderSays(int jdk, String policy) {
        boolean isStatic = policy.equals("static");
        try (ActorsJvm jvm = ActorsJvm.Launch.of(jdk, "policy=" + policy).start()) {
            jvm.ask("main", "process cat /proc/self/stat"); // brings the process reaper
            // Service Thread is 9 and Notification Thread is 9: HotSpot's NearMaxPriority.
            Map<String, Integer> priorities =
                    Map.of("Reference Handler", 10, "Finalizer", 8, "Common-Cleaner", 8, "process reaper", 10);
            priorities.forEach((name, priority) -> {
                SchedulingParameters expected =
                        isStatic ? level("policy=static", priority) : SchedulingParameters.other(0);
                String comm = name.substring(0, Math.min(15, name.length())) + " ";
                var found = jvm.levels();
                assertEquals(
                        expected,
                        found.entrySet().stream()
                                .filter(thread -> thread.getKey().startsWith(comm))
                                .map(Map.Entry::getValue)
                                .findFirst()
                                .orElse(null),
                        name + " in " + found);
            });
            SchedulingParameters laggard = SchedulingParameters.roundRobin(PriorityLadder.Rung.LAGGARD.realTimeValue());
            assertEquals(laggard, ActorsJvm.level(jvm.tid("Signal Dispatcher")), "brings signals, SIGTERM too");
            assertEquals("", jvm.end().err());
        }
    }
}
