package ayatori.cli.doctor;

import java.util.ArrayList;
import java.util.List;

/** Real-time programs on this host, ranked against each other. */
final class BandCheck {
    static final String BANDS = "bands";

    private BandCheck() {}

    /** @param spans the highest first; nothing is found where there is none */
    static List<Finding> of(List<Span> spans) {
        if (spans.isEmpty()) {
            return List.of();
        }
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
        return List.of(
                overlaps.isEmpty()
                        ? finding
                        : finding.mend("the program that comes first", "ayatori run --band 25-49 -- COMMAND")
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
}
