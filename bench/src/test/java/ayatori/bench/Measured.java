package ayatori.bench;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;

/** The measurements as users start them. */
final class Measured {
    static final Path ROOT = Path.of(System.getProperty("ayatori.root"));

    private Measured() {}

    /** What a command of bench/run prints; it must end well. */
    static String bench(String... arguments) throws IOException, InterruptedException {
        return run(ROOT.resolve("bench/run"), arguments);
    }

    /** What a command prints; it must end well. */
    static String run(Path program, String... arguments) throws IOException, InterruptedException {
        ProcessBuilder builder = new ProcessBuilder(arguments).redirectErrorStream(true);
        builder.command().addFirst(program.toString());
        Process process = builder.start();
        process.getOutputStream().close();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertEquals(0, process.waitFor(), output);
        return output;
    }

    /** Where a paper's run says that it has kept its results, below its folder. */
    static String kept(String output) {
        return output.lines()
                .filter(line -> line.startsWith("kept in "))
                .map(line -> line.substring("kept in ".length()))
                .findFirst()
                .orElseThrow();
    }
}
