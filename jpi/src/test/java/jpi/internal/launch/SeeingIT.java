package jpi.internal.launch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;
import jpi.JApplication;
import jpi.JBuffer;
import jpi.JComm;
import jpi.TraceReading;
import jpi.internal.launch.StartedRun.Result;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What whole runs tell of themselves: {@code -stats}, {@code -trace}, flight recordings. */
class SeeingIT {
    private static final Path TARGET = Path.of(System.getProperty("basedir", "."), "target");

    @TempDir
    private Path folder;

    private Result run(String... words) throws IOException, InterruptedException {
        String classes = TARGET.resolve("test-classes").toAbsolutePath()
                + File.pathSeparator
                + System.getProperty("jdk.module.path", "")
                + File.pathSeparator
                + System.getProperty("java.class.path");
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                // More than two ranks share CPUs, whatever machine this is: what they send depends on it.
                "-XX:ActiveProcessorCount=2",
                "-cp",
                classes,
                "jpi.JRun"));
        command.addAll(List.of(words));
        try (StartedRun run = new StartedRun(command, folder)) {
            return run.end();
        }
    }

    /** Rank 0 sends the next one a thousand longs, in ten messages, and all meet. */
    static final class Sends extends JApplication {
        @Override
        public void Jmain(String[] args) {
            JComm world = JPI.COMM_WORLD;
            if (world.rank() == 0) {
                for (int i = 0; i < 10; i++) {
                    world.send(JBuffer.of(new long[100]), 1, i);
                }
            } else if (world.rank() == 1) {
                for (int i = 0; i < 10; i++) {
                    world.recv(0, i);
                }
            }
            world.barrier();
        }
    }

    /** As that, but then rank 0 ends its JVM in some way, and the others wait for it. */
    static final class Fails extends JApplication {
        @Override
        public void Jmain(String[] args) {
            JComm world = JPI.COMM_WORLD;
            new Sends().Jmain(args);
            if (world.rank() == 0) {
                world.recv(3, 1);
                switch (args[0]) {
                    case "throw" -> throw new IllegalStateException("a reason");
                    case "exit" -> System.exit(5);
                    default -> Runtime.getRuntime().halt(6);
                }
            }
            if (world.rank() == 3) {
                world.send("all have met", 0, 1);
            }
            world.recv(0, 77);
        }
    }

    private TraceReading trace() throws IOException {
        TraceReading reading = TraceReading.of(Files.readString(folder.resolve("trace.json")));
        reading.assertNested();
        return reading;
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2})
    void statisticsAreOneTable(int workers) throws Exception {
        Result result = run("-np", Integer.toString(workers), "-nt", "4", "-stats", Sends.class.getName());
        assertEquals(0, result.exit(), result::err);
        // In the barrier each rank sends a message to rank 0 and takes one; time is what it is.
        assertEquals("""
                 rank  sent  taken  bytes sent  bytes taken  waited ms
                    0    13      3       8,000            0
                    1     1     11           0        8,000
                    2     1      1           0            0
                    3     1      1           0            0
                total    16     16       8,000        8,000
                """, result.err().replaceAll(" +[0-9,]+\n", "\n"));
    }

    /** Sends itself a message, and ends as programs do that were written for C. */
    static final class ExitsWell extends JApplication {
        @Override
        public void Jmain(String[] args) {
            JPI.COMM_WORLD.bsend(new byte[3], 0, 1);
            JPI.COMM_WORLD.recv(0, 1);
            System.exit(0);
        }
    }

    @Test
    void statisticsHaveTheRanksThatExitToo() throws Exception {
        Result result = run("-stats", ExitsWell.class.getName());
        assertEquals(0, result.exit(), result::err);
        assertEquals("""
                 rank  sent  taken  bytes sent  bytes taken  waited ms
                    0     1      1           3            3
                total     1      1           3            3
                """, result.err().replaceAll(" +[0-9,]+\n", "\n"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"1", "2"})
    void aTimelineHasAllRanksAndMessages(String workers) throws Exception {
        Result result = run("-np", workers, "-nt", "4", "-trace", "trace.json", Sends.class.getName());
        assertEquals(new Result(0, "", ""), result);
        TraceReading reading = trace();
        assertEquals(
                List.of("rank 0", "rank 1", "rank 2", "rank 3"),
                reading.tracks().stream().sorted().toList());
        List<TraceReading.Arrow> arrows = reading.arrows();
        assertEquals(16, arrows.size());
        assertEquals(
                10,
                arrows.stream()
                        .filter(arrow -> "800".equals(arrow.sent().get("args.bytes")))
                        .filter(arrow -> "800".equals(arrow.received().get("args.bytes")))
                        .count());
        Set<String> processes =
                reading.phase("X").stream().map(slice -> slice.get("pid")).collect(Collectors.toSet());
        assertEquals(Integer.parseInt(workers), processes.size());
        assertEquals(
                4,
                reading.phase("X").stream()
                        .filter(slice -> "barrier".equals(slice.get("name")))
                        .count());
    }

    @ParameterizedTest
    @ValueSource(strings = {"throw", "exit"})
    void aRunThatFailsLeavesATimeline(String how) throws Exception {
        Result result = run("-np", "2", "-nt", "4", "-stats", "-trace", "trace.json", Fails.class.getName(), how);
        assertEquals(how.equals("exit") ? 5 : 1, result.exit(), result::err);
        TraceReading reading = trace();
        assertEquals(17, reading.phase("s").size());
        assertEquals(17, reading.arrows().size());
        // The ranks that have been told of the failure have waited in vain.
        assertTrue(
                reading.phase("X").stream()
                        .anyMatch(slice -> "wait for a message from rank 0, tag 77".equals(slice.get("name"))),
                reading::toString);
    }

    /** What a JVM that was killed had not handed over yet is missing. */
    @Test
    void aRunThatIsKilledLeavesATimeline() throws Exception {
        Result result = run("-np", "2", "-nt", "4", "-trace", "trace.json", Fails.class.getName(), "halt");
        assertEquals(6, result.exit(), result::err);
        TraceReading reading = trace();
        assertTrue(reading.tracks().containsAll(List.of("rank 2", "rank 3")), reading::toString);
    }

    @Test
    void aFileThatCannotBeWrittenIsToldBeforeAnythingRuns() throws Exception {
        Result result = run("-trace", "no/trace.json", Programs.Greets.class.getName());
        assertEquals(
                new Result(
                        2,
                        "",
                        "jpi: -trace no/trace.json cannot be written (there is no such folder): name another file;"
                                + " see java jpi.JRun -h\n"),
                result);
    }

    @Test
    void theGuidesCommandRecordsEachMessage() throws Exception {
        Result result = run(
                "-nt",
                "4",
                "-J-XX:StartFlightRecording:filename=run.jfr,+jpi.Send#threshold=0s,+jpi.Receive#threshold=0s",
                "-J-Xlog:disable",
                Sends.class.getName());
        assertEquals(0, result.exit(), result::err);
        List<RecordedEvent> events = RecordingFile.readAllEvents(folder.resolve("run.jfr"));
        for (String name : List.of("jpi.Send", "jpi.Receive")) {
            assertEquals(
                    10,
                    events.stream()
                            .filter(event -> name.equals(event.getEventType().getName())
                                    && event.getLong("bytes") == 100 * Long.BYTES)
                            .count(),
                    name);
        }
    }
}
