package ayatori.cli.agent;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import ayatori.cli.Finished;
import ayatori.cli.Program;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * The agent with AddressSanitizer and UndefinedBehaviorSanitizer in it, in stock JVMs: the unit tests have no JVM, whose
 * structures and tables the agent reads. A finding ends the JVM with a report on standard error. ZGC is not among the
 * collectors: its heap wants the addresses that the sanitizer's shadow has.
 */
class SanitizedAgentIT {
    private static final Path NATIVE = Path.of(System.getProperty("ayatori.root", ".."), "native");
    /** HotSpot has signals of its own; what a JVM never frees is no leak of the agent's. */
    private static final String ASAN_OPTIONS =
            "handle_segv=0:handle_sigbus=0:handle_sigfpe=0:handle_sigill=0:detect_leaks=0:exitcode=99";

    private static String runtime = "";

    @BeforeAll
    static void build() {
        ActorsJvm.assumeRealTime();
        runtime = Program.run(List.of("sh", "-c", "gcc -print-file-name=libasan.so"))
                .out()
                .strip();
        assumeTrue(runtime.startsWith("/"), "no libasan.so of gcc's");
        Finished make = Program.run(
                List.of("make", "-s", "-C", NATIVE.toString(), "JDK=" + System.getProperty("java.home"), "sanitized"));
        assertEquals(0, make.exit(), make.err());
    }

    private static ActorsJvm start(int jdk, String collector, String policy) {
        Path agent = NATIVE.resolve("build/sanitized/libayatori.so").toAbsolutePath();
        return ActorsJvm.Launch.of(jdk, "no agent")
                .by("env", "LD_PRELOAD=" + runtime, "ASAN_OPTIONS=" + ASAN_OPTIONS)
                .with("-agentpath:" + agent + "=policy=" + policy, "-XX:+Use" + collector + "GC")
                .start();
    }

    @ParameterizedTest
    @CsvSource({"17, Serial, mixed", "17, G1, static", "25, Parallel, static", "25, G1, mixed"})
    void nothingIsFoundInAJvm(int jdk, String collector, String policy) {
        try (ActorsJvm jvm = start(jdk, collector, policy)) {
            jvm.tell("main", "load " + NativeActors.library(), "loaded");
            startAndRace(jvm);
            collectBesideCriticalSections(jvm);
            for (int i = 0; i < 5; i++) {
                jvm.tell("main", "attach attached-" + i + " 0 0", "made");
                jvm.awaitAttached("attached-" + i);
                jvm.tell("attached-" + i, "end", "ends");
                jvm.awaitAnswer("attached-" + i);
                jvm.ask("main", "process cat /proc/self/stat");
            }
            jvm.assertNothingLeftBehind();
            assertEquals("", jvm.end().err());
        }
    }

    /** Many births, priorities and ends, of threads that others still move. */
    private static void startAndRace(ActorsJvm jvm) {
        for (int round = 0; round < 10; round++) {
            List<Integer> racing = new ArrayList<>();
            for (int priority = 1; priority <= 10; priority++) {
                jvm.start(priority == 1 ? "main" : "p" + (priority - 1), "p" + priority, priority);
                racing.add(jvm.order("p" + priority, "race p" + priority + " " + round));
            }
            jvm.tell("main", "race p10 1", "raced");
            for (int order : racing) {
                assertEquals("raced", jvm.answer(order));
            }
            for (int priority = 1; priority <= 10; priority++) {
                jvm.tell("p" + priority, "end", "ends");
            }
        }
    }

    private static void collectBesideCriticalSections(ActorsJvm jvm) {
        jvm.start("main", "critical", 2);
        jvm.start("main", "churner", 8);
        int critical = jvm.order("critical", "work-in-critical-sections begun");
        jvm.awaitAnswer("begun");
        int churning = jvm.order("churner", "churn 10000");
        for (int i = 0; i < 5; i++) {
            jvm.tell("main", "gc", "collected");
        }
        assertEquals("churned", jvm.answer(churning));
        jvm.tell("prompter", "stop-native", "stopped");
        assertEquals("returned", jvm.answer(critical));
    }
}
