package ayatori.bench;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The examples of the pages in docs are compiled and run, each as it stands there. */
class PagesTest {
    /** Structured concurrency is a preview, whose form changes from JDK to JDK. */
    private static final int JDK = 25;

    private static final Pattern EXAMPLE = Pattern.compile("```java\n(.*?)```", Pattern.DOTALL);

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

    private void run(String before, List<String> examples) throws IOException, InterruptedException {
        assumeTrue(Runtime.version().feature() == JDK, "SKIP: the pages' previews need JDK " + JDK);
        StringBuilder source = new StringBuilder(before);
        StringBuilder main = new StringBuilder("public static void main(String[] arguments) throws Exception {\n");
        for (int i = 0; i < examples.size(); i++) {
            source.append("void example%d() throws Exception {\n%s}\n".formatted(i, examples.get(i)));
            main.append("new Page().example%d();\n".formatted(i));
        }
        Path file = folder.resolve("Page.java");
        // Servers and pools that the examples leave open are none of its business.
        Files.writeString(
                file, source.append(main).append("System.out.println(\"all run\");\nSystem.exit(0);\n}\n}\n"));
        Process process = new ProcessBuilder(List.of(
                        Path.of(System.getProperty("java.home"), "bin/java").toString(),
                        "--enable-preview",
                        "--source=" + JDK,
                        "--enable-native-access=ALL-UNNAMED",
                        "-Dslf4j.internal.verbosity=ERROR",
                        "-cp",
                        System.getProperty("surefire.test.class.path", System.getProperty("java.class.path")),
                        file.toString()))
                .directory(folder.toFile())
                .redirectErrorStream(true)
                .redirectOutput(folder.resolve("output").toFile())
                .start();
        boolean ended = process.waitFor(60, TimeUnit.SECONDS);
        process.destroyForcibly().waitFor();
        String output = Files.readString(folder.resolve("output"), StandardCharsets.UTF_8);
        assertTrue(ended, output);
        assertEquals(0, process.exitValue(), output);
        assertTrue(output.endsWith("all run\n"), output);
    }
}
