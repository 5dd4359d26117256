package ayatori.bench;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code bench/run roundtrip --short}: that everyone who is there has answered every call; no figures. */
class RoundTripsIT {
    private static final int RUNG_OF_PEERS = 20;
    private static final String CALLS = "200";
    private static final List<String> WAYS = List.of(
            "one JVM on two CPUs,%s,Endpoint,1," + CALLS,
            "one JVM on two CPUs,%s,SynchronousQueue,1," + CALLS,
            "one JVM on two CPUs,%s,LinkedTransferQueue,1," + CALLS,
            "one JVM on one CPU,%s,Endpoint,1," + CALLS,
            "one JVM on one CPU,%s,SynchronousQueue,1," + CALLS,
            "one JVM on one CPU,%s,LinkedTransferQueue,1," + CALLS,
            "two processes on two CPUs,%s,SharedEndpoint,1," + CALLS,
            "two processes on two CPUs,%s,SharedEndpoint with a gigabyte,1," + CALLS,
            "two processes on two CPUs,%s,SharedEndpoint polling,1," + CALLS,
            "two processes on two CPUs,%s,Unix socket in Java,1," + CALLS,
            "two processes on two CPUs,%s,futex,1," + CALLS,
            "two processes on two CPUs,%s,Unix socket,1," + CALLS,
            "two processes on two CPUs,%s,D-Bus,1," + CALLS,
            "two processes on two CPUs,%s,polling,1," + CALLS);

    @TempDir
    Path folder = Path.of("unset");

    @Test
    void everyWayThatIsThereAnswersEveryCall() throws IOException, InterruptedException {
        RealTime.assume(RUNG_OF_PEERS);
        assumeTrue(Runtime.getRuntime().availableProcessors() >= 2, "needs two CPUs");
        String output = Measured.bench("roundtrip", "--short", "--out", folder.toString());
        List<String> left =
                output.lines().filter(line -> line.contains(" is left out: ")).toList();
        // Of the peers only D-Bus needs what a host that builds the agent may lack.
        assertTrue(left.stream().allMatch(line -> line.startsWith("D-Bus is left out: no ")), output);
        List<String> expected = new ArrayList<>();
        for (String policy : List.of("ordinary threads", "SCHED_RR 20")) {
            WAYS.stream()
                    .filter(way -> left.isEmpty() || !way.contains("D-Bus"))
                    .forEach(way -> expected.add(way.replace("%s", policy)));
        }
        List<String> rows = Files.readAllLines(folder.resolve("roundtrip.csv"));
        List<String> ways = rows.stream()
                .skip(1)
                .map(row -> row.replaceFirst("(,[^,]+){5}$", ""))
                .toList();
        assertEquals(new TreeSet<>(expected), new TreeSet<>(ways), output);
        assertEquals(expected.size(), ways.size(), output);
    }
}
