package ayatori.cli.top;

import ayatori.cli.KernelPriority;
import ayatori.cli.ThreadRow;
import ayatori.cli.ThreadTable;
import ayatori.internal.linux.Errno;
import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.util.DefaultIndenter;
import com.fasterxml.jackson.core.util.DefaultPrettyPrinter;
import com.fasterxml.jackson.core.util.Separators;
import java.io.IOException;
import java.io.StringWriter;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** A sample as JSON: one object, one line a process and a thread. What is not known is null. */
final class SampleJson {
    private SampleJson() {}

    /**
     * Writes a sample.
     *
     * @param rows in the order in which they shall stand
     */
    static String of(Watch.Frame frame, List<LiveRow> rows, Instant time, double intervalSeconds) {
        StringWriter text = new StringWriter();
        try (JsonGenerator json = new JsonFactory().createGenerator(text).setPrettyPrinter(oneLineAnElement())) {
            json.writeStartObject();
            json.writeStringField("time", time.toString());
            decimal(json, "interval_s", intervalSeconds, 3);
            json.writeArrayFieldStart("jvms");
            for (Watch.Shown process : frame.processes()) {
                if (process.jvm()) {
                    write(json, process);
                }
            }
            json.writeEndArray();
            json.writeArrayFieldStart("native_programs");
            for (Watch.Shown process : frame.processes()) {
                if (!process.jvm()) {
                    write(json, process);
                }
            }
            json.writeEndArray();
            json.writeArrayFieldStart("threads");
            for (LiveRow row : rows) {
                write(json, row);
            }
            json.writeEndArray();
            json.writeEndObject();
        } catch (IOException e) {
            throw new IllegalStateException("writing to memory", e);
        }
        return text.toString();
    }

    private static DefaultPrettyPrinter oneLineAnElement() {
        DefaultPrettyPrinter printer = new DefaultPrettyPrinter(Separators.createDefaultInstance()
                .withObjectFieldValueSpacing(Separators.Spacing.AFTER)
                .withObjectEntrySpacing(Separators.Spacing.AFTER));
        printer.indentObjectsWith(new DefaultPrettyPrinter.NopIndenter());
        printer.indentArraysWith(DefaultIndenter.SYSTEM_LINEFEED_INSTANCE);
        return printer;
    }

    private static void write(JsonGenerator json, Watch.Shown process) throws IOException {
        json.writeStartObject();
        json.writeNumberField("pid", process.pid());
        string(json, "program", process.program().orElse(null));
        json.writeStringField("command", process.commandLine());
        json.writeStringField("summary", process.summary());
        json.writeEndObject();
    }

    private static void write(JsonGenerator json, LiveRow row) throws IOException {
        ThreadRow thread = row.thread();
        json.writeStartObject();
        json.writeNumberField("pid", row.pid());
        json.writeNumberField("tid", thread.tid());
        json.writeStringField("name", thread.name());
        json.writeStringField("kind", thread.kind().label());
        if (thread.javaPriority() == 0) {
            json.writeNullField("java_priority");
        } else {
            json.writeNumberField("java_priority", thread.javaPriority());
        }
        string(json, "wanted", thread.wanted().map(ThreadTable::level).orElse(null));
        string(json, "actual", ThreadTable.level(thread.actual()));
        json.writeBooleanField("mismatch", thread.mismatched());
        string(json, "errno", thread.errno() == 0 ? null : Errno.name(thread.errno()));
        json.writeNumberField("dues", thread.dues());
        string(json, "effective", thread.inherits() ? KernelPriority.text(thread.kernelPriority()) : null);
        json.writeNumberField("rank", row.rank());
        rate(json, "cpu_percent", row, rates -> 100 * rates.cpu());
        decimal(json, "cpu_s", thread.statistics().cpuNanos() / 1e9, 6);
        json.writeNumberField("last_cpu", thread.lastCpu());
        rate(json, "delay_percent", row, rates -> 100 * rates.delay());
        decimal(json, "delay_s", thread.statistics().runDelayNanos() / 1e9, 6);
        rate(json, "voluntary_per_s", row, Rates::voluntary);
        rate(json, "involuntary_per_s", row, Rates::involuntary);
        json.writeEndObject();
    }

    private static void string(JsonGenerator json, String name, @Nullable String value) throws IOException {
        json.writeFieldName(name);
        json.writeString(value); // null is written as such
    }

    private static void rate(JsonGenerator json, String name, LiveRow row, Function<Rates, Double> rate)
            throws IOException {
        Optional<Double> value = row.rates().map(rate);
        if (value.isPresent()) {
            decimal(json, name, value.get(), 2);
        } else {
            json.writeNullField(name);
        }
    }

    private static void decimal(JsonGenerator json, String name, double value, int digits) throws IOException {
        json.writeFieldName(name);
        json.writeNumber(ThreadTable.decimal(value, digits)); // a number given as text stays as it is written
    }
}
