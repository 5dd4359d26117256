package jpi.internal.launch;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import jpi.internal.launch.StartedRun.Result;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;

/** Starts whole runs, from the jar and its siblings in a folder, as users have them. */
abstract class JRunCase {
    private static final Path SHARED_MEMORY = Path.of("/dev/shm");
    private static final Path TARGET = Path.of(System.getProperty("basedir", "."), "target");

    static final Path TEST_CLASSES = TARGET.resolve("test-classes").toAbsolutePath();
    static final Path JAVA = Path.of(System.getProperty("java.home"), "bin", "java");

    @TempDir
    static Path jars;

    static Path jar;

    /** Where runs have their temporary files. */
    @TempDir
    Path temporary;

    @BeforeAll
    static void layOut() throws IOException {
        String paths =
                System.getProperty("jdk.module.path", "") + File.pathSeparator + System.getProperty("java.class.path");
        for (String path : paths.split(File.pathSeparator)) {
            if (path.endsWith(".jar")) {
                copy(Path.of(path));
            }
        }
        try (Stream<Path> built = Files.list(TARGET)) {
            jar = copy(built.filter(file -> file.getFileName().toString().matches("ayatori-jpi-[0-9.]+\\.jar"))
                    .findFirst()
                    .orElseThrow());
        }
    }

    private static Path copy(Path file) throws IOException {
        return Files.copy(file, jars.resolve(file.getFileName()), StandardCopyOption.REPLACE_EXISTING);
    }

    /** Whatever a run was ended by. */
    @AfterEach
    void nothingIsLeftBehind() throws IOException {
        assertEquals(List.of(), contents(temporary));
    }

    private static List<String> contents(Path folder) throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            return files.map(file -> file.getFileName().toString()).toList();
        }
    }

    final StartedRun start(String... words) throws IOException {
        // More than two ranks share CPUs, whatever machine this is: what they send depends on it.
        return start(List.of(JAVA.toString(), "-XX:ActiveProcessorCount=2"), words);
    }

    final StartedRun start(List<String> java, String... words) throws IOException {
        List<String> command = new ArrayList<>(java);
        command.add("-Djava.io.tmpdir=" + temporary);
        command.addAll(List.of("-cp", jar + File.pathSeparator + TEST_CLASSES, "jpi.JRun"));
        command.addAll(List.of(words));
        return new StartedRun(command, jars);
    }

    final Result run(String... words) throws IOException, InterruptedException {
        try (StartedRun run = start(words)) {
            Result result = run.end();
            assertNoMemoryOf(run);
            return result;
        }
    }

    static void assertNoMemoryOf(StartedRun run) throws IOException {
        List<String> left = contents(SHARED_MEMORY);
        assertEquals(
                List.of(),
                left.stream()
                        .filter(name -> name.startsWith("jpi-" + run.pid() + "-"))
                        .toList());
    }

    static String name(Class<?> program) {
        return program.getName();
    }

    /** One line that the master says. */
    static void assertFailure(Result result, int exit, String line) {
        assertEquals("jpi: " + line + "\n", result.err());
        assertEquals(exit, result.exit());
    }

    static void compile(Path source, Path into) throws Exception {
        String compiler = JAVA.resolveSibling("javac").toString();
        List<String> command = List.of(compiler, "-cp", jar.toString(), "-d", into.toString(), source.toString());
        try (StartedRun run = new StartedRun(command, into)) {
            Result compiled = run.end();
            assertEquals(0, compiled.exit(), compiled::err);
        }
    }
}
