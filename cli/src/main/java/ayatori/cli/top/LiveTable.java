package ayatori.cli.top;

import ayatori.cli.TextTable;
import ayatori.cli.TextTable.Column;
import ayatori.cli.ThreadTable;
import java.util.ArrayList;
import java.util.List;
import java.util.function.ToDoubleFunction;

/** The table of {@code ayatori top}. Not thread-safe. */
final class LiveTable {
    /** So wide that no usual value moves the columns: their titles are filled up to it. */
    private static final int RATE_WIDTH = 6;

    private static final Column<LiveRow> NAME = ThreadTable.name(LiveRow::thread);
    private static final Column<LiveRow> PID =
            new Column<>("PID", true, TextTable.NEVER, row -> Integer.toString(row.pid()));
    private static final Column<LiveRow> PROGRAM =
            new Column<>("PROGRAM", false, 4, row -> row.program().orElse(""));
    private static final Column<LiveRow> EFFECTIVE = ThreadTable.effective(LiveRow::thread);

    private final TextTable<LiveRow> table = new TextTable<>(NAME);
    private final List<Column<LiveRow>> columns = new ArrayList<>();

    /** @param many whether rows have to say which process they are of */
    LiveTable(boolean many) {
        if (many) {
            columns.add(PID);
        }
        columns.add(ThreadTable.tid(LiveRow::thread));
        columns.add(NAME);
        columns.addAll(ThreadTable.standing(LiveRow::thread, 3));
        columns.add(rate("CPU%", TextTable.NEVER, 1, row -> row.rate(Rates::cpu) * 100));
        columns.add(rate("DELAY%", TextTable.NEVER, 1, row -> row.rate(Rates::delay) * 100));
        columns.add(rate("VOL/s", 4, 0, row -> row.rate(Rates::voluntary)));
        columns.add(rate("INVOL/s", 4, 0, row -> row.rate(Rates::involuntary)));
        columns.add(ThreadTable.lastCpu(1, LiveRow::thread));
        columns.add(ThreadTable.cpuSeconds(2, LiveRow::thread));
    }

    private static Column<LiveRow> rate(String title, int dropped, int digits, ToDoubleFunction<LiveRow> value) {
        String filled = " ".repeat(Math.max(0, RATE_WIDTH - title.length())) + title;
        return new Column<>(
                filled,
                true,
                dropped,
                row -> row.rates().isEmpty() ? "-" : ThreadTable.decimal(value.applyAsDouble(row), digits));
    }

    /**
     * Draws it.
     *
     * @param rows those that there is room for
     * @param lent whether any thread, drawn or not, inherits
     */
    List<String> draw(List<LiveRow> rows, boolean lent, int width, char cut) {
        if (lent && !columns.contains(EFFECTIVE)) {
            columns.add(columns.indexOf(NAME) + 5, EFFECTIVE); // behind ACTUAL, and there to stay
        }
        if (columns.getFirst().equals(PID)
                && !columns.contains(PROGRAM)
                && rows.stream().anyMatch(LiveRow::isNamed)) {
            columns.add(1, PROGRAM);
        }
        return table.draw(columns, rows, width, cut);
    }
}
