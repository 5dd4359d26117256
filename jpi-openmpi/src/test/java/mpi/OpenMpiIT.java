package mpi;

import static java.util.stream.Collectors.joining;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Whole runs of programs in the manner of the Java bindings of Open MPI. */
class OpenMpiIT {
    /** Ample: it only bounds what hangs. */
    private static final long LIMIT_SECONDS = 120;

    private static final long TELLING_SECONDS = 2;

    private static final Path JAVA = Path.of(System.getProperty("java.home"), "bin", "java");

    @TempDir
    private Path folder;

    /** Our jar and those that it needs, and the programs. */
    private static String classPath() {
        Path programs = Path.of(System.getProperty("basedir", "."), "target", "test-classes");
        String paths = System.getProperty("jdk.module.path", "")
                + File.pathSeparator
                + System.getProperty("java.class.path")
                + File.pathSeparator
                + programs.toAbsolutePath();
        return Stream.of(paths.split(File.pathSeparator))
                .filter(path -> !path.isEmpty())
                .collect(joining(File.pathSeparator));
    }

    /** Has each JVM print what its threads do. */
    private static void tellThreads(Process run) throws Exception {
        List<String> kill = new ArrayList<>(List.of("kill", "-QUIT", Long.toString(run.pid())));
        run.descendants().map(ProcessHandle::pid).map(String::valueOf).forEach(kill::add);
        var _ = new ProcessBuilder(kill).start().waitFor();
        var _ = run.waitFor(TELLING_SECONDS, TimeUnit.SECONDS);
    }

    private String run(int expectedExit, String... words) throws Exception {
        Path output = folder.resolve("output");
        List<String> command = Stream.concat(
                        Stream.of(JAVA.toString(), "-cp", classPath(), "jpi.JRun"), Stream.of(words))
                .toList();
        Process process = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(output.toFile())
                .start();
        try {
            boolean ended = process.waitFor(LIMIT_SECONDS, TimeUnit.SECONDS);
            if (!ended) {
                tellThreads(process);
            }
            String text = Files.readString(output);
            assertTrue(ended, () -> "hangs: " + String.join(" ", words) + "\n" + text);
            assertEquals(expectedExit, process.exitValue(), text);
            return text;
        } finally {
            process.descendants().forEach(ProcessHandle::destroyForcibly);
            process.destroyForcibly();
        }
    }

    @Test
    void abortIsAFailureWhateverItsCode() throws Exception {
        assertEquals(
                "rank 0 calls abort(256)\njpi: rank 0 called System.exit(1)\n",
                run(1, Programs.Aborts.class.getName()));
    }

    @ParameterizedTest
    @ValueSource(
            classes = {
                Programs.Messages.class,
                Programs.Structs.class,
                Programs.Together.class,
                Programs.Requests.class,
                Programs.Mistakes.class,
                Programs.TwoGroups.class,
                Programs.Windows.class,
            })
    void theProgramDoesWhatItShould(Class<?> program) throws Exception {
        // Of four ranks, each has one beside it in its JVM, and two elsewhere.
        assertEquals("all is well\n", run(0, "-np", "2", "-nt", "4", program.getName()));
    }
}
