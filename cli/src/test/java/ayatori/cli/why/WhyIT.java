package ayatori.cli.why;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import ayatori.cli.Archive;
import ayatori.cli.Finished;
import ayatori.cli.Program;
import ayatori.cli.TargetJvm;
import ayatori.internal.linux.DetachedMount;
import ayatori.internal.linux.Sched;
import ayatori.internal.linux.TaskFiles;
import ayatori.sched.LinuxThread;
import ayatori.sched.SchedulingParameters;
import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import java.io.IOException;
import java.math.BigDecimal;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** {@code ayatori why} of threads that get in each other's way: target-programs/Rivals.java. */
class WhyIT {
    private static final Pattern SHARE = Pattern.compile("\"what\" : \"(\\w+)\",\\s+\"ns\" : (\\d+)");

    @TempDir
    Path folder;

    @BeforeAll
    static void needs() {
        assumeTrue("root".equals(System.getProperty("user.name")), "the scheduler trace needs root");
    }

    /**
     * All on one CPU, at a level that nothing else of these tests has there. The JVM's own threads are not, so that it
     * answers and ends as soon as elsewhere.
     */
    private static Program rivals(int jdk, String... names) {
        List<String> program = new ArrayList<>(List.of("Rivals"));
        program.addAll(Arrays.asList(names));
        Program jvm = Program.start(TargetJvm.of(jdk).plain(program.toArray(String[]::new)));
        jvm.awaitOut("ready\n");
        BitSet cpu = new BitSet();
        cpu.set(cpu());
        for (String name : names) {
            int tid = tid(jvm, name);
            assertEquals(0, Sched.setAffinity(tid, cpu), name);
            LinuxThread.of(tid).set(SchedulingParameters.roundRobin(30));
        }
        return jvm;
    }

    /** The last that this process may use. */
    private static int cpu() {
        try {
            return Sched.getAffinity(0).length() - 1;
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    private static Finished why(String... arguments) {
        return Program.run(command(arguments));
    }

    /** Not on the CPU of the rivals, where they would leave it little. */
    private static List<String> command(String... arguments) {
        List<String> command = new ArrayList<>();
        if (cpu() > 0) {
            command.addAll(List.of("taskset", "-c", "0-" + (cpu() - 1)));
        }
        command.addAll(List.of(Archive.command(), "why"));
        command.addAll(Arrays.asList(arguments));
        return command;
    }

    private static Finished watch(Program jvm, String... arguments) {
        List<String> all = new ArrayList<>(List.of(Long.toString(jvm.pid())));
        all.addAll(Arrays.asList(arguments));
        Finished finished = why(all.toArray(String[]::new));
        assertEquals("", finished.err());
        assertEquals(0, finished.exit(), finished.out());
        return finished;
    }

    private static Map<String, Long> shares(Finished json) {
        Map<String, Long> shares = new TreeMap<>();
        Matcher share = SHARE.matcher(json.out().substring(0, json.out().indexOf("\"waited_for\"")));
        while (share.find()) {
            shares.put(share.group(1), Long.valueOf(share.group(2)));
        }
        assertEquals(6, shares.size(), json.out());
        return shares;
    }

    private static long number(Finished json, String field) {
        Matcher number = Pattern.compile("\"" + field + "\" : (\\d+)").matcher(json.out());
        assertTrue(number.find(), field + " in " + json.out());
        return Long.parseLong(number.group(1));
    }

    /** Names in waited_for, the first the one that had the CPU longest. */
    private static List<String> delayers(Finished json) {
        String waits = json.out()
                .substring(json.out().indexOf("\"waited_for\""), json.out().indexOf("\"slept_in\""));
        List<String> names = new ArrayList<>();
        Matcher name = Pattern.compile("\"name\" : (null|\"[^\"]*\")").matcher(waits);
        while (name.find()) {
            names.add(name.group(1).replace("\"", ""));
        }
        return names;
    }

    private static int tid(Program jvm, String comm) {
        try {
            for (int tid : TaskFiles.tids((int) jvm.pid())) {
                if (new TaskFiles(tid).comm().equals(comm)) {
                    return tid;
                }
            }
        } catch (IOException e) {
            throw new AssertionError(e);
        }
        throw new AssertionError("no thread " + comm);
    }

    @ParameterizedTest
    @ValueSource(ints = {17, 25})
    void theHogOnItsCpuIsNamedFirst(int jdk) {
        try (Program jvm = rivals(jdk, "victim", "hog")) {
            Finished json = watch(jvm, "victim", "--for", "2s", "--json");
            Map<String, Long> shares = shares(json);
            long watched = number(json, "watched_ns");
            assertEquals(
                    watched, shares.values().stream().mapToLong(Long::longValue).sum(), json.out());
            assertEquals("hog", delayers(json).getFirst(), json.out());
            assertTrue(json.out().contains("\"level\" : \"RR 30\""), json.out());
            assertTrue(json.out().contains("\"of\" : \"this JVM\""), json.out());
            assertEquals(0, number(json, "lost_events"));
            assertEquals(0, number(json, "unread_lines"));
            // Two accounts of the same, not to the same moment: the trace's, and the kernel's own, which counts a wait
            // when it is over. At either end a quantum of 100 ms, 5 % of the whole, may be in one and not in the other.
            long waited = shares.getOrDefault("waited", 0L);
            long ran = shares.getOrDefault("ran", 0L);
            long delay = number(json, "run_delay_ns");
            assertTrue(waited > watched / 4, json.out());
            assertEquals(
                    100.0 * delay / (delay + number(json, "cpu_ns")), 100.0 * waited / (waited + ran), 10, json.out());
            assertEquals(0, jvm.end().exit());
        }
    }

    @Test
    void peopleReadATable() {
        try (Program jvm = rivals(25, "victim", "hog")) {
            Finished table = watch(jvm, "vic*", "--for", "1s");
            List<String> lines = table.lines();
            assertTrue(
                    lines.get(0)
                            .matches("thread \\d+ \"victim\" of JVM " + jvm.pid()
                                    + ": java, priority 5, RR 30; watched \\d\\.\\d{3} s"),
                    table.out());
            assertEquals("SHARE %      ms  TIMES  WHAT", lines.get(2));
            int waited = lines.indexOf(lines.stream()
                    .filter(line -> line.endsWith("  waited for a CPU"))
                    .findFirst()
                    .orElseThrow(() -> new AssertionError(table.out())));
            assertTrue(lines.get(waited + 1).matches(" .*\\d    hog \\(\\d+\\): this JVM, RR 30"), table.out());
            assertTrue(lines.stream().anyMatch(line -> line.matches(" *100\\.0 .* in all")), table.out());
            assertTrue(table.out().contains("\nsafepoints: "), table.out());
            assertTrue(table.out().contains("\npage faults: "), table.out());
            assertTrue(table.out().contains(" thread dumps: RUNNABLE\n"), table.out());
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {17, 25})
    void aMonitorAndItsOwner(int jdk) {
        try (Program jvm = rivals(jdk, "holder", "blocked")) {
            Finished json = watch(jvm, Integer.toString(tid(jvm, "blocked")), "--for", "2s", "--json");
            assertTrue(shares(json).getOrDefault("slept", 0L) > number(json, "watched_ns") / 2, json.out());
            assertTrue(json.out().contains("\"in\" : \"futex\""), json.out());
            assertTrue(
                    json.out()
                            .contains("\"BLOCKED (on object monitor): waiting to lock a java.lang.Object held by"
                                    + " \\\"holder\\\"\" : "),
                    json.out());
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {17, 25})
    void collectionsAndSafepoints(int jdk) {
        try (Program jvm = rivals(jdk, "victim", "collector")) {
            Finished json = watch(jvm, "victim", "--for", "1s", "--json");
            assertTrue(json.out().contains("\"in\" : \"a safepoint\""), json.out());
            long collections = 0;
            Matcher count = Pattern.compile("\"count\" : (\\d+)").matcher(json.out());
            while (count.find()) {
                collections += Long.parseLong(count.group(1));
            }
            assertTrue(collections > 0, json.out());
            assertTrue(number(json, "safepoints") >= collections, json.out());
            assertTrue(number(json, "safepoint_ns") > 0, json.out());
        }
    }

    /** Of each second, a real-time thread that never sleeps gets 0.95 s: for the rest nobody of its rank has the CPU. */
    @Test
    void throttledRealTimeIsTold() throws IOException {
        long budget = Long.parseLong(Files.readString(Path.of("/proc/sys/kernel/sched_rt_runtime_us"))
                .strip());
        assumeTrue(budget > 0, "no real-time throttling here");
        try (Program jvm = rivals(17, "victim")) {
            Finished json = watch(jvm, "victim", "--for", "1500ms", "--json");
            assertTrue(json.out().contains("\"level\" : \"RR 30\""), json.out());
            assertTrue(shares(json).getOrDefault("waited", 0L) > 0, json.out());
            assertTrue(json.out().contains("\"lower\" : true") || delayers(json).contains("null"), json.out());
        }
    }

    @Test
    void theTimelineOfAViewer() throws IOException {
        Path file = folder.resolve("timeline.json");
        try (Program jvm = rivals(25, "victim", "hog")) {
            Finished json = watch(jvm, "victim", "--for", "1s", "--json", "--trace", file.toString());
            Map<String, BigDecimal> micros = new TreeMap<>();
            List<String> names = new ArrayList<>();
            readTimeline(file, micros, names);
            assertTrue(names.containsAll(List.of("JVM " + jvm.pid(), "victim", "hog")), names::toString);
            BigDecimal victims = micros.getOrDefault(jvm.pid() + " " + tid(jvm, "victim"), BigDecimal.ZERO);
            assertEquals(
                    number(json, "watched_ns"),
                    victims.movePointRight(3).longValueExact(),
                    "the thread's slices are all of its time");
            assertTrue(micros.containsKey(jvm.pid() + " " + tid(jvm, "hog")), micros::toString);
        }
    }

    /** Sums up the slices of each thread, and lists all names. */
    private static void readTimeline(Path file, Map<String, BigDecimal> micros, List<String> names) throws IOException {
        try (JsonParser json = new JsonFactory().createParser(Files.newBufferedReader(file))) {
            Map<String, String> event = new TreeMap<>();
            int depth = 0;
            for (JsonToken token = json.nextToken(); token != null; token = json.nextToken()) {
                if (token == JsonToken.START_OBJECT) {
                    depth++;
                } else if (token == JsonToken.END_OBJECT && --depth == 1) {
                    if ("X".equals(event.get("ph"))) {
                        micros.merge(
                                event.get("pid") + " " + event.get("tid"),
                                new BigDecimal(event.getOrDefault("dur", "0")),
                                BigDecimal::add);
                    } else {
                        names.add(event.getOrDefault("args.name", ""));
                    }
                    event.clear();
                } else if (token.isScalarValue()) {
                    event.put((depth == 3 ? "args." : "") + json.currentName(), json.getText());
                }
            }
        }
    }

    @Test
    void withoutTheRightToTraceItSaysHowLongAndNotByWhom() {
        List<String> command = new ArrayList<>(List.of("taskset", "-c", Integer.toString(cpu())));
        command.addAll(TargetJvm.of(17).plain("Rivals", "victim", "hog"));
        try (Program jvm = Program.start(TargetJvm.asNobody(command))) {
            jvm.awaitOut("ready\n");
            List<String> why = command(Long.toString(jvm.pid()), "victim", "--for", "1s");
            Finished table = Program.run(TargetJvm.asNobody(why));
            assertEquals("", table.err());
            assertEquals(0, table.exit());
            assertTrue(
                    table.lines()
                            .contains("by whom cannot be seen: the kernel's scheduler trace (tracefs) is for root;"
                                    + " run it as root: sudo ayatori why PID THREAD"),
                    table.out());
            assertFalse(table.out().contains("    hog ("), table.out());
            assertFalse(table.out().contains("   0.0    0.0      1  waited"), table.out());
        }
    }

    @Test
    void nothingIsLeftBehind() throws IOException {
        String mounts = Files.readString(Path.of("/proc/self/mounts"));
        try (Program jvm = rivals(17, "victim");
                DetachedMount tracing = DetachedMount.of("tracefs")) {
            Path instances = tracing.root().resolve("instances");
            List<String> command = command(Long.toString(jvm.pid()), "victim", "--for", "60s");
            for (String signal : List.of("TERM", "KILL")) {
                try (Program why = Program.start(command)) {
                    Path own = instances.resolve("ayatori-" + why.pid());
                    awaitTrace(own);
                    why.signal(signal);
                    why.end();
                    assertEquals(signal.equals("KILL"), Files.exists(own), signal);
                }
            }
            watch(jvm, "victim", "--for", "100ms");
            try (DirectoryStream<Path> left = Files.newDirectoryStream(instances, "ayatori-*")) {
                left.forEach(each -> assertTrue(
                        Files.exists(
                                Path.of("/proc", each.getFileName().toString().substring("ayatori-".length()))),
                        each + " is of no living command"));
            }
        }
        assertEquals(mounts, Files.readString(Path.of("/proc/self/mounts")));
    }

    private static void awaitTrace(Path instance) throws IOException {
        long end = System.nanoTime() + 60_000_000_000L;
        Path enabled = instance.resolve("events/sched/sched_switch/enable");
        while (!Files.exists(enabled) || !Files.readString(enabled).startsWith("1")) {
            assertTrue(System.nanoTime() < end, instance + " does not trace");
            Thread.onSpinWait();
        }
    }

    @Test
    void mistakes() {
        try (Program jvm = rivals(17, "victim");
                Program cat = Program.start(List.of("cat"))) {
            String pid = Long.toString(jvm.pid());
            assertMistake("process " + cat.pid() + " is no JVM", why(Long.toString(cat.pid()), "main"));
            assertMistake("there is no process 99999999", why("99999999", "main"));
            assertMistake(
                    "no thread 'nobody*' in JVM " + pid + ": ayatori ps " + pid + " shows all", why(pid, "nobody*"));
            Finished ambiguous = why(pid, "*");
            assertEquals(2, ambiguous.exit());
            assertTrue(
                    ambiguous
                            .err()
                            .matches(
                                    "ayatori why: '\\*' means \\d+ threads of JVM " + pid
                                            + ": .* \\(\\d+\\) and \\d+ more: name one, or give its id; see ayatori why --help\n"),
                    ambiguous.err());
            assertMistake("--for '1h': must be 100ms to 60m, such as 10s", why(pid, "victim", "--for", "1h"));
            assertMistake(
                    "--trace '/no/such/file' cannot be written: there is no such folder",
                    why(pid, "victim", "--trace", "/no/such/file"));
        }
    }

    private static void assertMistake(String line, Finished finished) {
        assertEquals("ayatori why: " + line + "; see ayatori why --help\n", finished.err());
        assertEquals("", finished.out());
        assertEquals(2, finished.exit());
    }
}
