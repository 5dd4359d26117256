package ayatori.cli;

import ayatori.cli.TextTable.Column;
import ayatori.sched.SchedulingParameters;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/** The columns that show a thread, and the table of a JVM's threads that {@code ayatori ps} prints. */
public final class ThreadTable {
    /** Behind an actual level that is not the wanted one. */
    static final String MISMATCH = "!";
    /** Behind a wanted level above the thread's own. */
    static final String OWED = "^";

    private static final int NEVER = TextTable.NEVER;
    private static final Column<ThreadRow> NAME = name(Function.identity());
    private static final Column<ThreadRow> EFFECTIVE = effective(Function.identity());

    private static final List<Column<ThreadRow>> COLUMNS = columns();

    private ThreadTable() {}

    private static List<Column<ThreadRow>> columns() {
        List<Column<ThreadRow>> columns = new ArrayList<>();
        columns.add(tid(Function.identity()));
        columns.add(NAME);
        columns.addAll(standing(Function.identity(), 4));
        columns.add(EFFECTIVE);
        columns.add(cpuSeconds(NEVER, Function.identity()));
        columns.add(lastCpu(1, Function.identity()));
        columns.add(new Column<>(
                "DELAY ms", true, 5, row -> decimal(row.statistics().runDelayNanos() / 1e6, 1)));
        columns.add(new Column<>(
                "VOL", true, 3, row -> Long.toString(row.statistics().voluntarySwitches())));
        columns.add(new Column<>(
                "INVOL", true, 2, row -> Long.toString(row.statistics().involuntarySwitches())));
        return List.copyOf(columns);
    }

    /** The column of thread ids. */
    public static <R> Column<R> tid(Function<R, ThreadRow> thread) {
        return column("TID", true, NEVER, thread, row -> Integer.toString(row.tid()));
    }

    /** The column of names: the one that can be cut. */
    public static <R> Column<R> name(Function<R, ThreadRow> thread) {
        return column("NAME", false, NEVER, thread, row -> CellText.printable(row.name()));
    }

    /**
     * Where a thread stands: kind, Java priority, what is wanted and what is.
     *
     * @param kindDropped when the kind is left out
     */
    public static <R> List<Column<R>> standing(Function<R, ThreadRow> thread, int kindDropped) {
        return List.of(
                column("KIND", false, kindDropped, thread, row -> row.kind().label()),
                column("PRIO", true, NEVER, thread, row -> row.javaPriority() == 0 ? "-" : "" + row.javaPriority()),
                column("WANTED", false, NEVER, thread, ThreadTable::wanted),
                column("ACTUAL", false, NEVER, thread, ThreadTable::actual));
    }

    /** What the kernel goes by; for use only while a thread {@linkplain ThreadRow#inherits inherits}. */
    public static <R> Column<R> effective(Function<R, ThreadRow> thread) {
        return column(
                "EFFECTIVE",
                false,
                NEVER,
                thread,
                row -> row.inherits() ? KernelPriority.text(row.kernelPriority()) : "");
    }

    /** CPU time since the thread began. */
    public static <R> Column<R> cpuSeconds(int dropped, Function<R, ThreadRow> thread) {
        return column(
                "CPU s", true, dropped, thread, row -> decimal(row.statistics().cpuNanos() / 1e9, 3));
    }

    /** The CPU that the thread ran on last. */
    public static <R> Column<R> lastCpu(int dropped, Function<R, ThreadRow> thread) {
        return column("LAST", true, dropped, thread, row -> Integer.toString(row.lastCpu()));
    }

    private static <R> Column<R> column(
            String title, boolean right, int dropped, Function<R, ThreadRow> thread, Function<ThreadRow, String> cell) {
        return new Column<>(title, right, dropped, thread.andThen(cell));
    }

    /**
     * Draws the table of {@code ayatori ps}.
     *
     * @param width in cells; {@link Integer#MAX_VALUE} for as wide as need be
     * @param cut stands where a name was cut
     */
    static List<String> draw(List<ThreadRow> rows, int width, char cut) {
        List<Column<ThreadRow>> columns = new ArrayList<>(COLUMNS);
        if (rows.stream().noneMatch(ThreadRow::inherits)) {
            columns.remove(EFFECTIVE);
        }
        return new TextTable<>(NAME).draw(columns, rows, width, cut);
    }

    private static String wanted(ThreadRow row) {
        return row.wanted().map(ThreadTable::level).orElse("-") + (row.dues() > 0 ? " " + OWED : "");
    }

    private static String actual(ThreadRow row) {
        return level(row.actual()) + (row.mismatched() ? " " + MISMATCH : "");
    }

    /**
     * Where a thread stands, in a cell: {@code RR 18}, {@code OTHER nice 4}, {@code DEADLINE 2ms/5ms/10ms} (runtime, deadline,
     * period). Reset-on-fork is for a thread's children, and not part of it.
     */
    public static String level(SchedulingParameters parameters) {
        return parameters
                .withResetOnFork(false)
                .toString()
                .replace(" runtime ", " ")
                .replace(" deadline ", "/")
                .replace(" period ", "/");
    }

    /**
     * A number with so many digits after the point. Not String.format, which takes microseconds and is called a
     * thousand times a second by {@code ayatori top}.
     *
     * @param value not negative
     */
    public static String decimal(double value, int digits) {
        long scale = 1;
        for (int i = 0; i < digits; i++) {
            scale *= 10;
        }
        long scaled = Math.round(value * scale);
        if (digits == 0) {
            return Long.toString(scaled);
        }
        String fraction = Long.toString(scaled % scale);
        return scaled / scale + "." + "0".repeat(digits - fraction.length()) + fraction;
    }
}
