package ayatori.sched;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Holds PriorityLadder and native/include/priority_ladder.h together. */
class PriorityLadderTwinTest {
    private static final Pattern CONSTANT = Pattern.compile("#define (LADDER_\\w+) (-?\\d+)(?:\\s+/\\*.*)?");

    private static final Map<String, Integer> HEADER = new TreeMap<>();

    @BeforeAll
    static void parse() throws IOException {
        Path header = Path.of(System.getProperty("ayatori.root", ".."), "native", "include", "priority_ladder.h");
        for (String line : Files.readAllLines(header)) {
            if (line.startsWith("#define LADDER_")) {
                Matcher constant = CONSTANT.matcher(line);
                assertTrue(constant.matches(), "not a plain integer on one line: " + line);
                HEADER.put(constant.group(1), Integer.valueOf(constant.group(2)));
            }
        }
    }

    @Test
    void everyConstantIsTheSame() {
        Map<String, Integer> java = new TreeMap<>();
        java.put("LADDER_MIN_JAVA_PRIORITY", PriorityLadder.MIN_JAVA_PRIORITY);
        java.put("LADDER_NORM_JAVA_PRIORITY", PriorityLadder.NORM_JAVA_PRIORITY);
        java.put("LADDER_MAX_JAVA_PRIORITY", PriorityLadder.MAX_JAVA_PRIORITY);
        java.put("LADDER_RT_STEP", PriorityLadder.RT_STEP);
        java.put("LADDER_RT_CAP", PriorityLadder.RT_CAP);
        for (PriorityLadder.Rung rung : PriorityLadder.Rung.values()) {
            java.put("LADDER_RT_" + rung, rung.realTimeValue());
        }
        PriorityLadder nice = PriorityLadder.of(PriorityLadder.Policy.NICE);
        for (int p = 1; p <= 10; p++) {
            java.put("LADDER_NICE_" + p, nice.forJavaPriority(p).orElseThrow().nice());
        }
        assertEquals(HEADER, java);
    }

    @Test
    void tablesFollowFromTheHeader() {
        for (int p = header("MIN_JAVA_PRIORITY"); p <= header("MAX_JAVA_PRIORITY"); p++) {
            SchedulingParameters nice = SchedulingParameters.other(header("NICE_" + p));
            SchedulingParameters static_ =
                    SchedulingParameters.roundRobin(p * header("RT_STEP")).withResetOnFork(true);
            assertLevel(Optional.empty(), PriorityLadder.Policy.NONE, p);
            assertLevel(Optional.of(nice), PriorityLadder.Policy.NICE, p);
            assertLevel(Optional.of(static_), PriorityLadder.Policy.STATIC, p);
            assertLevel(Optional.of(p > header("NORM_JAVA_PRIORITY") ? static_ : nice), PriorityLadder.Policy.MIXED, p);
        }
    }

    @Test
    void rungsStandAboveEveryJavaPriorityAndBelowTheCap() {
        PriorityLadder ladder = PriorityLadder.of(PriorityLadder.Policy.MIXED);
        int below = ladder.forJavaPriority(10).orElseThrow().rank();
        for (PriorityLadder.Rung rung : PriorityLadder.Rung.values()) {
            int rank = ladder.forRung(rung).orElseThrow().rank();
            assertTrue(rank > below, rung + " has rank " + rank + ", the one below " + below);
            below = rank;
        }
        assertTrue(below <= 100 + header("RT_CAP"), "the highest rung is above the cap");
    }

    private static int header(String name) {
        return Optional.ofNullable(HEADER.get("LADDER_" + name)).orElseThrow(() -> new AssertionError(name));
    }

    private static void assertLevel(Optional<SchedulingParameters> expected, PriorityLadder.Policy policy, int p) {
        assertEquals(expected, PriorityLadder.of(policy).forJavaPriority(p), policy + ", priority " + p);
    }
}
