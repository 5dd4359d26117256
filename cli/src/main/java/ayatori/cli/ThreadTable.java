package ayatori.cli;

import ayatori.sched.SchedulingParameters;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;

/** The table of a JVM's threads, fitted to a width. */
final class ThreadTable {
    private static final String GAP = "  ";
    private static final int SHORTEST_NAME = 16;
    private static final int NEVER = 0;

    /** Behind an actual level that is not the wanted one. */
    static final String MISMATCH = "!";
    /** Behind a wanted level above the thread's own. */
    static final String OWED = "^";

    /**
     * A column.
     *
     * @param dropped in which order columns go if the terminal is too narrow: 1 first; 0 never
     */
    private record Column(String title, boolean right, int dropped, Function<ThreadRow, String> cell) {}

    private static final Column NAME = new Column("NAME", false, NEVER, row -> CellText.printable(row.name()));

    private static final List<Column> COLUMNS = List.of(
            new Column("TID", true, NEVER, row -> Integer.toString(row.tid())),
            NAME,
            new Column("KIND", false, 4, row -> row.kind().label()),
            new Column("PRIO", true, NEVER, row -> row.javaPriority() == 0 ? "-" : "" + row.javaPriority()),
            new Column("WANTED", false, NEVER, ThreadTable::wanted),
            new Column("ACTUAL", false, NEVER, ThreadTable::actual),
            new Column(
                    "EFFECTIVE", false, NEVER, row -> row.inherits() ? KernelPriority.text(row.kernelPriority()) : ""),
            new Column("CPU s", true, NEVER, row -> decimal(row.statistics().cpuNanos(), 1e9, 3)),
            new Column("LAST", true, 1, row -> Integer.toString(row.lastCpu())),
            new Column("DELAY ms", true, 5, row -> decimal(row.statistics().runDelayNanos(), 1e6, 1)),
            new Column("VOL", true, 3, row -> Long.toString(row.statistics().voluntarySwitches())),
            new Column("INVOL", true, 2, row -> Long.toString(row.statistics().involuntarySwitches())));

    private ThreadTable() {}

    /**
     * Draws the table.
     *
     * @param width in cells; {@link Integer#MAX_VALUE} for as wide as need be
     * @param cut stands where a name was cut
     */
    static List<String> draw(List<ThreadRow> rows, int width, char cut) {
        List<Column> columns = new ArrayList<>(COLUMNS);
        if (rows.stream().noneMatch(ThreadRow::inherits)) {
            columns.removeIf(column -> column.title().equals("EFFECTIVE"));
        }
        int[] widths = widths(columns, rows);
        int name = columns.indexOf(NAME);
        for (int order = 1; excess(widths, width) > Math.max(0, widths[name] - SHORTEST_NAME); order++) {
            int next = order;
            if (COLUMNS.stream().noneMatch(column -> column.dropped() == next)) {
                break;
            }
            columns.removeIf(column -> column.dropped() == next);
            widths = widths(columns, rows);
        }
        widths[name] =
                Math.max(Math.min(widths[name], SHORTEST_NAME), widths[name] - Math.max(0, excess(widths, width)));
        List<String> lines = new ArrayList<>();
        int[] fitted = widths;
        lines.add(line(columns, fitted, cut, Column::title));
        for (ThreadRow row : rows) {
            lines.add(line(columns, fitted, cut, column -> column.cell().apply(row)));
        }
        return lines;
    }

    private static int[] widths(List<Column> columns, List<ThreadRow> rows) {
        return columns.stream()
                .mapToInt(column -> rows.stream()
                        .mapToInt(row -> CellText.width(column.cell().apply(row)))
                        .reduce(column.title().length(), Math::max))
                .toArray();
    }

    private static int excess(int[] widths, int width) {
        int sum = (widths.length - 1) * GAP.length();
        for (int each : widths) {
            sum += each;
        }
        return sum - width;
    }

    private static String line(List<Column> columns, int[] widths, char cut, Function<Column, String> text) {
        StringBuilder line = new StringBuilder();
        for (int i = 0; i < columns.size(); i++) {
            Column column = columns.get(i);
            String cell = CellText.fit(text.apply(column), widths[i], cut);
            line.append(i == 0 ? "" : GAP).append(CellText.pad(cell, widths[i], column.right()));
        }
        return line.toString().stripTrailing();
    }

    private static String wanted(ThreadRow row) {
        return row.wanted().map(ThreadTable::level).orElse("-") + (row.dues() > 0 ? " " + OWED : "");
    }

    private static String actual(ThreadRow row) {
        return level(row.actual()) + (row.mismatched() ? " " + MISMATCH : "");
    }

    /** Reset-on-fork is for a thread's children: not part of where it stands. */
    static String level(SchedulingParameters parameters) {
        return parameters.withResetOnFork(false).toString();
    }

    private static String decimal(long nanos, double unit, int digits) {
        return String.format(Locale.ROOT, "%." + digits + "f", nanos / unit);
    }
}
