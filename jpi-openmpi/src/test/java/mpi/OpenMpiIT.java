package mpi;

import static java.util.stream.Collectors.joining;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Whole runs of programs in the manner of the Java bindings of Open MPI. */
class OpenMpiIT {
    /** Ample: it only bounds what hangs. */
    private static final String LIMIT_SECONDS = "120";

    /** timeout(1), to the run and its workers: each JVM prints what its threads do, and is ended two seconds later. */
    private static final List<String> BOUND = List.of("timeout", "-s", "QUIT", "-k", "2", LIMIT_SECONDS);

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

    private String run(int expectedExit, String... words) throws Exception {
        Path output = folder.resolve("output");
        List<String> command = new ArrayList<>(BOUND);
        command.addAll(List.of(JAVA.toString(), "-cp", classPath(), "jpi.JRun"));
        command.addAll(List.of(words));
        Process process = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(output.toFile())
                .start();
        try {
            int exit = process.waitFor();
            String text = Files.readString(output);
            assertEquals(expectedExit, exit, text);
            return text;
        } finally {
            process.descendants().forEach(ProcessHandle::destroyForcibly);
            process.destroyForcibly();
        }
    }

    @Test
    void abortIsAFailureWhateverItsCode() throws Exception {
        assertEquals("rank 0 calls abort(256)\njpi: rank 0 called abort(1)\n", run(1, Programs.Aborts.class.getName()));
    }

    @ParameterizedTest
    @ValueSource(
            classes = {
                Programs.Messages.class,
                Programs.Structs.class,
                Programs.Together.class,
                Programs.Requests.class,
                Programs.Mistakes.class,
                Refusals.Buffers.class,
                Refusals.Nulls.class,
                Refusals.Numbers.class,
                Refusals.Requests.class,
                Programs.TwoGroups.class,
                Programs.Windows.class,
            })
    void theProgramDoesWhatItShould(Class<?> program) throws Exception {
        // Of four ranks, each has one beside it in its JVM, and two elsewhere.
        assertEquals("all is well\n", run(0, "-np", "2", "-nt", "4", program.getName()));
    }
}
