package jpi.internal.launch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.File;
import java.io.IOException;
import java.net.InetAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import jpi.internal.launch.StartedRun.Result;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Whole runs, from the jar and its siblings in a folder, as users have them. */
class JRunIT extends JRunCase {
    private static final Path INSTALLED = Path.of("/usr/lib/jvm");
    private static final Pattern VERSION = Pattern.compile("^JAVA_VERSION=\"(?:1\\.)?(\\d+)", Pattern.MULTILINE);

    /** Figure 6, but for the misprint in its line 13, started as in figure 7: with the ranks in one JVM, and in two. */
    @ParameterizedTest
    @ValueSource(strings = {"localhost\n", "localhost\n127.0.0.1\n"})
    void thePapersProgramRunsUnchanged(String machines, @TempDir Path place) throws Exception {
        Path source = Path.of(System.getProperty("ayatori.root"), "papers/001-object-passing/PingPong.java");
        compile(source, place);
        Path file = Files.writeString(place.resolve("machines.smp"), machines);
        List<String> command = List.of(
                JAVA.toString(),
                "-Djava.io.tmpdir=" + temporary,
                "-cp",
                jar + File.pathSeparator + place,
                "jpi.JRun",
                "-mf",
                file.toString(),
                "-J-Xmx1024m",
                "-nt",
                "2",
                "PingPong");
        try (StartedRun run = new StartedRun(command, place)) {
            Result result = run.end();
            assertEquals(0, result.exit(), result::err);
            String host = InetAddress.getLocalHost().getHostName();
            assertEquals(
                    List.of("Thread 0 on " + host, "Thread 1 on " + host),
                    result.err().lines().sorted().toList());
            List<String> lines = result.out().lines().toList();
            assertEquals(29, lines.size());
            for (int i = 0; i < lines.size(); i++) {
                assertTrue(lines.get(i).startsWith("length=" + (2 << i) + " time="), lines.get(i));
            }
        }
    }

    @Test
    void ranksAreSpreadAndGetTheArguments() throws Exception {
        Result result = run("-np", "2", "-nt", "3", name(Programs.Greets.class), "-nt", "5", "--", "", "ä b");
        assertEquals("", result.err());
        assertEquals(0, result.exit());
        List<Matcher> lines = result.lines().stream()
                .map(Pattern.compile("rank (\\d) in (\\d+) by rank-\\1, \\[-nt, 5, --, , ä b]")::matcher)
                .toList();
        assertEquals(3, lines.stream().filter(Matcher::matches).count(), result.out());
        assertTrue(!lines.get(0).group(2).equals(lines.get(1).group(2)), result.out());
        assertEquals(lines.get(1).group(2), lines.get(2).group(2), result.out());
    }

    /** If the kernel lends any, and the user does not mind. */
    @ParameterizedTest
    @CsvSource({"-J-Xmx64m,true", "-J-XX:-UseTransparentHugePages,false"})
    void heapsHaveHugePages(String option, boolean wanted) throws Exception {
        Result result = run(option, name(Programs.Pages.class));
        assertEquals("", result.err());
        Path kernel = Path.of("/sys/kernel/mm/transparent_hugepage/enabled");
        boolean lent = Files.exists(kernel) && Files.readString(kernel).matches("(?s).*\\[(madvise|always)].*");
        assertEquals(List.of("asks for huge pages: " + (wanted && lent)), result.lines());
    }

    @Test
    void ranksMayBeVirtualThreads() throws Exception {
        Result result = run("-vt", "-nt", "2", name(Programs.Greets.class));
        assertEquals("", result.err());
        assertTrue(result.out().contains("by rank-1, virtual, []"), result.out());
    }

    @Test
    void aHundredThousandVirtualRanksPassTheRingAndTheBarrier() throws Exception {
        assertEquals(new Result(0, "100000 passed it\n", ""), run("-vt", "-nt", "100000", name(Programs.Rings.class)));
    }

    @Test
    void theMachineFileSaysHowManyWorkers() throws Exception {
        Path machines = Files.writeString(jars.resolve("machines.smp"), "localhost\n127.0.0.1\nlocalhost\n");
        Result result = run("-mf", machines.toString(), "-nt", "2", "-l", name(Programs.Greets.class));
        assertEquals("", result.err());
        assertEquals(
                2,
                result.lines().stream()
                        .map(line -> line.split(" ")[4])
                        .distinct()
                        .count(),
                result.out());
    }

    @Test
    void aRemoteMachineIsRefused() throws Exception {
        Path machines = Files.writeString(jars.resolve("machines.net"), "localhost\nnode1.cluster\n");
        Result result = run("-mf", machines.toString(), name(Programs.Greets.class));
        assertEquals(2, result.exit());
        assertTrue(
                result.err()
                        .startsWith("jpi: line 2 of " + machines + " names 'node1.cluster', which is not this machine"),
                result.err());
        assertEquals(1, result.err().lines().count());
    }

    @Test
    void noRankBeginsBeforeAllWorkersHaveJoined() throws Exception {
        Result result = run("-np", "4", name(Programs.Counts.class));
        assertEquals("", result.err());
        // A worker does not end before all ranks have.
        assertEquals(List.of("rank 0 sees 4", "rank 1 sees 4", "rank 2 sees 4", "rank 3 sees 4"), result.lines());
    }

    @Test
    void lastLinesNeedNoEnd() throws Exception {
        Result one = run(name(Programs.Murmurs.class));
        assertEquals(new Result(0, "no end of 0", "nor of 0"), one);
        Result two = run("-np", "2", name(Programs.Murmurs.class));
        assertTrue(two.out().matches("no end of [01]no end of [01]"), two.out());
        assertTrue(two.err().matches("nor of [01]nor of [01]"), two.err());
        Result labelled = run("-np", "2", "-l", name(Programs.Murmurs.class));
        assertEquals(List.of("[0] no end of 0", "[1] no end of 1"), labelled.lines());
    }

    @Test
    void linesAreLabelledWithTheRankWhoeverPrintsThem() throws Exception {
        Result result = run("-l", "-nt", "2", name(Programs.Starts.class));
        assertEquals(List.of("[0] half a line, platform", "[1] half a line, platform"), result.lines());
        assertEquals(
                List.of("[0] virtual", "[1] virtual"),
                result.err().lines().sorted().toList());
    }

    @Test
    void standardInputIsRankZeros() throws Exception {
        try (StartedRun run = start("-np", "2", name(Programs.Reads.class))) {
            run.write("a line\nand another\n");
            Result result = run.end();
            assertEquals("", result.err());
            assertEquals(
                    "rank 0 reads a line\nand another\nrank 1 reads \n"
                            .lines()
                            .sorted()
                            .toList(),
                    result.lines());
        }
    }

    @Test
    void workersGetTheirOptionsAndTheAgent() throws Exception {
        Result plain = run("-J-Dtold=a=b", "-J-Xmx64m", name(Programs.Tells.class));
        assertEquals(new Result(0, "told a=b, agent false\n", ""), plain);
        String agent = "-Dayatori.agent=" + System.getProperty("ayatori.agent");
        try (StartedRun run = start(List.of(JAVA.toString(), agent), "-policy", "none", name(Programs.Tells.class))) {
            assertEquals(new Result(0, "told null, agent true\n", ""), run.end());
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"1", "2"})
    void whoHasNoMemoryForAMessageLearnsThatAndNobodyElseSuffers(String workers) throws Exception {
        Result result = run("-np", workers, "-nt", "2", "-J-Xmx64m", name(Programs.Overwhelms.class));
        assertEquals(
                new Result(
                        0,
                        "there is no memory for a message of 104857600 bytes (Java heap space): give the JVMs more by"
                                + " -J-Xmx, or receive it into a buffer\n",
                        ""),
                result);
    }

    /** An array of booleans is made out of the bytes that have come, which takes as much again. */
    @Test
    void whoHasNoMemoryForFlagsLearnsThat() throws Exception {
        Result result = run("-np", "2", "-J-Xmx64m", name(Programs.Overwhelms.class), "flags");
        assertEquals(
                new Result(
                        0,
                        "there is no memory for a message of 20971520 bytes (Java heap space): give the JVMs more by"
                                + " -J-Xmx, or receive it into a buffer\n",
                        ""),
                result);
    }

    @Test
    void theExitCodeOfARankIsThatOfTheRun() throws Exception {
        assertFailure(
                run("-np", "2", "-nt", "4", name(Programs.Exits.class), "3", "7"), 7, "rank 3 called System.exit(7)");
        assertFailure(run("-vt", name(Programs.Exits.class), "0", "137"), 137, "rank 0 called System.exit(137)");
    }

    @ParameterizedTest
    @ValueSource(strings = {"1", "2", "3"})
    void aRankThatHasFinishedMayExit(String workers) throws Exception {
        assertEquals(new Result(0, "2000\n", ""), run("-np", workers, "-nt", "3", name(Programs.Leaves.class)));
    }

    @Test
    void aRankThatHasNotFinishedMayNotExitLaterEither() throws Exception {
        assertFailure(
                run("-nt", "3", name(Programs.Leaves.class), "early"),
                1,
                "rank 2 called System.exit before it had finished, with what exit code cannot be told");
    }

    @Test
    void anExitBeforeTheOthersHaveEndedIsAFailureWhateverItsCode() throws Exception {
        try (StartedRun run = start("-nt", "2", name(Programs.ExitsAlone.class))) {
            assertFailure(
                    run.end(),
                    1,
                    "rank 0 called System.exit(0) while other ranks had not ended: return from Jmain instead");
        }
        assertEquals(new Result(0, "", ""), run("-nt", "1", name(Programs.ExitsAlone.class)));
    }

    @Test
    void aWorkerThatIsGoneWithoutAWordIsAFailure() throws Exception {
        Result result = run(name(Programs.Halts.class), "0");
        assertEquals(1, result.exit());
        assertTrue(result.err()
                .matches("jpi: worker 0 \\(rank 0, pid \\d+\\) ended with exit code 0 while it was needed\n"));
        assertEquals(9, run(name(Programs.Halts.class), "9").exit());
    }

    /** -1 for instance is 255 to the system. */
    @Test
    void exitCodesThatAreNoSignalsAreTakenForNone() throws Exception {
        Result exited = run(name(Programs.ExitsBeside.class), "-1");
        assertTrue(
                exited.err().matches("jpi: worker 0 \\(rank 0, pid \\d+\\) called System.exit\\(255\\)\n"),
                exited.err());
        assertEquals(255, exited.exit());
        Result halted = run(name(Programs.Halts.class), "-1");
        assertTrue(halted.err().endsWith(") ended with exit code 255 while it was needed\n"), halted.err());
        assertEquals(255, halted.exit());
    }

    @Test
    void anUncaughtExceptionIsToldOnceAndEndsTheRun() throws Exception {
        for (String workers : List.of("1", "2")) {
            Result result = run("-np", workers, "-nt", "2", name(Programs.Throws.class));
            assertEquals(1, result.exit());
            List<String> lines = result.err().lines().toList();
            assertEquals("Exception in rank 1: java.lang.IllegalStateException: a reason", lines.getFirst());
            assertEquals("jpi: rank 1 ended with java.lang.IllegalStateException: a reason", lines.getLast());
            assertEquals(
                    2, lines.stream().filter(line -> !line.startsWith("\tat ")).count(), result.err());
        }
    }

    /** The program of docs/jpi.md, by the commands there. */
    @Test
    void thePagesProgramRuns(@TempDir Path place) throws Exception {
        String page = Files.readString(Path.of(System.getProperty("ayatori.root"), "docs/jpi.md"));
        String begin = "```java\n";
        int from = page.indexOf(begin) + begin.length();
        Path source = Files.writeString(place.resolve("Sum.java"), page.substring(from, page.indexOf("```", from)));
        compile(source, place);
        for (List<String> options : List.of(List.of("-nt", "4"), List.of("-np", "2", "-nt", "4"))) {
            List<String> command = new ArrayList<>(List.of(
                    JAVA.toString(),
                    "-Djava.io.tmpdir=" + temporary,
                    "-cp",
                    jar + File.pathSeparator + place,
                    "jpi.JRun"));
            command.addAll(options);
            command.add("Sum");
            try (StartedRun run = new StartedRun(command, place)) {
                assertEquals(new Result(0, "3 numbers\n", ""), run.end());
            }
        }
    }

    /** Records, lists, text and null; what may not travel is refused with its field. */
    @ParameterizedTest
    @CsvSource({"-nt,-np", "-np,-vt", "-np,-l"})
    void objectsTravelBetweenWorkers(String together, String more) throws Exception {
        Result result = more.equals("-np")
                ? run("-nt", "4", "-np", "2", name(Programs.Tours.class))
                : run(together, "3", more, name(Programs.Tours.class));
        assertEquals("", result.err());
        assertEquals(0, result.exit());
        assertTrue(result.out().endsWith("round\n"), result.out());
    }

    @Test
    void whatMeansNothingInAnotherJvmIsRefusedWithItsField() throws Exception {
        Result result = run("-np", "2", name(Programs.SendsAStream.class));
        assertEquals(0, result.exit(), result.err());
        assertTrue(result.out().contains("Parcel.stream is a java.io.ByteArrayInputStream"), result.out());
    }

    @ParameterizedTest
    @ValueSource(strings = {"-nt", "-np"})
    void ranksThatWaitLearnOfTheFailureAndAddNothingToIt(String together) throws Exception {
        Result result = run(together, "2", name(Programs.Learns.class));
        assertEquals(1, result.exit());
        assertTrue(
                result.out().matches("learnt: .*rank 0 ended with java.lang.IllegalStateException: a reason\n"),
                result.out());
        assertEquals(
                2,
                result.err().lines().filter(line -> !line.startsWith("\tat ")).count(),
                result.err());
    }

    @ParameterizedTest
    @ValueSource(strings = {"-nt", "-np"})
    void ranksThatWaitForEachOtherAreTold(String together) throws Exception {
        Result result = run(together, "3", name(Programs.Circle.class));
        assertEquals(1, result.exit());
        List<String> lines = result.err().lines().toList();
        assertEquals("jpi: deadlock: every rank that has not ended waits", lines.getFirst());
        assertEquals(4, lines.size(), result.err());
        for (int rank = 0; rank < 3; rank++) {
            assertTrue(lines.get(1 + rank).matches("  rank " + rank + " waits .*7.*"), result.err());
        }
    }

    @Test
    void classesThatAreNoProgramAreRefused() throws Exception {
        assertFailure(
                run("-np", "2", "no.Such"),
                2,
                "there is no class no.Such: write its name with the package, and say with -cp where it is");
        assertFailure(
                run("java.lang.String"),
                2,
                "class java.lang.String is no program of JPI: let it extend jpi.JApplication, or give it a"
                        + " public static void main(String[])");
        assertFailure(run("jpi.JApplication"), 2, "class jpi.JApplication is abstract: name a class that extends it");
        String demanding = name(Programs.Demanding.class);
        assertFailure(
                run(demanding),
                2,
                "class " + demanding + " has no constructor without parameters: give it one, and make it static");
        Result unmade = run(name(Programs.Unmade.class));
        assertEquals(1, unmade.exit());
        assertTrue(
                unmade.err()
                        .endsWith("jpi: rank 0 ended with jpi.JException: the constructor of "
                                + name(Programs.Unmade.class)
                                + " threw java.lang.IllegalArgumentException: not today\n"),
                unmade.err());
    }

    /** A thread that it starts knows whose it is, if no other rank is there. */
    @Test
    void everyRankCallsMainOfAnyOtherClass() throws Exception {
        Result result = run("-np", "3", name(Programs.Plain.class), "word");
        assertEquals("", result.err());
        assertEquals(
                List.of("rank 0 got 2 and [word]", "rank 1 got 0 and [word]", "rank 2 got 1 and [word]"),
                result.lines());
        Result together = run("-nt", "2", name(Programs.Plain.class));
        assertEquals(1, together.exit());
        assertTrue(
                together.err().contains("this thread is no rank: start the program with jpi.JRun; where"),
                together.err());
        Result failed = run(name(Programs.PlainlyFails.class));
        assertEquals(1, failed.exit());
        assertTrue(
                failed.err()
                        .endsWith("jpi: rank 0 ended with jpi.JException: main of " + name(Programs.PlainlyFails.class)
                                + " threw java.io.IOException: no disk\n"),
                failed.err());
    }

    @Test
    void aJvmThatDoesNotStartIsTold() throws Exception {
        Result result = run("-np", "2", "-J-XX:NoSuchOption", name(Programs.Greets.class));
        assertEquals(1, result.exit());
        assertTrue(result.err().contains("Unrecognized VM option 'NoSuchOption'"), result.err());
        String last = result.err().lines().toList().getLast();
        assertTrue(
                last.matches("jpi: worker [01] \\(rank [01], pid \\d+\\) ended with exit code 1 before it had joined"),
                last);
    }

    @Test
    void aWorkerThatIsKilledEndsAll() throws Exception {
        try (StartedRun run = start("-np", "2", "-nt", "3", name(Programs.Stays.class))) {
            List<Long> workers = pids(run.awaitLines(3));
            StartedRun.signal("KILL", workers.get(1));
            Result result = run.end();
            assertFailure(result, 1, "worker 1 (ranks 1 to 2, pid " + workers.get(1) + ") was killed by signal 9");
            StartedRun.awaitEnd(workers.get(0));
            assertNoMemoryOf(run);
        }
    }

    @Test
    void aWorkerThatIsAskedToEndEndsAll() throws Exception {
        try (StartedRun run = start("-np", "2", name(Programs.Stays.class))) {
            List<Long> workers = pids(run.awaitLines(2));
            StartedRun.signal("TERM", workers.get(0));
            assertFailure(run.end(), 1, "worker 0 (rank 0, pid " + workers.get(0) + ") was ended by signal 15");
        }
    }

    @Test
    void workersDoNotOutliveTheMaster() throws Exception {
        for (String signal : List.of("KILL", "TERM", "INT")) {
            try (StartedRun run = start("-np", "2", name(Programs.Stays.class))) {
                List<Long> workers = pids(run.awaitLines(2));
                StartedRun.signal(signal, run.pid());
                Result result = run.end();
                assertTrue(result.exit() > 128, signal);
                assertEquals("", result.err(), signal);
                for (long worker : workers) {
                    StartedRun.awaitEnd(worker);
                }
                assertNoMemoryOf(run);
            }
        }
    }

    @Test
    void nobodyWhoReadsEndsTheRun() throws Exception {
        try (StartedRun run = start("-np", "2", name(Programs.Chatters.class))) {
            run.awaitLines(1);
            run.closeOutput();
            Result result = run.end();
            assertEquals("", result.err());
            assertEquals(141, result.exit());
        }
    }

    /** The first JDK below {@link #INSTALLED} that JRun's own class runs on, and the others do not. */
    private static Optional<Path> oldJava() throws IOException {
        if (!Files.isDirectory(INSTALLED)) {
            return Optional.empty();
        }
        try (Stream<Path> homes = Files.list(INSTALLED)) {
            for (Path home : homes.sorted().toList()) {
                Path java = home.resolve("bin/java");
                Path release = home.resolve("release");
                if (Files.isExecutable(java) && Files.isReadable(release)) {
                    Matcher version = VERSION.matcher(Files.readString(release));
                    if (version.find() && isOld(Integer.parseInt(version.group(1)))) {
                        return Optional.of(java);
                    }
                }
            }
        }
        return Optional.empty();
    }

    private static boolean isOld(int feature) {
        return feature >= 8 && feature < 25;
    }

    @Test
    void anOldJvmIsTold() throws Exception {
        Optional<Path> old = oldJava();
        assumeTrue(old.isPresent(), "no JDK from 8 to 24 below " + INSTALLED);
        try (StartedRun run = start(List.of(old.orElseThrow().toString()), name(Programs.Greets.class))) {
            Result result = run.end();
            assertEquals(2, result.exit());
            assertTrue(
                    result.err().matches("jpi: this is Java [0-9.]+ \\(.*\\), and JPI needs Java 25 or later: .*\n"),
                    result.err());
            assertEquals("", result.out());
        }
    }

    /** The command needs the one, the worker the other. */
    @ParameterizedTest
    @CsvSource({"picocli,picocli.CommandLine", "fory-core,org/apache/fory/resolver/SharedRegistry"})
    void aJarThatIsMissingIsTold(String missing, String needed, @TempDir Path fewer) throws Exception {
        try (Stream<Path> all = Files.list(jars)) {
            for (Path file : all.filter(path -> !path.getFileName().toString().startsWith(missing))
                    .toList()) {
                Files.copy(file, fewer.resolve(file.getFileName()));
            }
        }
        List<String> command = List.of(
                JAVA.toString(),
                "-Djava.io.tmpdir=" + temporary,
                "-cp",
                fewer.resolve(jar.getFileName()) + File.pathSeparator + TEST_CLASSES,
                "jpi.JRun",
                name(Programs.Greets.class));
        try (StartedRun run = new StartedRun(command, fewer)) {
            Result result = run.end();
            assertEquals(2, result.exit());
            assertTrue(
                    result.err().matches("jpi: .*" + needed + ".*: put the jars that JPI comes with beside its own\n"),
                    result.err());
        }
    }

    @Test
    void moreRanksThanThereMayBeThreadsAreTold() throws Exception {
        // Less address space than the stacks of two hundred ranks take.
        List<String> limited = List.of("/usr/bin/prlimit", "--as=4000000000", JAVA.toString(), "-Xmx32m");
        try (StartedRun run = start(limited, "-nt", "200", "-J-Xmx32m", "-J-Xss32m", name(Programs.Stays.class))) {
            Result result = run.end();
            assertEquals(1, result.exit());
            String last = result.err().lines().toList().getLast();
            assertTrue(
                    last.matches(
                            "jpi: rank \\d+ got no thread \\(.*\\): so many ranks can only be virtual threads, -vt"),
                    last);
        }
    }

    /** Of {@link Programs.Stays}, by rank. */
    static List<Long> pids(List<String> lines) {
        return lines.stream()
                .sorted((a, b) -> a.substring(a.indexOf("rank")).compareTo(b.substring(b.indexOf("rank"))))
                .map(line -> Long.valueOf(line.split(" ")[1]))
                .toList();
    }
}
