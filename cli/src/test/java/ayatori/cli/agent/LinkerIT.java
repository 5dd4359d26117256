package ayatori.cli.agent;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A low thread in the dynamic linker, which has one lock for the process, does not hold up a high one that calls a native
 * method for the first time, whatever a middle one does on the same CPU.
 */
class LinkerIT {
    @BeforeAll
    static void needs() {
        ActorsJvm.assumeRealTime();
    }

    @ParameterizedTest
    @ValueSource(ints = {17, 25})
    void theOwnerOfTheLinkersLockIsLetOn(int jdk) {
        try (ActorsJvm jvm =
                ActorsJvm.Launch.of(jdk, "policy=static").onOneCpu().start()) {
            jvm.start("main", "low", 2);
            jvm.start("main", "middle", 5);
            jvm.start("main", "top", 9);
            int loading = jvm.order("low", "load " + NativeActors.slowLibrary());
            jvm.awaitAnswer("inside");
            int spinning = jvm.order("middle", "spin spinning");
            jvm.awaitAnswer("spinning");
            jvm.tell("top", "gc", "collected"); // a native method of the JDK's that nobody has called yet
            assertFalse(jvm.answered(Integer.toString(spinning)), "the middle thread never gave the CPU back");
            jvm.tell("prompter", "stop middle", "stopped");
            assertEquals("loaded", jvm.answer(loading));
            jvm.assertNothingLeftBehind();
            assertEquals("", jvm.end().err());
        }
    }
}
