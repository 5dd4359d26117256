package ayatori.cli.top;

import ayatori.cli.CellText;
import ayatori.cli.Refusals;
import ayatori.cli.ThreadTable;
import java.time.LocalTime;
import java.time.ZoneId;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** What is on the screen, and what the keys make of it. Not thread-safe. */
final class TopView {
    private static final String KEYS =
            "q quit  sort: L ladder  P CPU  T time  N tid  D delay  S switches  R reverse  / filter  ! mismatched only";
    private static final String SHORT_KEYS = "q quit  sort L P T N D S  R reverse  / filter  ! mismatched";

    private final boolean many;
    private final String delay;
    private final char cut;
    private final LiveTable table;

    private SortKey key = SortKey.LADDER;
    private boolean reversed;
    private boolean mismatchedOnly;
    private String filter = "";
    private boolean typing;
    private int top;
    private int page = 1;

    /**
     * @param delay between samples, as the user gave it
     * @param cut stands where a text was cut
     */
    TopView(boolean many, String delay, char cut) {
        this.many = many;
        this.delay = delay;
        this.cut = cut;
        this.table = new LiveTable(many);
    }

    /** How a line stands out. */
    enum Style {
        PLAIN,
        BOLD,
        REVERSE
    }

    /** A line, not wider than the screen. */
    record Line(String text, Style style) {}

    /**
     * Follows a key.
     *
     * @return false: the user wants to quit
     */
    boolean press(Key pressed) {
        switch (pressed.name()) {
            case GONE -> {
                return false;
            }
            case UP -> top--;
            case DOWN -> top++;
            case PAGE_UP -> top -= page;
            case PAGE_DOWN -> top += page;
            case HOME -> top = 0;
            case END -> top = Integer.MAX_VALUE;
            case ENTER -> typing = false;
            case BACKSPACE -> {
                if (typing && !filter.isEmpty()) {
                    filter = filter.substring(0, filter.offsetByCodePoints(filter.length(), -1));
                }
            }
            case ESCAPE -> {
                typing = false;
                filter = "";
            }
            case RESIZED -> {}
            case CHARACTER -> {
                if (typing) {
                    filter += pressed.character();
                } else {
                    return command(pressed.character());
                }
            }
        }
        return true;
    }

    private boolean command(char letter) {
        char upper = Character.toUpperCase(letter);
        switch (upper) {
            case 'Q' -> {
                return false;
            }
            case 'R' -> reversed = !reversed;
            case '/' -> {
                typing = true;
                filter = "";
            }
            case '!' -> mismatchedOnly = !mismatchedOnly;
            default -> {
                for (SortKey each : SortKey.values()) {
                    if (each.letter() == upper) {
                        key = each;
                        reversed = false;
                        top = 0;
                    }
                }
            }
        }
        return true;
    }

    /** Rows that are to be seen, in order. */
    List<LiveRow> select(List<LiveRow> rows) {
        String wanted = filter.toLowerCase(Locale.ROOT);
        return rows.stream()
                .filter(row -> wanted.isEmpty()
                        || row.thread().name().toLowerCase(Locale.ROOT).contains(wanted))
                .filter(row -> !mismatchedOnly || row.thread().mismatched())
                .sorted(key.order(reversed))
                .toList();
    }

    /** The screen's lines, from the top; at most as many as it has. */
    List<Line> draw(Watch.Frame frame, int width, int height) {
        List<LiveRow> rows = select(frame.rows());
        List<Line> lines = new ArrayList<>();
        lines.add(line(status(frame), width));
        lines.add(line(many ? processes(frame, width) : command(frame), width));
        if (!many || !frame.others().isEmpty()) {
            lines.add(line(many ? others(frame) : summary(frame), width));
        }
        List<String> refused = frame.rows().stream()
                .filter(row -> row.thread().mismatched())
                .findFirst()
                .map(row -> Refusals.explain(row.pid(), List.of(row.thread())))
                .orElse(List.of());
        page = Math.max(1, height - lines.size() - 2 - refused.size());
        top = Math.clamp(top, 0, Math.max(0, rows.size() - page));
        List<LiveRow> shown = rows.subList(top, Math.min(rows.size(), top + page));
        boolean lent = frame.rows().stream().anyMatch(row -> row.thread().inherits());
        List<String> drawn = table.draw(shown, lent, width, cut);
        String title = CellText.fit(drawn.getFirst(), width, cut);
        lines.add(new Line(CellText.pad(title, width, false), Style.REVERSE));
        for (int i = 0; i < page; i++) {
            boolean there = i < shown.size();
            boolean bold = there && shown.get(i).thread().mismatched();
            String text = there ? CellText.fit(drawn.get(i + 1), width, cut) : "";
            lines.add(new Line(text, bold ? Style.BOLD : Style.PLAIN));
        }
        refused.forEach(each -> lines.add(line(each, width)));
        lines.add(line(footer(width), width));
        return lines.subList(0, Math.min(lines.size(), height));
    }

    private String footer(int width) {
        if (typing) {
            return "names with: " + filter + "_  (Enter keeps this, Esc removes it)";
        }
        String filtered = filter.isEmpty() ? "" : "names with \"" + filter + "\" (Esc: all)  ";
        return filtered + (filtered.length() + KEYS.length() <= width ? KEYS : SHORT_KEYS);
    }

    private Line line(String text, int width) {
        return new Line(CellText.fit(CellText.printable(text), width, cut), Style.PLAIN);
    }

    private String status(Watch.Frame frame) {
        double cpu =
                frame.rows().stream().mapToDouble(row -> row.rate(Rates::cpu)).sum();
        double waiting =
                frame.rows().stream().mapToDouble(row -> row.rate(Rates::delay)).sum();
        long mismatched =
                frame.rows().stream().filter(row -> row.thread().mismatched()).count();
        return LocalTime.now(ZoneId.systemDefault()).truncatedTo(ChronoUnit.SECONDS) + " every " + delay + " s: "
                + frame.rows().size() + " threads, CPU " + ThreadTable.decimal(cpu * 100, 1) + " %, delay "
                + ThreadTable.decimal(waiting * 100, 1) + " %, " + mismatched + " mismatched; by "
                + key.label() + (reversed ? " reversed" : "")
                + (mismatchedOnly ? ", mismatched only" : "");
    }

    private static String command(Watch.Frame frame) {
        return "JVM " + headed(frame.processes().getFirst());
    }

    private static String summary(Watch.Frame frame) {
        return frame.processes().getFirst().summary();
    }

    private String processes(Watch.Frame frame, int width) {
        if (frame.processes().isEmpty()) {
            return "no JVM to show, and no native program with real-time threads";
        }
        int each = Math.max(24, width / frame.processes().size() - 2);
        return String.join(
                "  ",
                frame.processes().stream()
                        .map(process -> CellText.fit(CellText.printable(headed(process)), each, cut))
                        .toList());
    }

    private static String headed(Watch.Shown process) {
        return process.pid() + process.program().map(name -> " (" + name + ")").orElse("") + ": "
                + process.commandLine();
    }

    private static String others(Watch.Frame frame) {
        return frame.others().size() == 1
                ? "1 JVM of another user is not shown: only that user and root may look into it"
                : frame.others().size() + " JVMs of other users are not shown: only they and root may look into them";
    }
}
