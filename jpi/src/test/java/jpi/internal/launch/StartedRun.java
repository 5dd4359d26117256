package jpi.internal.launch;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** A process that a test has started. It gets so much time and not more, and is gone after {@link #close}. */
final class StartedRun implements AutoCloseable {
    /** Ample: it only bounds what hangs. */
    private static final long LIMIT_SECONDS = 120;

    private final Process process;
    private final Output out;
    private final Output err;

    /** What it left behind. */
    record Result(int exit, String out, String err) {
        List<String> lines() {
            return out.lines().sorted().toList();
        }
    }

    /** Collects a stream as it comes. */
    private static final class Output extends Thread {
        private final InputStream stream;
        private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        private boolean ended;

        Output(InputStream stream) {
            this.stream = stream;
            setDaemon(true);
        }

        @Override
        public void run() {
            byte[] buffer = new byte[8192];
            try {
                for (int n = stream.read(buffer); n >= 0; n = stream.read(buffer)) {
                    add(buffer, n);
                }
            } catch (IOException e) {
                // It is gone: what came until then counts.
            }
            add(buffer, -1);
        }

        private synchronized void add(byte[] buffer, int n) {
            if (n < 0) {
                ended = true;
            } else {
                bytes.write(buffer, 0, n);
            }
            notifyAll();
        }

        synchronized String text() {
            return bytes.toString(UTF_8);
        }

        synchronized String awaitLines(int count) throws InterruptedException {
            long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(LIMIT_SECONDS);
            while (text().lines().count() < count || !text().endsWith("\n")) {
                long left = TimeUnit.NANOSECONDS.toMillis(deadline - System.nanoTime());
                if (ended || left <= 0) {
                    throw new AssertionError("not " + count + " lines came: " + text());
                }
                wait(left);
            }
            return text();
        }
    }

    StartedRun(List<String> command, Path directory) throws IOException {
        List<String> own =
                new ArrayList<>(List.of("env", "--default-signal")); // a shell's background jobs ignore SIGINT
        own.addAll(command);
        ProcessBuilder builder = new ProcessBuilder(own).directory(directory.toFile());
        builder.environment().keySet().removeAll(List.of("JAVA_TOOL_OPTIONS", "JDK_JAVA_OPTIONS", "_JAVA_OPTIONS"));
        process = builder.start();
        out = new Output(process.getInputStream());
        err = new Output(process.getErrorStream());
        out.start();
        err.start();
    }

    /** Standard output, as soon as it has so many lines. */
    List<String> awaitLines(int count) throws InterruptedException {
        return out.awaitLines(count).lines().toList();
    }

    void write(String text) throws IOException {
        process.getOutputStream().write(text.getBytes(UTF_8));
        process.getOutputStream().flush();
    }

    /** Reads no more, as head does. */
    void closeOutput() throws IOException {
        process.getInputStream().close();
    }

    long pid() {
        return process.pid();
    }

    /** As kill(1) does. */
    static void signal(String name, long pid) throws IOException, InterruptedException {
        int exit = new ProcessBuilder("kill", "-s", name, Long.toString(pid))
                .start()
                .waitFor();
        if (exit != 0) {
            throw new AssertionError("kill -s " + name + " " + pid + " exits with " + exit);
        }
    }

    /** Ends standard input and waits. */
    Result end() throws InterruptedException, IOException {
        process.getOutputStream().close();
        if (!process.waitFor(LIMIT_SECONDS, TimeUnit.SECONDS)) {
            throw new AssertionError("still running; it wrote " + out.text() + err.text());
        }
        out.join(TimeUnit.SECONDS.toMillis(LIMIT_SECONDS));
        err.join(TimeUnit.SECONDS.toMillis(LIMIT_SECONDS));
        return new Result(process.exitValue(), out.text(), err.text());
    }

    /** Waits until a process is gone, which need not be this one. */
    static void awaitEnd(long pid) throws Exception {
        var handle = ProcessHandle.of(pid);
        if (handle.isPresent()) {
            var _ = handle.get().onExit().get(LIMIT_SECONDS, TimeUnit.SECONDS);
        }
    }

    @Override
    public void close() {
        process.descendants().forEach(ProcessHandle::destroyForcibly);
        process.destroyForcibly();
    }
}
