package ayatori.cli.why;

import ayatori.cli.UserMistake;
import ayatori.cli.why.Span.Kind;
import com.fasterxml.jackson.core.JsonEncoding;
import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.util.MinimalPrettyPrinter;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;

/**
 * A timeline in the Trace Event Format (JSON), which ui.perfetto.dev and chrome://tracing open: the watched thread, and
 * below it each thread that had its CPU while it waited, at the times when it had.
 *
 * @see <a href="https://docs.google.com/document/d/1CvAClvFfyA5R-PhYUmn5OOQtYMH4h6I0nSsKchNAySU">Trace Event Format</a>
 */
final class TimelineFile implements AutoCloseable {
    private final JsonGenerator json;
    private final Set<Integer> named = new HashSet<>();
    private final WatchedThread watched;

    private TimelineFile(JsonGenerator json, WatchedThread watched) {
        this.json = json;
        this.watched = watched;
    }

    /**
     * Begins.
     *
     * @throws UserMistake if the file cannot be written
     */
    static TimelineFile create(Path path, WatchedThread watched) {
        try {
            JsonGenerator json = new JsonFactory()
                    .createGenerator(Files.newOutputStream(path), JsonEncoding.UTF8)
                    .setPrettyPrinter(new MinimalPrettyPrinter("\n"));
            json.writeStartObject();
            json.writeStringField("displayTimeUnit", "ms");
            json.writeArrayFieldStart("traceEvents");
            TimelineFile file = new TimelineFile(json, watched);
            file.name(
                    "process_name",
                    watched.process().pid(),
                    0,
                    "JVM " + watched.process().pid());
            file.name(
                    "thread_name",
                    watched.process().pid(),
                    watched.tid(),
                    watched.known().name());
            return file;
        } catch (IOException e) {
            throw new UserMistake("--trace '" + path + "' cannot be written: " + reason(e));
        }
    }

    /**
     * Writes a span.
     *
     * @param in what the thread slept in
     * @param other who had the CPU meanwhile, or ended the sleep
     */
    void write(Span span, String in, Optional<Runner> other) {
        try {
            String title = span.kind().text();
            if (span.kind() == Kind.WAITED) {
                title += ": " + other.map(Runner::name).orElse("CPU idle, or thread throttled");
            } else if (!in.isEmpty()) {
                title += ": " + in;
            }
            begin(title, span, watched.process().pid(), watched.tid());
            if (span.cpu() >= 0) {
                json.writeNumberField("cpu", span.cpu());
            }
            if (span.kind().sleeping()) {
                json.writeStringField(
                        "woken by",
                        span.interrupt()
                                ? "a timer or a device"
                                : other.map(Runner::name).orElse(""));
            }
            end();
            if (span.kind() == Kind.WAITED && other.isPresent()) {
                runner(span, other.get());
            }
        } catch (IOException e) {
            throw broken(e);
        }
    }

    /** The message of these is the path alone. */
    private static String reason(IOException e) {
        return switch (e) {
            case NoSuchFileException missing -> "there is no such folder";
            case AccessDeniedException denied -> "permission denied";
            default -> String.valueOf(e.getMessage());
        };
    }

    private static UserMistake broken(IOException e) {
        return new UserMistake("--trace: the timeline cannot be written: " + e.getMessage());
    }

    private void runner(Span span, Runner runner) throws IOException {
        int process = runner.process().orElse(0);
        if (named.add(runner.tid())) {
            if (process != watched.process().pid()) {
                name("process_name", process, 0, runner.of());
            }
            name("thread_name", process, runner.tid(), runner.name());
        }
        begin("had CPU " + span.cpu(), span, process, runner.tid());
        json.writeStringField("level", runner.level());
        end();
    }

    private void begin(String title, Span span, int process, int tid) throws IOException {
        json.writeStartObject();
        json.writeStringField("name", title);
        json.writeStringField("cat", "sched");
        json.writeStringField("ph", "X");
        micros("ts", span.from());
        micros("dur", span.nanos());
        json.writeNumberField("pid", process);
        json.writeNumberField("tid", tid);
        json.writeObjectFieldStart("args");
    }

    private void end() throws IOException {
        json.writeEndObject();
        json.writeEndObject();
    }

    private void name(String what, int process, int tid, String name) throws IOException {
        json.writeStartObject();
        json.writeStringField("name", what);
        json.writeStringField("ph", "M");
        json.writeNumberField("pid", process);
        json.writeNumberField("tid", tid);
        json.writeObjectFieldStart("args");
        json.writeStringField("name", name);
        end();
    }

    private void micros(String field, long nanos) throws IOException {
        json.writeFieldName(field);
        json.writeNumber(nanos / 1000 + "." + String.format("%03d", nanos % 1000));
    }

    @Override
    public void close() {
        try (json) {
            json.writeEndArray();
            json.writeEndObject();
        } catch (IOException e) {
            throw broken(e);
        }
    }
}
