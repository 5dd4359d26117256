package ayatori.cli;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** A program that a test has started. It gets so much time and not more, and is gone after {@link #close}. */
public final class Program implements AutoCloseable {
    /** Ample: it only bounds what hangs. */
    private static final Duration LIMIT = Duration.ofMinutes(2);

    private final Process process;
    private final Output out;
    private final Output err;

    private Program(Process process) {
        this.process = process;
        this.out = new Output(process.getInputStream());
        this.err = new Output(process.getErrorStream());
    }

    /** Collects a stream as it comes. */
    private static final class Output extends Thread {
        private final InputStream stream;
        private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        private boolean ended;

        Output(InputStream stream) {
            this.stream = stream;
            setDaemon(true);
            start();
        }

        @Override
        public void run() {
            byte[] buffer = new byte[8192];
            try {
                for (int n = stream.read(buffer); n >= 0; n = stream.read(buffer)) {
                    add(buffer, n);
                }
            } catch (IOException e) {
                // The program is gone: what came until then counts.
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

        synchronized byte[] soFar() {
            return bytes.toByteArray();
        }

        /** Waits until the text has come or the stream ended. */
        synchronized boolean await(String text) throws InterruptedException {
            long deadline = System.nanoTime() + LIMIT.toNanos();
            while (!bytes.toString(UTF_8).contains(text)) {
                long left = TimeUnit.NANOSECONDS.toMillis(deadline - System.nanoTime());
                if (ended || left <= 0) {
                    return false;
                }
                wait(left);
            }
            return true;
        }
    }

    /** Starts a program with an environment that holds nothing for JVMs but what is given. */
    public static Program start(List<String> command, Map<String, String> environment) {
        ProcessBuilder builder = new ProcessBuilder(command);
        builder.environment().keySet().removeAll(List.of("JAVA_TOOL_OPTIONS", "JDK_JAVA_OPTIONS", "_JAVA_OPTIONS"));
        builder.environment().putAll(environment);
        try {
            return new Program(builder.start());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    public static Program start(List<String> command) {
        return start(command, Map.of());
    }

    /** Starts a program without standard input and waits for its end. */
    public static Finished run(List<String> command, Map<String, String> environment) {
        try (Program program = start(command, environment)) {
            return program.end();
        }
    }

    public static Finished run(List<String> command) {
        return run(command, Map.of());
    }

    /** Waits until the program has written the text. */
    public void awaitOut(String text) {
        try {
            if (!out.await(text)) {
                throw new AssertionError("no \"" + text + "\" came; standard output: " + new String(out.soFar(), UTF_8)
                        + "; standard error: " + new String(err.soFar(), UTF_8));
            }
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    /** What it has written so far. */
    public String outSoFar() {
        return new String(out.soFar(), UTF_8);
    }

    public OutputStream in() {
        return process.getOutputStream();
    }

    public long pid() {
        return process.pid();
    }

    /** Sends a signal, as kill(1) does. */
    public void signal(String name) {
        Finished kill = run(List.of("kill", "-s", name, Long.toString(pid())));
        if (kill.exit() != 0) {
            throw new AssertionError(kill.err());
        }
    }

    /** Ends standard input and waits. */
    public Finished end() {
        return end(LIMIT);
    }

    /** The same, for what may take longer than most. */
    public Finished end(Duration limit) {
        try {
            in().close();
        } catch (IOException e) {
            // The program has not read all: that is its business.
        }
        try {
            if (!process.waitFor(limit)) {
                throw new AssertionError("still running after " + limit.toSeconds() + " s: "
                        + process.info().commandLine().orElse("?") + "; it wrote " + new String(out.soFar(), UTF_8)
                        + new String(err.soFar(), UTF_8));
            }
            out.join(LIMIT.toMillis());
            err.join(LIMIT.toMillis());
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
        return new Finished(process.exitValue(), new String(out.soFar(), ISO_8859_1), new String(err.soFar(), UTF_8));
    }

    @Override
    public void close() {
        process.descendants().forEach(ProcessHandle::destroyForcibly);
        process.destroyForcibly();
    }
}
