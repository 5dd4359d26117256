package ayatori.cli.top;

import ayatori.cli.KernelPriority;
import ayatori.cli.ThreadRow;
import ayatori.cli.ThreadTable;
import ayatori.internal.linux.Errno;
import java.time.Instant;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;

/** A sample as JSON: one object, one line a thread. What is not known is null. */
final class SampleJson {
    private final StringBuilder text = new StringBuilder();

    private SampleJson() {}

    /**
     * Writes a sample.
     *
     * @param rows in the order in which they shall stand
     */
    static String of(Watch.Frame frame, List<LiveRow> rows, Instant time, double intervalSeconds) {
        SampleJson json = new SampleJson();
        json.text.append("{");
        json.field("time", quote(time.toString()));
        json.field("interval_s", ThreadTable.decimal(intervalSeconds, 3));
        json.text.append(",\n\"jvms\": [");
        for (Iterator<Watch.Jvm> each = frame.jvms().iterator(); each.hasNext(); ) {
            Watch.Jvm jvm = each.next();
            json.text.append("\n  {");
            json.field("pid", Integer.toString(jvm.pid()));
            json.field("command", quote(jvm.commandLine()));
            json.field("summary", quote(jvm.summary()));
            json.text.append(each.hasNext() ? "}," : "}");
        }
        json.text.append("],\n\"threads\": [");
        for (Iterator<LiveRow> each = rows.iterator(); each.hasNext(); ) {
            json.thread(each.next());
            json.text.append(each.hasNext() ? "," : "");
        }
        return json.text.append("]}").toString();
    }

    private void thread(LiveRow row) {
        ThreadRow thread = row.thread();
        text.append("\n  {");
        field("pid", Integer.toString(row.pid()));
        field("tid", Integer.toString(thread.tid()));
        field("name", quote(thread.name()));
        field("kind", quote(thread.kind().label()));
        field("java_priority", thread.javaPriority() == 0 ? "null" : Integer.toString(thread.javaPriority()));
        field("wanted", thread.wanted().map(level -> quote(ThreadTable.level(level))));
        field("actual", quote(ThreadTable.level(thread.actual())));
        field("mismatch", Boolean.toString(thread.mismatched()));
        field("errno", thread.errno() == 0 ? "null" : quote(Errno.name(thread.errno())));
        field("dues", Integer.toString(thread.dues()));
        field("effective", thread.inherits() ? quote(KernelPriority.text(thread.kernelPriority())) : "null");
        field("rank", Integer.toString(row.rank()));
        field("cpu_percent", percent(row.rates().map(Rates::cpu)));
        field("cpu_s", ThreadTable.decimal(thread.statistics().cpuNanos() / 1e9, 6));
        field("last_cpu", Integer.toString(thread.lastCpu()));
        field("delay_percent", percent(row.rates().map(Rates::delay)));
        field("delay_s", ThreadTable.decimal(thread.statistics().runDelayNanos() / 1e9, 6));
        field("voluntary_per_s", row.rates().map(rates -> ThreadTable.decimal(rates.voluntary(), 1)));
        field("involuntary_per_s", row.rates().map(rates -> ThreadTable.decimal(rates.involuntary(), 1)));
        text.append('}');
    }

    private static Optional<String> percent(Optional<Double> share) {
        return share.map(value -> ThreadTable.decimal(value * 100, 2));
    }

    private void field(String name, Optional<String> value) {
        field(name, value.orElse("null"));
    }

    private void field(String name, String value) {
        char before = text.charAt(text.length() - 1);
        text.append(before == '{' ? "\"" : ", \"").append(name).append("\": ").append(value);
    }

    /** A JSON string, RFC 8259. */
    static String quote(String value) {
        StringBuilder quoted = new StringBuilder("\"");
        for (int i = 0; i < value.length(); i++) {
            char c = value.charAt(i);
            if (c == '"' || c == '\\') {
                quoted.append('\\').append(c);
            } else if (c < ' ' || (Character.isSurrogate(c) && !paired(value, i))) {
                quoted.append("\\u%04x".formatted((int) c));
            } else {
                quoted.append(c);
            }
        }
        return quoted.append('"').toString();
    }

    private static boolean paired(String value, int i) {
        return Character.isHighSurrogate(value.charAt(i))
                ? i + 1 < value.length() && Character.isLowSurrogate(value.charAt(i + 1))
                : i > 0 && Character.isHighSurrogate(value.charAt(i - 1));
    }
}
