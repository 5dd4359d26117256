package ayatori.cli.doctor;

import ayatori.cli.Band;
import ayatori.cli.HostFile;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.IntFunction;
import java.util.stream.Collectors;

/** Real-time programs on this host, ranked against each other. */
final class BandCheck {
    static final String FILE = "host file";
    static final String BANDS = "bands";

    private BandCheck() {}

    /** A host file that can be used: nothing in it overlaps. */
    static Finding usable(HostFile file) {
        String programs = file.programs().stream()
                .map(program -> program.name() + " " + program.values())
                .collect(Collectors.joining(", "));
        return Finding.of(Verdict.OK, FILE, file.path() + (programs.isEmpty() ? " names no program" : ": " + programs));
    }

    /** One that is refused whoever is started by it. */
    static Finding unusable(Path path, String mistake) {
        return Finding.of(Verdict.PROBLEM, FILE, mistake)
                .because("ayatori run --band NAME starts nothing until this is mended")
                .mend("a shell", "sudoedit " + path);
    }

    /**
     * Overlaps, and who is not where it should be; nothing is found where no process is real-time.
     *
     * @param spans the highest first
     * @param file what it says of a program comes before what that was started with
     * @param started the band that the agent in a process was given
     */
    static List<Finding> of(List<Span> spans, Optional<HostFile> file, IntFunction<Optional<Band>> started) {
        List<Finding> findings = new ArrayList<>();
        if (!spans.isEmpty()) {
            findings.add(ranking(spans, file));
        }
        for (Span span : spans) {
            Optional<Band> named = span.program()
                    .flatMap(name -> file.flatMap(it -> it.program(name)))
                    .map(HostFile.Program::values);
            Optional<String> options =
                    named.flatMap(band -> span.program()).flatMap(name -> file.map(it -> it.runOptions(name)));
            named.or(() -> started.apply(span.pid()))
                    .filter(band -> !band.contains(span.values()))
                    .ifPresent(band -> findings.add(outside(span, band, options.orElse("--band " + band))));
        }
        return findings;
    }

    private static Finding ranking(List<Span> spans, Optional<HostFile> file) {
        List<String> overlaps = overlaps(spans);
        String text = spans.size() + (spans.size() == 1 ? " process has" : " processes have") + " real-time threads";
        Finding finding = Finding.of(
                overlaps.isEmpty() ? Verdict.INFO : Verdict.WARNING,
                BANDS,
                overlaps.isEmpty() ? text : text + ", and their values overlap");
        for (Span span : spans) {
            finding = finding.because(span.text());
        }
        for (String overlap : overlaps) {
            finding = finding.because(overlap);
        }
        if (overlaps.isEmpty()) {
            return finding;
        }
        Finding ranked = finding;
        return file.map(it -> ranked.mend(
                        "each of them, by its name in " + it.path(),
                        "ayatori run " + it.runOptions("NAME") + " -- COMMAND"))
                .orElseGet(() -> ranked.mend("the program that comes first", "ayatori run --band 25-49 -- COMMAND")
                        .mend("the program that stands behind it", "ayatori run --band 1-24 -- COMMAND"));
    }

    private static List<String> overlaps(List<Span> spans) {
        List<String> overlaps = new ArrayList<>();
        for (int i = 0; i < spans.size(); i++) {
            for (Span other : spans.subList(i + 1, spans.size())) {
                if (spans.get(i).overlaps(other)) {
                    overlaps.add("processes " + spans.get(i).pid() + " and " + other.pid()
                            + " overlap: neither comes first as a whole, their threads compare one by one");
                }
            }
        }
        return overlaps;
    }

    private static Finding outside(Span span, Band band, String runOptions) {
        return Finding.of(
                        Verdict.WARNING,
                        BANDS,
                        span.who() + " stands at " + span.values() + ", outside of its band " + band)
                .mend("start it anew", "ayatori run " + runOptions + " -- COMMAND");
    }
}
