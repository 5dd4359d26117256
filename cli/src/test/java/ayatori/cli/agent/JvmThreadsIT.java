package ayatori.cli.agent;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import ayatori.cli.Finished;
import ayatori.cli.LedgerReading;
import ayatori.cli.Program;
import ayatori.cli.TargetJvm;
import ayatori.sched.SchedulingParameters;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The JVM's own threads stand on the ladder's rungs, those that come later too, and before any Java thread is real-time. */
class JvmThreadsIT {
    /** What HotSpot's threads call themselves, and the rung of priority_ladder.h where each belongs. */
    private static final Map<Pattern, Integer> RUNGS = rungs();

    @BeforeAll
    static void needs() {
        ActorsJvm.assumeRealTime();
    }

    private static Map<Pattern, Integer> rungs() {
        Map<Pattern, Integer> rungs = new LinkedHashMap<>();
        rungs.put(Pattern.compile("VM Thread \\d+"), 25);
        rungs.put(Pattern.compile("(GC Thread#|RuntimeWorker|Safepoint Clean).*"), 24);
        rungs.put(Pattern.compile("(G1 |Z[DWSU]|XD|XW|Shenandoah|ShenControl).*"), 22);
        rungs.put(Pattern.compile("(C1 Compiler|C2 Compiler|Sweeper thread).*"), 21);
        rungs.put(Pattern.compile("(VM Periodic Tas|Signal Dispatch|Monitor Deflati|ayatori) \\d+"), 23);
        return rungs;
    }

    /** What is wrong with where the threads stand, under `static`, where even Java's system threads are real-time. */
    private static List<String> misplaced(ActorsJvm jvm) {
        List<String> misplaced = new ArrayList<>();
        String launcher = "java " + jvm.pid(); // the process's first thread, which takes its signals
        jvm.levels().forEach((thread, level) -> {
            int rung = thread.equals(launcher)
                    ? 23
                    : RUNGS.entrySet().stream()
                            .filter(entry -> entry.getKey().matcher(thread).matches())
                            .mapToInt(Map.Entry::getValue)
                            .findFirst()
                            .orElse(0);
            boolean right = rung > 0
                    ? level.equals(SchedulingParameters.roundRobin(rung))
                    : level.policy().isRealTime() && level.staticPriority() <= 20;
            if (!right) {
                misplaced.add(thread + " at " + level);
            }
        });
        return misplaced;
    }

    private static long count(Map<String, SchedulingParameters> levels, String comm) {
        return levels.keySet().stream()
                .filter(thread -> thread.matches(comm + ".*"))
                .count();
    }

    private static void assumeCollector(int jdk, String collector) {
        List<String> probe = List.of(TargetJvm.of(jdk).java(), "-XX:+Use" + collector + "GC", "-version");
        assumeTrue(Program.run(probe).exit() == 0, "JDK " + jdk + " has no " + collector + " collector");
    }

    @ParameterizedTest
    @CsvSource({
        "17, Serial", "17, Parallel", "17, G1", "17, Z", "17, Shenandoah",
        "25, Serial", "25, Parallel", "25, G1", "25, Z", "25, Shenandoah"
    })
    void everyThreadOfTheJvmStandsOnItsRung(int jdk, String collector) {
        assumeCollector(jdk, collector);
        ActorsJvm.Launch launch = ActorsJvm.Launch.of(jdk, "policy=static")
                .with("-XX:+Use" + collector + "GC", "-XX:ParallelGCThreads=4", "-XX:ConcGCThreads=3")
                .with("-XX:+UseDynamicNumberOfCompilerThreads", "-XX:CICompilerCount=4", "-Xms16m");
        if (!collector.equals("Shenandoah")) { // which warns that it does not know it
            launch = launch.with("-XX:+UseDynamicNumberOfGCThreads");
        }
        try (ActorsJvm jvm = launch.start()) {
            Waiting.until(() -> misplaced(jvm).toString(), () -> misplaced(jvm).isEmpty());
            jvm.start("main", "churner", 3);
            int churning = jvm.order("churner", "churn 40000");
            // Compilers and workers come and go meanwhile.
            jvm.tell("main", "churn 40000", "churned");
            jvm.tell("main", "gc", "collected");
            assertEquals("churned", jvm.answer(churning));
            Waiting.until(() -> misplaced(jvm).toString(), () -> misplaced(jvm).isEmpty());
            Map<String, SchedulingParameters> levels = jvm.levels();
            assertEquals(1, count(levels, "VM Thread "), levels.toString());
            switch (collector) {
                case "Parallel", "G1" -> assertTrue(count(levels, "GC Thread#") > 1, "workers were added: " + levels);
                case "Z" -> assertTrue(count(levels, "ZWorker") > 0, levels.toString());
                case "Shenandoah" -> assertTrue(count(levels, "Shenandoah GC") > 1, levels.toString());
                default -> {} // Serial collects on the VM Thread
            }
            jvm.assertNothingLeftBehind();
            assertEquals("", jvm.end().err());
        }
    }

    /** Which call on which thread, in the order of the kernel's. */
    private static List<Integer> realTimeCalls(Path trace) throws IOException {
        Pattern call = Pattern.compile("\\d+ +sched_setscheduler\\((\\d+), (SCHED_RR|0x40000002 ).*");
        return Files.readAllLines(trace).stream()
                .map(call::matcher)
                .filter(Matcher::matches)
                .map(matcher -> Integer.valueOf(matcher.group(1)))
                .toList();
    }

    private static List<Integer> tids(List<LedgerReading> ledger, String names) {
        return ledger.stream()
                .filter(thread -> thread.name().matches(names))
                .map(LedgerReading::tid)
                .toList();
    }

    private static void assertBefore(List<Integer> threads, int position, List<Integer> calls) {
        for (int thread : threads) {
            int placed = calls.indexOf(thread);
            assertTrue(placed >= 0 && placed < position, thread + " before call " + position + " of " + calls);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {17, 25})
    void noJavaThreadIsRealTimeBeforeThem(int jdk, @TempDir Path folder) throws IOException {
        Path trace = folder.resolve("trace");
        List<String> strace = List.of("strace", "-f", "-qq", "-e", "trace=sched_setscheduler", "-o", trace.toString());
        List<String> probe = new ArrayList<>(strace);
        probe.add("true");
        assumeTrue(
                Program.run(List.of("sh", "-c", "exec \"$@\"", "sh", "strace", "-V"))
                                        .exit()
                                == 0
                        && Program.run(probe).exit() == 0,
                "no strace, or it may not trace");
        List<Integer> placedFirst;
        List<Integer> compilers;
        List<Integer> javaThreads;
        int main;
        try (ActorsJvm jvm = ActorsJvm.Launch.of(jdk, "policy=static")
                .by(strace.toArray(String[]::new))
                .with("-XX:+UseG1GC")
                .start()) {
            jvm.start("main", "p9", 9);
            jvm.born("p9");
            List<LedgerReading> ledger = LedgerReading.of(jvm.pid());
            placedFirst = tids(ledger, "VM Thread|GC Thread#0|G1 (Main Marker|Conc#0)");
            compilers = tids(ledger, "C[12] Compiler.*");
            javaThreads = tids(ledger, "main|Reference Handler|Finalizer|Common-Cleaner|prompter|p9");
            main = jvm.tid("main");
            jvm.end();
        }
        List<Integer> calls = realTimeCalls(trace);
        int firstJava = calls.stream()
                .filter(javaThreads::contains)
                .mapToInt(calls::indexOf)
                .min()
                .orElseThrow();
        assertEquals(4, placedFirst.size());
        assertBefore(placedFirst, firstJava, calls);
        // Reference Handler and Finalizer are there before the compilers are.
        assertEquals(2, compilers.size());
        assertBefore(compilers, calls.indexOf(main), calls);
    }

    @ParameterizedTest
    @CsvSource({"static, 10", "mixed, 0"})
    void carriersOfVirtualThreadsAreListedAsSuch(String policy, int value) {
        try (ActorsJvm jvm = ActorsJvm.Launch.of(25, "policy=" + policy).start()) {
            SchedulingParameters expected =
                    value > 0 ? SchedulingParameters.roundRobin(value) : SchedulingParameters.other(0);
            ActorsJvm.Born carrier = ActorsJvm.Born.of(jvm.ask("main", "virtual"));
            assertEquals(expected, carrier.level());
            List<LedgerReading> carriers = LedgerReading.of(jvm.pid()).stream()
                    .filter(thread -> thread.kind().equals("carrier"))
                    .toList();
            assertTrue(carriers.stream().anyMatch(thread -> thread.tid() == carrier.tid()), carriers.toString());
            for (LedgerReading thread : carriers) {
                assertTrue(thread.name().startsWith("ForkJoinPool-"), carriers.toString());
                assertEquals(expected, ActorsJvm.level(thread.tid()));
            }
            jvm.end();
        }
    }

    /** As in early builds of JDK 8: then nobody knows the VM Thread, and no Java thread may stand above it. */
    @ParameterizedTest
    @ValueSource(ints = {17, 25})
    void whereTheVmThreadIsNotKnownNothingBecomesRealTime(int jdk) {
        ActorsJvm.Launch launch =
                ActorsJvm.Launch.of(jdk, "policy=static").by("env", "LD_PRELOAD=" + NativeActors.nameless());
        try (ActorsJvm jvm = launch.start()) {
            jvm.start("main", "high", 10);
            assertEquals(SchedulingParameters.other(-5), jvm.born("high").level());
            jvm.levels()
                    .forEach((thread, level) -> assertFalse(level.policy().isRealTime(), thread + " is at " + level));
            jvm.assertNothingLeftBehind();
            assertEquals(
                    "ayatori: policy static: this JVM does not name its threads, so the VM Thread cannot be placed;"
                            + " going on with policy nice\n",
                    jvm.end().err());
        }
    }

    @Test
    void strictDoesNotStartWhereTheVmThreadIsNotKnown() {
        Finished finished = ActorsJvm.Launch.of(17, "policy=mixed,strict")
                .by("env", "LD_PRELOAD=" + NativeActors.nameless())
                .run("Actors");
        assertEquals(2, finished.exit(), finished.err());
        assertEquals("", finished.out());
        assertTrue(finished.err().endsWith("; not started, as strict asks\n"), finished.err());
    }
}
