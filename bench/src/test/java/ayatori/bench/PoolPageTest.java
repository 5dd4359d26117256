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
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The examples of docs/pool.md are compiled and run, each as it stands there. */
class PoolPageTest {
    /** Structured concurrency is a preview, whose form changes from JDK to JDK. */
    private static final int JDK = 25;

    private static final Pattern EXAMPLE = Pattern.compile("```java\n(.*?)```", Pattern.DOTALL);

    private static final String BEFORE = """
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

    @Test
    void everyExampleCompilesAndRuns(@TempDir Path folder) throws IOException, InterruptedException {
        assumeTrue(Runtime.version().feature() == JDK, "SKIP: the page's previews need JDK " + JDK);
        String page = Files.readString(Path.of(System.getProperty("ayatori.root"), "docs/pool.md"));
        StringBuilder source = new StringBuilder(BEFORE);
        StringBuilder main = new StringBuilder("public static void main(String[] arguments) throws Exception {\n");
        int examples = 0;
        for (Matcher example = EXAMPLE.matcher(page); example.find(); examples++) {
            source.append("void example%d() throws Exception {\n%s}\n".formatted(examples, example.group(1)));
            main.append("new Page().example%d();\n".formatted(examples));
        }
        assertTrue(examples >= 10, examples + " examples found");
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
