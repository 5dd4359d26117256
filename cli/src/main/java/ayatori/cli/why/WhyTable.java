package ayatori.cli.why;

import ayatori.cli.CellText;
import ayatori.cli.TextTable;
import ayatori.cli.TextTable.Column;
import ayatori.cli.ThreadTable;
import ayatori.cli.why.Shares.Entry;
import ayatori.cli.why.Shares.Sum;
import ayatori.cli.why.Span.Kind;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/** The findings for people. */
final class WhyTable {
    /** So many causes are named of each kind. */
    private static final int NAMED = 10;

    private static final String LOWER = " (lower)";

    private static final Column<Row> WHAT = new Column<>("WHAT", false, TextTable.NEVER, Row::what);

    private final Findings findings;
    private final List<Row> rows = new ArrayList<>();

    /** A line of the table. */
    private record Row(Sum sum, double percent, String what) {}

    private WhyTable(Findings findings) {
        this.findings = findings;
    }

    static List<String> lines(Findings findings) {
        return new WhyTable(findings).lines();
    }

    private List<String> lines() {
        List<String> lines = new ArrayList<>();
        lines.add(head());
        lines.add("");
        lines.addAll(table());
        lines.add("");
        lines.addAll(beside());
        return lines;
    }

    private String head() {
        Findings.Watch watch = findings.watch();
        WatchedThread thread = findings.thread();
        return "thread " + thread.tid() + " \""
                + CellText.printable(thread.known().name()) + "\" of JVM "
                + thread.process().pid() + ": " + thread.known().kind().label()
                + (thread.known().javaPriority() == 0
                        ? ""
                        : ", priority " + thread.known().javaPriority())
                + ", " + thread.level() + "; watched " + ThreadTable.decimal(watch.nanos() / 1e9, 3) + " s"
                + (watch.ended() ? ", then it ended" : "");
    }

    private List<String> table() {
        Shares shares = findings.watch().shares();
        for (Kind kind : Kind.values()) {
            boolean always = kind == Kind.RAN || kind == Kind.WAITED || kind == Kind.SLEPT;
            if (!always && shares.of(kind).nanos() == 0) {
                continue;
            }
            add(shares.of(kind), kind.text());
            if (kind == Kind.WAITED) {
                addCauses(shares.waits(), WhyTable::waitedFor);
            } else {
                addCauses(shares.sleeps(kind), WhyTable::sleptIn);
            }
        }
        add(new Sum(shares.total(), 0), "in all");
        List<Column<Row>> columns = List.of(
                new Column<>("SHARE %", true, TextTable.NEVER, row -> ThreadTable.decimal(row.percent(), 1)),
                new Column<>(
                        "ms",
                        true,
                        TextTable.NEVER,
                        row -> ThreadTable.decimal(row.sum().nanos() / 1e6, 1)),
                new Column<>(
                        "TIMES",
                        true,
                        TextTable.NEVER,
                        row -> row.sum().times() == 0 ? "" : "" + row.sum().times()),
                WHAT);
        return new TextTable<>(WHAT).draw(columns, rows, Integer.MAX_VALUE, '~');
    }

    private void add(Sum sum, String what) {
        long total = findings.watch().shares().total();
        rows.add(new Row(sum, total == 0 ? 0 : 100.0 * sum.nanos() / total, what));
    }

    private <K> void addCauses(List<Entry<K>> entries, Function<K, String> text) {
        Sum rest = Sum.ZERO;
        for (int i = 0; i < entries.size(); i++) {
            Entry<K> entry = entries.get(i);
            if (i < NAMED) {
                add(entry.sum(), "  " + text.apply(entry.cause()));
            } else {
                rest = new Sum(
                        rest.nanos() + entry.sum().nanos(),
                        rest.times() + entry.sum().times());
            }
        }
        if (entries.size() > NAMED) {
            add(rest, "  " + (entries.size() - NAMED) + " others");
        }
    }

    private static String waitedFor(Optional<Runner> runner) {
        return runner.map(who -> named(who) + ": " + who.of() + ", " + who.level() + (who.lower() ? LOWER : ""))
                .orElse("nobody: throttled, or an idle CPU that was about to wake up");
    }

    private static String sleptIn(Shares.Sleep sleep) {
        String by = sleep.interrupt()
                ? "woken by a timer or a device"
                : sleep.wokenBy()
                        .map(who -> "woken by " + named(who) + ": " + who.of())
                        .orElse("not woken yet");
        return (sleep.in().isEmpty() ? "too short to see in what" : "in " + sleep.in()) + ", " + by;
    }

    private static String named(Runner runner) {
        return CellText.printable(runner.name()) + " (" + runner.tid() + ")";
    }

    private List<String> beside() {
        List<String> lines = new ArrayList<>();
        findings.jvm().ifPresent(jvm -> {
            lines.add("safepoints: " + jvm.safepoints() + ", " + millis(jvm.safepointNanos())
                    + (findings.dumps() == 0 ? "" : "; " + findings.dumps() + " of them for the thread dumps below"));
            for (JvmCounters.Collector collector : jvm.collectors()) {
                if (collector.count() > 0) {
                    lines.add("collections: " + collector.name() + ": " + collector.count() + ", "
                            + millis(collector.nanos()));
                }
            }
        });
        findings.watch()
                .counted()
                .ifPresent(counted -> lines.add("page faults: " + counted.minorFaults()
                        + " without I/O, " + counted.majorFaults() + " with; switches: "
                        + counted.statistics().voluntarySwitches() + " because it waited, "
                        + counted.statistics().involuntarySwitches()
                        + " because another thread had to run; the kernel counts "
                        + millis(counted.statistics().runDelayNanos()) + " of run delay"));
        findings.states().entrySet().stream()
                .sorted((a, b) -> b.getValue() - a.getValue())
                .forEach(state -> lines.add("in " + state.getValue() + " of " + findings.dumps() + " thread dumps: "
                        + CellText.printable(state.getKey())));
        if (rows.stream().anyMatch(row -> row.what().endsWith(LOWER))) {
            lines.add("(lower): had the CPU though it stands below, since real-time threads are throttled, or until it"
                    + " gave way");
        }
        findings.watch().trace().ifPresent(trace -> {
            if (trace.lost() > 0) {
                lines.add("the trace had no room for " + trace.lost() + " switches: what follows one is not seen");
            }
            if (trace.unread() > 0) {
                lines.add(trace.unread() + " lines of the trace could not be read");
            }
        });
        findings.watch()
                .refusal()
                .ifPresent(
                        refusal -> lines.add("by whom cannot be seen: " + refusal.reason() + "; " + refusal.remedy()));
        lines.add(findings.source());
        return lines;
    }

    private static String millis(long nanos) {
        return ThreadTable.decimal(nanos / 1e6, 1) + " ms";
    }
}
