package jpi.internal.launch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import jpi.internal.launch.StartedRun.Result;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Whole runs of programs that share memory in windows. */
class WindowIT extends JRunCase {
    /** A hundred virtual ranks on one carrier among them. */
    @ParameterizedTest
    @ValueSource(strings = {"-nt 2 -np 2", "-nt 5 -np 2", "-nt 100 -vt", "-nt 100 -vt -np 2"})
    void windowsAreSharedByAllRanks(String options) throws Exception {
        List<String> words = new ArrayList<>(List.of(options.split(" ")));
        String ranks = words.get(1);
        words.add("-J-Djdk.virtualThreadScheduler.parallelism=1");
        words.add("-J-Djdk.virtualThreadScheduler.maxPoolSize=1");
        words.add(name(WindowPrograms.Counts.class));
        Result result = run(words.toArray(String[]::new));
        assertEquals(new Result(0, ranks + " " + ranks + " " + ranks + "\n", ""), result);
    }

    @ParameterizedTest
    @ValueSource(strings = {"-nt", "-np"})
    void ranksThatWaitForEachOthersWindowsAreTold(String together) throws Exception {
        Result locks = run(together, "3", name(WindowPrograms.Circle.class));
        JRunIT.assertFailure(locks, 1, """
                deadlock: every rank that has not ended waits
                  rank 0 waits to lock the part of rank 1 in the window of COMM_WORLD, which rank 1 has locked
                  rank 1 waits to lock the part of rank 2 in the window of COMM_WORLD, which rank 2 has locked
                  rank 2 waits to lock the part of rank 0 in the window of COMM_WORLD, which rank 0 has locked""");
    }

    @Test
    void ranksThatWaitInEpochsOfDifferentKindsAreTold() throws Exception {
        Result mixed = run("-np", "4", name(WindowPrograms.Mixed.class));
        assertEquals(1, mixed.exit());
        List<String> lines = mixed.err().lines().toList();
        assertEquals(
                List.of(
                        "  rank 0 waits in fence of window of COMM_WORLD, for ranks 1, 2, 3",
                        "  rank 1 waits to start access to the window of COMM_WORLD, for rank 2",
                        "  rank 2 waits until access to its part in the window of COMM_WORLD is complete, for rank 0",
                        "  rank 3 waits in barrier of COMM_WORLD, for rank 0"),
                lines.subList(1, lines.size()));
    }

    @Test
    void nothingStaysOfAWindowWhoeverIsKilled() throws Exception {
        for (boolean master : List.of(false, true)) {
            try (StartedRun run = start(List.of(JAVA.toString()), "-np", "2", name(WindowPrograms.Writes.class))) {
                List<Long> workers = JRunIT.pids(run.awaitLines(2));
                JRunIT.assertNoMemoryOf(run); // it has no name even now
                for (long worker : workers) {
                    String mapped = Files.readString(Path.of("/proc/" + worker + "/maps"));
                    assertTrue(mapped.contains("/memfd:jpi-window (deleted)"), mapped);
                }
                StartedRun.signal("KILL", master ? run.pid() : workers.get(0));
                Result result = run.end();
                assertTrue(result.exit() != 0, result::err);
                for (long worker : workers) {
                    StartedRun.awaitEnd(worker);
                }
                JRunIT.assertNoMemoryOf(run);
            }
        }
    }

    /** The JVM that makes the memory has it mapped twice for a moment, for which it has no room here. */
    @Test
    void memoryThatOneJvmCannotMapIsRefusedOnAllRanks() throws Exception {
        List<String> limited = List.of("/usr/bin/prlimit", "--as=150000000000", JAVA.toString(), "-Xmx32m");
        try (StartedRun run = start(limited, "-np", "2", "-J-Xmx32m", name(WindowPrograms.Large.class))) {
            Result result = run.end();
            assertEquals("", result.err());
            List<String> lines = result.lines();
            assertEquals(2, lines.size());
            for (int rank = 0; rank < 2; rank++) {
                String line = lines.get(rank);
                assertTrue(
                        line.startsWith("rank " + rank
                                        + " learns: rank 0 cannot map the memory of the window of COMM_WORLD (")
                                && line.endsWith("then 1"),
                        line);
            }
        }
    }
}
