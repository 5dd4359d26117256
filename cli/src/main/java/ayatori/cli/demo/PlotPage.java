package ayatori.cli.demo;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * The page of plots: one file without any reference to another, so that it can be mailed, archived and opened without a
 * network. Chart.js (MIT licence, which is kept inside the page) comes from the command's own jar.
 */
final class PlotPage {
    private static final String LIBRARY = "chartjs/chart.umd.min.js";
    private static final String LICENCE = "chartjs/LICENSE.md";
    private static final String TEMPLATE = "page.html";

    private PlotPage() {}

    /**
     * The whole page.
     *
     * @param facts of host and JVM
     * @param summary of all runs
     * @param missing one line per configuration that could not run, and per run that did not end, with the reason
     */
    static String text(Map<String, String> facts, Summary summary, List<String> missing) {
        String data = "{" + "\"facts\":" + object(facts)
                + ",\"verdicts\":" + strings(summary.verdicts())
                + ",\"held\":" + summary.held()
                + ",\"missing\":" + strings(missing)
                + ",\"priorities\":" + Experiment.PRIORITIES
                + ",\"rows\":[" + row(summary, 1) + "," + row(summary, 2) + "]}";
        // Library last: its text must not be searched for the other marks.
        return resource(TEMPLATE)
                .replace("/*DATA*/null", data.replace("</", "<\\/"))
                .replace("/*LICENCE*/", resource(LICENCE).replace("*/", ""))
                .replace("/*CHART-JS*/", resource(LIBRARY).replace("//# sourceMappingURL=", "// "));
    }

    private static String row(Summary summary, int cpus) {
        return "{\"cpus\":" + cpus + ",\"panels\":["
                + summary.lines(cpus).stream().map(PlotPage::panel).collect(Collectors.joining(",")) + "]}";
    }

    private static String panel(Summary.Line line) {
        RunRecord run = line.shown();
        Curve curve = Curve.of(run);
        StringBuilder text = new StringBuilder("{")
                .append("\"key\":")
                .append(string(line.configuration().key()))
                .append(",\"title\":")
                .append(string(line.configuration().title()))
                .append(",\"note\":")
                .append(string(line.configuration().note()))
                .append(",\"order\":")
                .append(string(line.order()))
                .append(",\"lower\":")
                .append(string(line.lowerShares()))
                .append(",\"held\":")
                .append(line.held())
                .append(",\"scheduling\":")
                .append(strings(run.threads().stream()
                        .map(RunRecord.Counted::scheduling)
                        .toList()))
                .append(String.format(Locale.ROOT, ",\"all\":%.3f", line.allEnded() / 1e9))
                .append(String.format(Locale.ROOT, ",\"throttled\":%.3f", line.throttled() / 1e9))
                .append(String.format(Locale.ROOT, ",\"others\":%.3f", line.elsewhere() / 1e9))
                .append(",\"ratio\":")
                .append(
                        line.ratio().isPresent()
                                ? String.format(
                                        Locale.ROOT, "%.3f", line.ratio().getAsDouble())
                                : "null")
                .append(",\"stalls\":")
                .append(numbers(curve.stalls(run), 1e9))
                .append(",\"elapsed\":")
                .append(numbers(curve.elapsed(), 1e9))
                .append(",\"counters\":[");
        for (int thread = 0; thread < curve.counters().length; thread++) {
            text.append(thread == 0 ? "" : ",").append(numbers(curve.counters()[thread], 1e6));
        }
        return text.append("]}").toString();
    }

    private static String numbers(long[] values, double unit) {
        StringBuilder text = new StringBuilder("[");
        for (int at = 0; at < values.length; at++) {
            text.append(at == 0 ? "" : ",").append(String.format(Locale.ROOT, "%.4f", values[at] / unit));
        }
        return text.append(']').toString();
    }

    private static String object(Map<String, String> values) {
        return values.entrySet().stream()
                .map(entry -> string(entry.getKey()) + ":" + string(entry.getValue()))
                .collect(Collectors.joining(",", "{", "}"));
    }

    private static String strings(List<String> values) {
        return values.stream().map(PlotPage::string).collect(Collectors.joining(",", "[", "]"));
    }

    private static String string(String value) {
        StringBuilder text = new StringBuilder("\"");
        for (int at = 0; at < value.length(); at++) {
            char c = value.charAt(at);
            if (c == '"' || c == '\\' || c < ' ') {
                text.append(String.format(Locale.ROOT, "\\u%04x", (int) c));
            } else {
                text.append(c);
            }
        }
        return text.append('"').toString();
    }

    private static String resource(String name) {
        try (InputStream in = PlotPage.class.getResourceAsStream(name)) {
            if (in == null) {
                throw new IllegalStateException("the command's jar lacks " + name);
            }
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
