package ayatori.cli.agent;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import ayatori.cli.Archive;
import ayatori.cli.Finished;
import ayatori.cli.Program;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** The C programs of the tests, in src/test/c, each compiled once. */
final class NativeActors {
    private static final Path FOLDER = Archive.publicFolder("ayatori-native-actors");

    private NativeActors() {}

    /** The native half of the actors, for them to load; the test is skipped where no C compiler is. */
    static Path library() {
        return library("actors");
    }

    /** An allocator whose lock one thread keeps while another one waits, for LD_PRELOAD. */
    static Path slowAllocator() {
        return library("slow_allocator");
    }

    /** A library that takes long to load, with the dynamic linker's lock held. */
    static Path slowLibrary() {
        return library("slow_library");
    }

    /** Keeps HotSpot from naming its threads, for LD_PRELOAD. */
    static Path nameless() {
        return library("nameless");
    }

    private static synchronized Path library(String name) {
        assumeTrue(Program.run(List.of("sh", "-c", "command -v gcc")).exit() == 0, "no gcc");
        Path library = FOLDER.resolve("lib" + name + ".so");
        if (!Files.exists(library)) {
            String include = System.getProperty("java.home") + "/include";
            String source = Path.of(System.getProperty("ayatori.root", ".."), "cli/src/test/c/" + name + ".c")
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
                    library.toString(),
                    source));
            assertEquals(0, gcc.exit(), gcc.err());
        }
        return library;
    }
}
