package ayatori.cli;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/**
 * A table of text, fitted to a width: first columns are left out, then the cells of one column are cut in the middle.
 * Columns never become narrower from one drawing to the next, so that a live table stands still. Not thread-safe.
 *
 * @param <R> what a row shows
 */
public final class TextTable<R> {
    /** The {@link Column#dropped} of a column that always shows. */
    public static final int NEVER = 0;

    private static final String GAP = "  ";
    private static final int SHORTEST = 16;

    private final Column<R> flexible;
    private final Map<Column<R>, Integer> widest = new HashMap<>();

    /** @param flexible the column whose cells may be cut, to 16 cells or more */
    public TextTable(Column<R> flexible) {
        this.flexible = flexible;
    }

    /**
     * A column.
     *
     * @param dropped in which order columns go if the terminal is too narrow: 1 first; 0 never
     */
    public record Column<R>(String title, boolean right, int dropped, Function<R, String> cell) {}

    private record Filled<R>(Column<R> column, List<String> cells, int width) {}

    /**
     * Draws the table: its titles, then the rows.
     *
     * @param columns those that are of use now, {@code flexible} among them
     * @param width in cells; {@link Integer#MAX_VALUE} for as wide as need be
     * @param cut stands where a cell was cut
     */
    public List<String> draw(List<Column<R>> columns, List<R> rows, int width, char cut) {
        List<Filled<R>> filled = new ArrayList<>();
        for (Column<R> column : columns) {
            filled.add(fill(column, rows));
        }
        int last = columns.stream().mapToInt(Column::dropped).max().orElse(NEVER);
        for (int order = 1; order <= last && excess(filled, width) > spare(filled); order++) {
            int next = order;
            filled.removeIf(each -> each.column().dropped() == next);
        }
        int excess = Math.max(0, excess(filled, width));
        filled.replaceAll(each -> each.column().equals(flexible)
                ? new Filled<>(flexible, each.cells(), each.width() - Math.min(excess, spare(filled)))
                : each);
        List<String> lines = new ArrayList<>();
        for (int i = 0; i <= rows.size(); i++) {
            lines.add(line(filled, i, cut));
        }
        return lines;
    }

    private Filled<R> fill(Column<R> column, List<R> rows) {
        List<String> cells = new ArrayList<>();
        cells.add(column.title());
        for (R row : rows) {
            cells.add(column.cell().apply(row));
        }
        int width = widest.getOrDefault(column, 0);
        for (String cell : cells) {
            width = Math.max(width, CellText.width(cell));
        }
        widest.put(column, width);
        return new Filled<>(column, cells, width);
    }

    /** By how many cells the flexible column can be cut. */
    private int spare(List<Filled<R>> filled) {
        return filled.stream()
                .filter(each -> each.column().equals(flexible))
                .mapToInt(each -> Math.max(0, each.width() - SHORTEST))
                .sum();
    }

    private static <R> int excess(List<Filled<R>> filled, int width) {
        int sum = (filled.size() - 1) * GAP.length();
        for (Filled<R> each : filled) {
            sum += each.width();
        }
        return sum - width;
    }

    private static <R> String line(List<Filled<R>> filled, int row, char cut) {
        StringBuilder line = new StringBuilder();
        for (Filled<R> each : filled) {
            String cell = CellText.fit(each.cells().get(row), each.width(), cut);
            line.append(line.isEmpty() ? "" : GAP)
                    .append(CellText.pad(cell, each.width(), each.column().right()));
        }
        return line.toString().stripTrailing();
    }
}
