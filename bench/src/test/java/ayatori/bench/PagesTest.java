package ayatori.bench;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The examples of the pages in docs are compiled and run, each as it stands there. */
class PagesTest {
    /** Structured concurrency is a preview, whose form changes from JDK to JDK. */
    private static final int JDK = 25;

    private static final Pattern EXAMPLE = Pattern.compile("```java\n(.*?)```", Pattern.DOTALL);

    /** A whole program, and its name. */
    private static final Pattern PROGRAM = Pattern.compile("^public class (\\w+)", Pattern.MULTILINE);

    private static final String CLASSES =
            System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"));

    private static final String BEFORE_POOL = """
            import ayatori.bench.jetty.*;
            import ayatori.pool.*;
            import ayatori.sched.*;
            import java.util.concurrent.*;
            import org.eclipse.jetty.server.*;
            import org.eclipse.jetty.util.Callback;

            final class Page {
                record Scene() {}
                record Image() {}

                final Scene scene = new Scene();
                final ReusableThreadPool pool = ReusableThreadPool.builder().build();
                final Handler application = new Handler.Abstract() {
                    @Override
                    public boolean handle(Request request, Response response, Callback callback) {
                        callback.succeeded();
                        return true;
                    }
                };

                Image render(Scene which) {
                    return new Image();
                }

                Image smooth(Image which) {
                    return which;
                }

                void show(Object what) {}

                void sendStatistics() {}
            """;

    private static final String BEFORE_SERVER = """
            import ayatori.server.*;
            import java.io.IOException;
            import java.lang.foreign.*;
            import java.nio.file.*;
            import java.time.Duration;
            import java.util.concurrent.*;

            final class Page {
                final Path path = Path.of("Page.java");

                long read(Path which, MemorySegment into) throws IOException {
                    byte[] all = Files.readAllBytes(which);
                    MemorySegment.copy(all, 0, into, ValueLayout.JAVA_BYTE, 0, (int) Math.min(all.length, into.byteSize()));
                    return Math.min(all.length, into.byteSize());
                }
            """;

    private static final String BEFORE_JPI = """
            import java.lang.foreign.ValueLayout;
            import jpi.*;

            public final class Page {
                final JComm world = JHandle.current().COMM_WORLD;
                final double[] row = new double[512];
                final int right = (world.rank() + 1) % world.size();
            """;

    @TempDir
    Path folder;

    private static List<String> examples(String page) throws IOException {
        String text = Files.readString(Path.of(System.getProperty("ayatori.root"), "docs", page));
        return EXAMPLE.matcher(text).results().map(example -> example.group(1)).toList();
    }

    @Test
    void thoseOfThePool() throws IOException, InterruptedException {
        List<String> examples = examples("pool.md");
        assertTrue(examples.size() >= 10, examples.size() + " examples found");
        run(BEFORE_POOL, examples);
    }

    @Test
    void thoseOfServers() throws IOException, InterruptedException {
        List<String> examples = examples("server.md");
        assertEquals(3, examples.size(), "in one JVM, a server and its client in another process");
        assertTrue(examples.get(1).contains("…"), "where the server lives, its client calls");
        String both = examples.get(1)
                .replace("…", examples.get(2))
                .replace("/run/files", folder.resolve("door").toString());
        run(BEFORE_SERVER, List.of(examples.getFirst(), both));
    }

    /** By two ranks. Whole programs are only compiled: JPI's own tests know what the first one prints. */
    @Test
    void thoseOfJpi() throws IOException, InterruptedException {
        List<String> sources = new ArrayList<>();
        // Rank 0 sends to rank 1 and then receives: it hears from itself, so that each can do both.
        List<String> pieces = new ArrayList<>(
                List.of("if (world.rank() == 0) {\nworld.send(JBuffer.of(new double[510]), 0, 0);\n}\n"));
        for (String example : examples("jpi.md")) {
            Matcher program = PROGRAM.matcher(example);
            if (program.find()) {
                Path file = folder.resolve(program.group(1) + ".java");
                sources.add(Files.writeString(file, example).toString());
            } else {
                pieces.add(example);
            }
        }
        assertTrue(!sources.isEmpty() && pieces.size() >= 3, "found " + sources + " and " + pieces);
        sources.add(write(BEFORE_JPI, pieces, "").toString());
        List<String> options = List.of("-d", folder.toString(), "-cp", CLASSES);
        assertEquals(
                "",
                output(
                        "javac",
                        Stream.concat(options.stream(), sources.stream()).toList()));
        String classes = folder + File.pathSeparator + CLASSES;
        assertEquals("all run\nall run\n", output("java", List.of("-cp", classes, "jpi.JRun", "-nt", "2", "Page")));
    }

    private void run(String before, List<String> examples) throws IOException, InterruptedException {
        assumeTrue(Runtime.version().feature() == JDK, "SKIP: the pages' previews need JDK " + JDK);
        // Servers and pools that the examples leave open are none of its business.
        Path file = write(before, examples, "System.exit(0);\n");
        String output = output(
                "java",
                List.of(
                        "--enable-preview",
                        "--source=" + JDK,
                        "--enable-native-access=ALL-UNNAMED",
                        "-Dslf4j.internal.verbosity=ERROR",
                        "-cp",
                        CLASSES,
                        file.toString()));
        assertTrue(output.endsWith("all run\n"), output);
    }

    /** A class with a method for each example, and one that calls them all, says so, and ends. */
    private Path write(String before, List<String> examples, String end) throws IOException {
        StringBuilder source = new StringBuilder(before);
        StringBuilder main = new StringBuilder("public static void main(String[] arguments) throws Exception {\n");
        for (int i = 0; i < examples.size(); i++) {
            source.append("void example%d() throws Exception {\n%s}\n".formatted(i, examples.get(i)));
            main.append("new Page().example%d();\n".formatted(i));
        }
        source.append(main)
                .append("System.out.println(\"all run\");\n")
                .append(end)
                .append("}\n}\n");
        return Files.writeString(folder.resolve("Page.java"), source);
    }

    /** Of a tool of this JDK, which has to succeed. */
    private String output(String tool, List<String> arguments) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(
                List.of(Path.of(System.getProperty("java.home"), "bin", tool).toString()));
        command.addAll(arguments);
        Process process = new ProcessBuilder(command)
                .directory(folder.toFile())
                .redirectErrorStream(true)
                .redirectOutput(folder.resolve("output").toFile())
                .start();
        boolean ended = process.waitFor(60, TimeUnit.SECONDS);
        process.descendants().forEach(ProcessHandle::destroyForcibly);
        process.destroyForcibly().waitFor();
        String output = Files.readString(folder.resolve("output"), StandardCharsets.UTF_8);
        assertTrue(ended, output);
        assertEquals(0, process.exitValue(), output);
        return output;
    }
}
