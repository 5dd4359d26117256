package ayatori.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;

/** An ordinary JVM that computes beside what is measured, until it is closed, or by itself after a minute. */
final class HogProcess implements AutoCloseable {
    private static final long LIMIT_SECONDS = 60;

    private final Process process;
    private final Path output;

    private HogProcess(Process process, Path output) {
        this.process = process;
        this.output = output;
    }

    /**
     * Starts it and waits until it computes.
     *
     * @param before a command that becomes the JVM, such as {@code taskset -c 1}
     */
    static HogProcess start(Jdk jdk, int threads, String... before) throws IOException, InterruptedException {
        Path output = Files.createTempFile("ayatori-bench", ".out");
        Process process = Load.of(jdk, "Hogs", threads, LIMIT_SECONDS)
                .withJvm("-Xmx16m", "-XX:+UseSerialGC")
                .by(before)
                .start(output);
        HogProcess hogs = new HogProcess(process, output);
        while (Load.outcome(true, 0, output).values("ready", 1).length == 0) {
            if (process.waitFor(1, TimeUnit.MILLISECONDS)) {
                String message = Files.readString(output);
                hogs.close();
                throw new IOException("the hogs have ended: " + message);
            }
        }
        return hogs;
    }

    long cpuNanos() {
        return process.info().totalCpuDuration().orElseThrow().toNanos();
    }

    @Override
    public void close() throws IOException {
        process.destroyForcibly();
        Files.delete(output);
    }
}
