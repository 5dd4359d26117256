package ayatori.cli.top;

import java.util.Comparator;
import java.util.function.ToDoubleFunction;

/** What the table can be sorted by; the letters are those of top(1) and htop(1) where these have them. */
enum SortKey {
    LADDER('L', "ladder"),
    CPU('P', "CPU"),
    TIME('T', "time"),
    TID('N', "tid"),
    DELAY('D', "delay"),
    SWITCHES('S', "switches");

    private final char letter;
    private final String label;

    SortKey(char letter, String label) {
        this.letter = letter;
        this.label = label;
    }

    char letter() {
        return letter;
    }

    String label() {
        return label;
    }

    /** Largest first, ids smallest first. Equal rows are in the order of their ids, so that they stand still. */
    Comparator<LiveRow> order(boolean reversed) {
        Comparator<LiveRow> order = switch (this) {
            case LADDER ->
                descending(LiveRow::rank)
                        .thenComparing(descending(row -> row.thread().javaPriority()));
            case CPU -> descending(row -> row.rate(Rates::cpu));
            case TIME -> descending(row -> row.thread().statistics().cpuNanos());
            case TID -> Comparator.comparingInt(row -> row.thread().tid());
            case DELAY -> descending(row -> row.rate(Rates::delay));
            case SWITCHES -> descending(row -> row.rate(Rates::switches));
        };
        return (reversed ? order.reversed() : order)
                .thenComparingInt(LiveRow::pid)
                .thenComparingInt(row -> row.thread().tid());
    }

    private static Comparator<LiveRow> descending(ToDoubleFunction<LiveRow> value) {
        return Comparator.comparingDouble(value).reversed();
    }
}
