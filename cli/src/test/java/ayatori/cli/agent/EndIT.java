package ayatori.cli.agent;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import ayatori.cli.Finished;
import ayatori.sched.LinuxThread;
import ayatori.sched.SchedulingParameters;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A JVM ends when it is told to, its shutdown hooks have run, and its exit code is its own, whoever holds the CPUs. */
class EndIT {
    @BeforeAll
    static void needs() {
        ActorsJvm.assumeRealTime();
    }

    private static void assertEnded(ActorsJvm jvm, int exitCode) {
        // First, since the end of standard input would end the JVM too.
        assertEquals("ran", jvm.awaitAnswer("hook"));
        Finished finished = jvm.awaitEnd();
        assertEquals(exitCode, finished.exit(), finished.err());
        assertEquals("", finished.err());
    }

    /** Sends SIGTERM, and gets the CPU for that although spinners may hold them all. */
    private static void terminate(ActorsJvm jvm) {
        ProcessHandle process = ProcessHandle.of(jvm.pid()).orElseThrow();
        LinuxThread self = LinuxThread.current();
        SchedulingParameters before = self.get();
        self.set(SchedulingParameters.roundRobin(30).withResetOnFork(true));
        try {
            assertTrue(process.destroy());
        } finally {
            self.set(before);
        }
    }

    @ParameterizedTest
    @CsvSource({
        "17, 1, static, Serial",
        "25, 1, static, Serial",
        "25, 2, static, Serial",
        "17, 1, mixed, G1",
        "25, 2, mixed, G1",
        "25, 1, static, Z",
        "25, 1, static, Shenandoah"
    })
    void onSigtermWithATopPrioritySpinnerOnEveryCpu(int jdk, int cpus, String policy, String collector) {
        ActorsJvm.Launch launch = ActorsJvm.Launch.of(jdk, "policy=" + policy).with("-XX:+Use" + collector + "GC");
        int spinners = Math.min(cpus, Cpus.count());
        try (ActorsJvm jvm = (spinners == 1 ? launch.onOneCpu() : launch).start()) {
            jvm.tell("main", "hook hook", "hooked");
            for (int i = 0; i < spinners; i++) {
                jvm.start("main", "spinner-" + i, 10);
            }
            for (int i = 0; i < spinners; i++) {
                jvm.order("spinner-" + i, "spin spinning-" + i);
                jvm.awaitAnswer("spinning-" + i);
            }
            terminate(jvm);
            assertEnded(jvm, 143);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {17, 25})
    void onSigtermWithAThreadInCriticalSections(int jdk) {
        try (ActorsJvm jvm = ActorsJvm.Launch.of(jdk, "policy=static")
                .onOneCpu()
                .with("-XX:+UseSerialGC")
                .start()) {
            jvm.tell("main", "load " + NativeActors.library(), "loaded");
            jvm.tell("main", "hook hook", "hooked");
            jvm.start("main", "low", 2);
            jvm.start("main", "middle", 7);
            jvm.start("main", "top", 9);
            jvm.order("low", "spin low-spins");
            jvm.awaitAnswer("low-spins");
            jvm.order("middle", "work-in-critical-sections critical");
            jvm.awaitAnswer("critical");
            jvm.order("top", "churn 100000000");
            jvm.tell("prompter", "gc", "collected");
            terminate(jvm);
            assertEnded(jvm, 143);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {17, 25})
    void onExitByATopThreadWhileAnotherHoldsTheCpu(int jdk) {
        try (ActorsJvm jvm =
                ActorsJvm.Launch.of(jdk, "policy=static").onOneCpu().start()) {
            jvm.tell("main", "hook hook", "hooked");
            jvm.start("main", "top", 9);
            jvm.start("main", "spinner", 7);
            jvm.order("spinner", "spin spinning");
            jvm.awaitAnswer("spinning");
            jvm.order("top", "exit 3");
            assertEnded(jvm, 3);
        }
    }
}
