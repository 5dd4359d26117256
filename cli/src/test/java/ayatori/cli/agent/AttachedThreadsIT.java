package ayatori.cli.agent;

import static org.junit.jupiter.api.Assertions.assertEquals;

import ayatori.sched.SchedulingParameters;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Threads that native code makes and attaches to the JVM for a while. */
class AttachedThreadsIT {
    private static final int OTHER = 0;
    private static final int FIFO = 1;

    @BeforeAll
    static void needs() {
        ActorsJvm.assumeRealTime();
    }

    /** Ends the actor, and waits until its thread has left the JVM. */
    private static void detach(ActorsJvm jvm, String name, int tid) {
        jvm.tell(name, "end", "ends");
        assertEquals(Integer.toString(tid), jvm.awaitAnswer(name));
    }

    @ParameterizedTest
    @ValueSource(ints = {17, 25})
    void theyStandWhereTheLadderSaysWhileTheyAreAttached(int jdk) {
        try (ActorsJvm jvm = ActorsJvm.Launch.of(jdk, "policy=static").start()) {
            jvm.tell("main", "load " + NativeActors.library(), "loaded");
            jvm.tell("main", "attach plain " + OTHER + " 0", "made");
            jvm.awaitAttached("plain");
            ActorsJvm.Born plain = jvm.born("plain");
            assertEquals(
                    SchedulingParameters.roundRobin(10), plain.level(), "priority 5, from its first Java instruction");
            jvm.tell("main", "priority plain 9", "set");
            assertEquals(SchedulingParameters.roundRobin(18), ActorsJvm.level(plain.tid()));
            detach(jvm, "plain", plain.tid());
            assertEquals(SchedulingParameters.other(0), ActorsJvm.level(plain.tid()), "as it came");
            jvm.assertNothingLeftBehind();
            assertEquals("", jvm.end().err());
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {17, 25})
    void thoseWithAPolicyOfTheirOwnKeepItUntilTheirPriorityIsSet(int jdk) {
        try (ActorsJvm jvm = ActorsJvm.Launch.of(jdk, "policy=static").start()) {
            jvm.tell("main", "load " + NativeActors.library(), "loaded");
            jvm.tell("main", "attach kept " + FIFO + " 3", "made");
            jvm.tell("main", "attach moved " + FIFO + " 3", "made");
            jvm.awaitAttached("kept");
            jvm.awaitAttached("moved");
            int kept = jvm.born("kept").tid();
            int moved = jvm.born("moved").tid();
            jvm.tell("kept", "gc", "collected");
            assertEquals(SchedulingParameters.fifo(3), ActorsJvm.level(kept));
            assertEquals(SchedulingParameters.fifo(3), ActorsJvm.level(moved));
            jvm.tell("moved", "priority moved 8", "set");
            assertEquals(SchedulingParameters.roundRobin(16), ActorsJvm.level(moved));
            detach(jvm, "kept", kept);
            detach(jvm, "moved", moved);
            assertEquals(SchedulingParameters.fifo(3), ActorsJvm.level(kept), "untouched");
            assertEquals(SchedulingParameters.fifo(3), ActorsJvm.level(moved), "as it came");
            assertEquals("", jvm.end().err());
        }
    }
}
