package ayatori.cli.agent;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A low thread in malloc does not hold up a high one that calls it too, whatever a middle one does on the same CPU. */
class AllocatorIT {
    private static final String SLOW_SIZE = "7777776";

    @BeforeAll
    static void needs() {
        ActorsJvm.assumeRealTime();
    }

    @ParameterizedTest
    @ValueSource(ints = {17, 25})
    void theOwnerOfTheAllocatorsLockIsLetOn(int jdk) {
        try (ActorsJvm jvm = ActorsJvm.Launch.of(jdk, "policy=static")
                .onOneCpu()
                .by("env", "LD_PRELOAD=" + NativeActors.slowAllocator())
                .start()) {
            jvm.start("main", "low", 2);
            jvm.start("main", "middle", 5);
            jvm.start("main", "top", 9);
            int owned = jvm.order("low", "allocate " + SLOW_SIZE);
            jvm.awaitAnswer("inside");
            int spinning = jvm.order("middle", "spin spinning");
            jvm.awaitAnswer("spinning");
            jvm.tell("top", "allocate " + SLOW_SIZE, "allocated");
            assertFalse(jvm.answered(Integer.toString(spinning)), "the middle thread never gave the CPU back");
            jvm.tell("prompter", "stop middle", "stopped");
            assertEquals("allocated", jvm.answer(owned));
            jvm.assertNothingLeftBehind();
            assertEquals("", jvm.end().err());
        }
    }
}
