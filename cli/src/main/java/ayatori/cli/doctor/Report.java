package ayatori.cli.doctor;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import java.io.IOException;
import java.io.StringWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * All that was found.
 *
 * @param sections in the order in which they are shown
 */
record Report(List<Section> sections) {
    /** Exit code where something is in the way. */
    static final int PROBLEMS = 1;

    private static final String INDENT = "             ";

    /** 0, or 1 if there is a problem. */
    int exitCode() {
        return count(Verdict.PROBLEM) == 0 ? 0 : PROBLEMS;
    }

    /** For people. */
    List<String> lines() {
        List<String> lines = new ArrayList<>();
        for (Section section : sections) {
            lines.add(section.title());
            for (Finding finding : section.findings()) {
                lines.add(String.format("  %-8s %s: %s", finding.verdict().word(), finding.check(), finding.text()));
                finding.reasons().forEach(reason -> lines.add(INDENT + reason));
                finding.remedies().forEach(remedy -> lines.add(INDENT + remedy.where() + ": " + remedy.line()));
            }
            lines.add("");
        }
        long problems = count(Verdict.PROBLEM);
        long warnings = count(Verdict.WARNING);
        lines.add((problems == 0 ? "nothing in the way" : counted(problems, "problem"))
                + (warnings == 0 ? "" : ", " + counted(warnings, "warning")));
        return lines;
    }

    /** For programs: one JSON object. */
    String json() {
        StringWriter text = new StringWriter();
        try (JsonGenerator json = new JsonFactory().createGenerator(text).useDefaultPrettyPrinter()) {
            json.writeStartObject();
            json.writeNumberField("problems", count(Verdict.PROBLEM));
            json.writeNumberField("warnings", count(Verdict.WARNING));
            json.writeArrayFieldStart("sections");
            for (Section section : sections) {
                write(json, section);
            }
            json.writeEndArray();
            json.writeEndObject();
        } catch (IOException e) {
            throw new IllegalStateException("writing to memory", e);
        }
        return text.toString();
    }

    private static void write(JsonGenerator json, Section section) throws IOException {
        json.writeStartObject();
        json.writeStringField("about", section.about());
        json.writeStringField("title", section.title());
        json.writeArrayFieldStart("findings");
        for (Finding finding : section.findings()) {
            json.writeStartObject();
            json.writeStringField("verdict", finding.verdict().word());
            json.writeStringField("check", finding.check());
            json.writeStringField("text", finding.text());
            json.writeArrayFieldStart("reasons");
            for (String reason : finding.reasons()) {
                json.writeString(reason);
            }
            json.writeEndArray();
            json.writeArrayFieldStart("remedies");
            for (Remedy remedy : finding.remedies()) {
                json.writeStartObject();
                json.writeStringField("where", remedy.where());
                json.writeStringField("line", remedy.line());
                json.writeEndObject();
            }
            json.writeEndArray();
            json.writeObjectFieldStart("figures");
            for (Map.Entry<String, Long> figure : finding.figures().entrySet()) {
                json.writeNumberField(figure.getKey(), figure.getValue());
            }
            json.writeEndObject();
            json.writeEndObject();
        }
        json.writeEndArray();
        json.writeEndObject();
    }

    private long count(Verdict verdict) {
        return sections.stream()
                .flatMap(section -> section.findings().stream())
                .filter(finding -> finding.verdict() == verdict)
                .count();
    }

    private static String counted(long count, String noun) {
        return count + " " + noun + (count == 1 ? "" : "s");
    }
}
