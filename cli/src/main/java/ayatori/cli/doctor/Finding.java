package ayatori.cli.doctor;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * What one check has found. Immutable.
 *
 * @param verdict what it means
 * @param check what was looked at, always the same words for the same check
 * @param text what is the case, in one line
 * @param reasons why, one line each
 * @param remedies what mends it; one of them is enough
 * @param figures measured values by name, in the order in which they are shown
 */
record Finding(
        Verdict verdict,
        String check,
        String text,
        List<String> reasons,
        List<Remedy> remedies,
        Map<String, Long> figures) {

    static Finding of(Verdict verdict, String check, String text) {
        return new Finding(verdict, check, text, List.of(), List.of(), Map.of());
    }

    /** The same with this verdict, unless it has a worse one. */
    Finding atLeast(Verdict other) {
        return verdict.compareTo(other) >= 0 ? this : new Finding(other, check, text, reasons, remedies, figures);
    }

    /** The same with one more reason. */
    Finding because(String reason) {
        return new Finding(verdict, check, text, more(reasons, reason), remedies, figures);
    }

    /** The same with one more remedy. */
    Finding mend(String where, String line) {
        return mend(List.of(new Remedy(where, line)));
    }

    /** The same with more remedies. */
    Finding mend(List<Remedy> others) {
        List<Remedy> all = new ArrayList<>(remedies);
        all.addAll(others);
        return new Finding(verdict, check, text, reasons, List.copyOf(all), figures);
    }

    /** The same with one more figure. */
    Finding figure(String name, long value) {
        Map<String, Long> all = new LinkedHashMap<>(figures);
        all.put(name, value);
        return new Finding(verdict, check, text, reasons, remedies, all);
    }

    private static List<String> more(List<String> lines, String line) {
        List<String> all = new ArrayList<>(lines);
        all.add(line);
        return List.copyOf(all);
    }
}
