package ayatori.cli.agent;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import ayatori.sched.PriorityLadder;
import ayatori.sched.SchedulingParameters;
import java.util.Set;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A low thread that has to reach a safepoint reaches it, whatever a middle one does on the same CPU. In each test the middle
 * thread does not give the CPU back before it is told to, and it is told to only after what is tested has happened.
 */
class SafepointIT {
    private static final Set<String> CONCURRENT = Set.of("Shenandoah", "Z");
    private static final SchedulingParameters LAGGARD =
            SchedulingParameters.roundRobin(PriorityLadder.Rung.LAGGARD.realTimeValue());

    @BeforeAll
    static void needs() {
        ActorsJvm.assumeRealTime();
    }

    private static ActorsJvm start(int jdk, String collector) {
        return ActorsJvm.Launch.of(jdk, "policy=static")
                .onOneCpu()
                .with("-XX:+Use" + collector + "GC")
                .start();
    }

    /** A low thread in Java code that a middle one in native code keeps from the one CPU, and a top one. */
    private static final class Inversion implements AutoCloseable {
        private final ActorsJvm jvm;
        private final int low;
        private final int spinning;
        private final int working;

        Inversion(int jdk, String collector) {
            jvm = SafepointIT.start(jdk, collector);
            jvm.tell("main", "load " + NativeActors.library(), "loaded");
            jvm.start("main", "low", 2);
            jvm.start("main", "middle", 5);
            jvm.start("main", "top", 9);
            low = jvm.born("low").tid();
            spinning = jvm.order("low", "spin spinning");
            jvm.awaitAnswer("spinning");
            working = jvm.order("middle", "work-in-native working");
            jvm.awaitAnswer("working");
        }

        /** Both are at it still, and nothing has been left behind. */
        void end() {
            assertFalse(jvm.answered(Integer.toString(working)), "the middle thread is still in native code");
            assertFalse(jvm.answered(Integer.toString(spinning)), "the low one is still in Java code");
            // Not at once: a concurrent collector goes on after System.gc() has returned, and asks for handshakes.
            Waiting.until(
                    () -> "the low thread at " + ActorsJvm.level(low) + ", to be put back once it was there",
                    () -> ActorsJvm.level(low).equals(SchedulingParameters.roundRobin(4)));
            jvm.tell("prompter", "stop-native", "stopped");
            jvm.tell("prompter", "stop low", "stopped");
            assertEquals("returned", jvm.answer(working));
            jvm.assertNothingLeftBehind();
            assertEquals("", jvm.end().err());
        }

        @Override
        public void close() {
            jvm.close();
        }
    }

    @ParameterizedTest
    @CsvSource({
        "17, Serial",
        "17, G1",
        "17, Shenandoah",
        "25, Serial",
        "25, Parallel",
        "25, G1",
        "25, Z",
        "25, Shenandoah"
    })
    void aMiddleThreadInNativeCodeDoesNotHoldACollectionUp(int jdk, String collector) {
        try (Inversion inversion = new Inversion(jdk, collector)) {
            for (int i = 0; i < 10; i++) {
                inversion.jvm.tell("top", "gc", "collected");
            }
            // Somebody has to look meanwhile, and long enough: a concurrent collector's pauses are too short for that.
            if (Cpus.count() > 1 && !CONCURRENT.contains(collector)) {
                awaitRaised(inversion.jvm, inversion.low);
            }
            inversion.end();
        }
    }

    /** A handshake with the low thread alone, which the top one asks for: no safepoint, and no VM Thread waits. */
    @ParameterizedTest
    @ValueSource(ints = {17, 25})
    void aMiddleThreadInNativeCodeDoesNotHoldAHandshakeUp(int jdk) {
        try (Inversion inversion = new Inversion(jdk, "Serial")) {
            for (int i = 0; i < 10; i++) {
                inversion.jvm.tell("top", "where low", "spin");
            }
            inversion.end();
        }
    }

    /** One collection after the other, until one was seen to raise the thread. */
    private static void awaitRaised(ActorsJvm jvm, int low) {
        boolean[] seen = new boolean[1];
        Waiting.until(() -> "the low thread at " + LAGGARD, () -> {
            int collection = jvm.order("top", "gc");
            while (!seen[0] && !jvm.answered(Integer.toString(collection))) {
                for (int i = 0; i < 200 && !seen[0]; i++) { // a turn is short, and to look for an answer takes long
                    seen[0] = ActorsJvm.level(low).equals(LAGGARD);
                }
            }
            return seen[0] && jvm.answer(collection).equals("collected");
        });
    }

    @ParameterizedTest
    @ValueSource(ints = {17, 25})
    void aThreadInCriticalSectionsDoesNotHoldACollectionUp(int jdk) {
        try (ActorsJvm jvm = start(jdk, "Serial")) {
            jvm.tell("main", "load " + NativeActors.library(), "loaded");
            jvm.start("main", "low", 2);
            jvm.start("main", "middle", 7);
            jvm.start("main", "top", 9);
            int critical = jvm.order("low", "work-in-critical-sections critical");
            jvm.awaitAnswer("critical");
            int spinning = jvm.order("middle", "spin spinning");
            jvm.awaitAnswer("spinning");
            // Serial does not collect while the low thread is in a critical section, where the middle one keeps it.
            jvm.tell("top", "gc", "collected");
            jvm.tell("top", "churn 20000", "churned");
            assertFalse(jvm.answered(Integer.toString(spinning)), "the middle thread never gave the CPU back");
            assertFalse(jvm.answered(Integer.toString(critical)));
            jvm.tell("prompter", "stop-native", "stopped");
            jvm.tell("prompter", "stop middle", "stopped");
            assertEquals("returned", jvm.answer(critical));
            jvm.assertNothingLeftBehind();
            assertEquals("", jvm.end().err());
        }
    }

    /** Five priorities on one CPU, and safepoints all the time. */
    @ParameterizedTest
    @ValueSource(ints = {17, 25})
    void nothingIsOwedAfterALoadOfCollections(int jdk) {
        try (ActorsJvm jvm = start(jdk, "G1")) {
            int[] churning = new int[5];
            for (int i = 0; i < churning.length; i++) {
                jvm.start("main", "churner-" + i, 2 * i + 1);
            }
            for (int i = 0; i < churning.length; i++) {
                churning[i] = jvm.order("churner-" + i, "churn 10000");
            }
            for (int i = 0; i < 10; i++) {
                jvm.tell("main", "gc", "collected");
            }
            for (int order : churning) {
                assertEquals("churned", jvm.answer(order));
            }
            jvm.assertNothingLeftBehind();
            assertEquals("", jvm.end().err());
        }
    }
}
