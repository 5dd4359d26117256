package ayatori.cli.agent;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import ayatori.cli.Archive;
import ayatori.cli.Finished;
import ayatori.cli.Program;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** The native half of the actors, src/test/c/actors.c, compiled once. */
final class NativeActors {
    private static final Path LIBRARY =
            Archive.publicFolder("ayatori-native-actors").resolve("libactors.so");

    private NativeActors() {}

    /** What to load; the test is skipped where no C compiler is. */
    static synchronized Path library() {
        assumeTrue(Program.run(List.of("sh", "-c", "command -v gcc")).exit() == 0, "no gcc");
        if (!Files.exists(LIBRARY)) {
            String include = System.getProperty("java.home") + "/include";
            String source = Path.of(System.getProperty("ayatori.root", ".."), "cli/src/test/c/actors.c")
                    .toString();
            Finished gcc = Program.run(List.of(
                    "gcc",
                    "-O1",
                    "-Wall",
                    "-Wextra",
                    "-Werror",
                    "-shared",
                    "-fPIC",
                    "-pthread",
                    "-I" + include,
                    "-I" + include + "/linux",
                    "-o",
                    LIBRARY.toString(),
                    source));
            assertEquals(0, gcc.exit(), gcc.err());
        }
        return LIBRARY;
    }
}
