package jpi.internal.launch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import jpi.internal.launch.StartedRun.Result;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** Whole runs under the agent, whose ranks have real-time priorities: one at a time, since what runs beside them would starve. */
@Execution(ExecutionMode.SAME_THREAD)
class RankPriorityIT extends JRunCase {
    /** On one CPU a rank of priority 9 waits for one of 2 while one of 5 computes, until the first has got its message. */
    @Test
    void aRankLendsItsPriorityToTheOneThatItWaitsFor() throws Exception {
        Path agent = Path.of(Objects.requireNonNull(System.getProperty("ayatori.agent")));
        List<String> java = List.of("taskset", "-c", "0", JAVA.toString(), "-Dayatori.agent=" + agent, "-ea");
        try (StartedRun run =
                start(java, "-policy", "static", "-nt", "3", "-J-XX:+UseSerialGC", name(Programs.Inversion.class))) {
            Result result = run.end();
            assertEquals(0, result.exit(), result::err);
            assertEquals(List.of("got it", "seen"), result.lines());
        }
    }

    /** Who waits for a message of another JVM lends its priority to the rank that is about to take it in, and has lost its CPU. */
    @Test
    void aRankThatTakesMessagesInForOthersIsHelped() throws Exception {
        Path agent = Path.of(Objects.requireNonNull(System.getProperty("ayatori.agent")));
        List<String> java = List.of("taskset", "-c", "0", JAVA.toString(), "-Dayatori.agent=" + agent, "-ea");
        try (StartedRun run = start(
                java,
                "-policy",
                "static",
                "-nt",
                "5",
                "-np",
                "2",
                "-J-XX:+UseSerialGC",
                name(Programs.TakesIn.class))) {
            Result result = run.end();
            assertEquals("", result.err());
            assertEquals("all came", result.out().strip());
            assertEquals(0, result.exit());
        }
    }

    /** Who loads a class holds monitors, and those lend nothing: under priorities ranks load none of ours. */
    @Test
    void underPrioritiesRanksLoadNoClassOfTheEngine() throws Exception {
        String agent = Objects.requireNonNull(System.getProperty("ayatori.agent"));
        List<String> java = List.of(JAVA.toString(), "-Dayatori.agent=" + agent);
        try (StartedRun run =
                start(java, "-policy", "static", "-nt", "2", "-J-Xlog:class+load", name(Programs.Begins.class))) {
            Result result = run.end();
            assertEquals(0, result.exit(), result::err);
            List<String> lines = result.out().lines().toList();
            int begun = lines.indexOf("begun");
            assertTrue(lines.subList(0, begun).stream().anyMatch(RankPriorityIT::isLoadedFromOurJar));
            assertEquals(
                    List.of(),
                    lines.subList(begun, lines.size()).stream()
                            .filter(RankPriorityIT::isLoadedFromOurJar)
                            .toList());
        }
    }

    private static boolean isLoadedFromOurJar(String line) {
        return line.matches(".*] (jpi|ayatori)[.](?!internal[.]launch).* source: .*[.]jar");
    }
}
