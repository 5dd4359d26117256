package ayatori.cli.why;

import ayatori.cli.ThreadTable;
import ayatori.cli.why.Shares.Entry;
import ayatori.cli.why.Shares.Sum;
import ayatori.cli.why.Span.Kind;
import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import java.io.IOException;
import java.io.StringWriter;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The findings for programs: one JSON object. What is not known is null. */
final class WhyJson {
    private final JsonGenerator json;
    private final long total;

    private WhyJson(JsonGenerator json, long total) {
        this.json = json;
        this.total = total;
    }

    static String of(Findings findings) {
        StringWriter text = new StringWriter();
        try (JsonGenerator json = new JsonFactory().createGenerator(text).useDefaultPrettyPrinter()) {
            new WhyJson(json, findings.watch().shares().total()).write(findings);
        } catch (IOException e) {
            throw new IllegalStateException("writing to memory", e);
        }
        return text.toString();
    }

    private void write(Findings findings) throws IOException {
        WatchedThread thread = findings.thread();
        Findings.Watch watch = findings.watch();
        json.writeStartObject();
        json.writeNumberField("pid", thread.process().pid());
        json.writeNumberField("tid", thread.tid());
        json.writeStringField("name", thread.known().name());
        json.writeStringField("level", thread.level());
        json.writeStringField("summary", findings.source());
        json.writeNumberField("watched_ns", watch.nanos());
        json.writeBooleanField("ended", watch.ended());
        string("by_whom_refused", watch.refusal().map(TraceRefusal::reason).orElse(null));
        string("remedy", watch.refusal().map(TraceRefusal::remedy).orElse(null));
        json.writeArrayFieldStart("shares");
        for (Kind kind : Kind.values()) {
            json.writeStartObject();
            json.writeStringField("what", kind.name().toLowerCase(Locale.ROOT));
            end(watch.shares().of(kind));
        }
        json.writeEndArray();
        waits(watch.shares().waits());
        sleeps(watch.shares());
        counted(watch.counted());
        jvm(findings);
        trace(watch.trace());
        json.writeEndObject();
    }

    private void waits(List<Entry<Optional<Runner>>> waits) throws IOException {
        json.writeArrayFieldStart("waited_for");
        for (Entry<Optional<Runner>> entry : waits) {
            json.writeStartObject();
            runner(entry.cause());
            if (entry.cause().isPresent()) {
                json.writeBooleanField("lower", entry.cause().get().lower());
            } else {
                json.writeNullField("lower");
            }
            end(entry.sum());
        }
        json.writeEndArray();
    }

    private void sleeps(Shares shares) throws IOException {
        json.writeArrayFieldStart("slept_in");
        for (Kind kind : Kind.values()) {
            for (Entry<Shares.Sleep> entry : shares.sleeps(kind)) {
                Shares.Sleep sleep = entry.cause();
                json.writeStartObject();
                json.writeStringField("what", kind.name().toLowerCase(Locale.ROOT));
                string("in", sleep.in().isEmpty() ? null : sleep.in());
                json.writeBooleanField("woken_by_interrupt", sleep.interrupt());
                json.writeObjectFieldStart("woken_by");
                runner(sleep.wokenBy());
                json.writeEndObject();
                end(entry.sum());
            }
        }
        json.writeEndArray();
    }

    private void runner(Optional<Runner> runner) throws IOException {
        string("name", runner.map(Runner::name).orElse(null));
        number("tid", runner.map(who -> (long) who.tid()).orElse(null));
        number(
                "pid",
                runner.isPresent() && runner.get().process().isPresent()
                        ? (long) runner.get().process().getAsInt()
                        : null);
        string("of", runner.map(Runner::of).orElse(null));
        string("level", runner.map(Runner::level).orElse(null));
    }

    private void counted(Optional<Look> counted) throws IOException {
        number(
                "run_delay_ns",
                counted.map(it -> it.statistics().runDelayNanos()).orElse(null));
        number("cpu_ns", counted.map(it -> it.statistics().cpuNanos()).orElse(null));
        number(
                "voluntary",
                counted.map(it -> it.statistics().voluntarySwitches()).orElse(null));
        number(
                "involuntary",
                counted.map(it -> it.statistics().involuntarySwitches()).orElse(null));
        number("minor_faults", counted.map(Look::minorFaults).orElse(null));
        number("major_faults", counted.map(Look::majorFaults).orElse(null));
    }

    private void jvm(Findings findings) throws IOException {
        Optional<JvmCounters> jvm = findings.jvm();
        number("safepoints", jvm.map(JvmCounters::safepoints).orElse(null));
        number("safepoint_ns", jvm.map(JvmCounters::safepointNanos).orElse(null));
        json.writeArrayFieldStart("collections");
        for (JvmCounters.Collector collector : jvm.map(JvmCounters::collectors).orElse(List.of())) {
            json.writeStartObject();
            json.writeStringField("name", collector.name());
            json.writeNumberField("count", collector.count());
            json.writeNumberField("ns", collector.nanos());
            json.writeEndObject();
        }
        json.writeEndArray();
        json.writeNumberField("dumps", findings.dumps());
        json.writeObjectFieldStart("states");
        for (Map.Entry<String, Integer> state : findings.states().entrySet()) {
            json.writeNumberField(state.getKey(), state.getValue());
        }
        json.writeEndObject();
    }

    private void trace(Optional<Findings.Trace> trace) throws IOException {
        number("switches_on_host", trace.map(Findings.Trace::switches).orElse(null));
        number("lost_events", trace.map(Findings.Trace::lost).orElse(null));
        number("unread_lines", trace.map(Findings.Trace::unread).orElse(null));
    }

    /** The end of an object, with the figures that each has. */
    private void end(Sum sum) throws IOException {
        json.writeNumberField("ns", sum.nanos());
        json.writeFieldName("percent");
        json.writeNumber(ThreadTable.decimal(total == 0 ? 0 : 100.0 * sum.nanos() / total, 3));
        json.writeNumberField("times", sum.times());
        json.writeEndObject();
    }

    private void string(String name, @Nullable String value) throws IOException {
        json.writeFieldName(name);
        json.writeString(value); // null is written as such
    }

    private void number(String name, @Nullable Long value) throws IOException {
        if (value == null) {
            json.writeNullField(name);
        } else {
            json.writeNumberField(name, value);
        }
    }
}
