package jpi.internal.launch;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.IntStream;
import jpi.internal.engine.Usage;

/**
 * What the ranks have used, as a table for people.
 *
 * @param usages of all ranks, in their order
 */
record StatisticsTable(List<Usage> usages) {
    private static final List<String> HEAD = List.of("rank", "sent", "taken", "bytes sent", "bytes taken", "waited ms");
    private static final long NANOS_A_MILLI = 1_000_000;

    /** Its lines: the head, one a rank, the sum; numbers flush right. */
    List<String> lines() {
        List<List<String>> rows = new ArrayList<>();
        rows.add(HEAD);
        for (Usage usage : usages) {
            rows.add(row(Integer.toString(usage.rank()), usage));
        }
        rows.add(row("total", total()));
        int[] widths = IntStream.range(0, HEAD.size())
                .map(column -> rows.stream()
                        .mapToInt(row -> row.get(column).length())
                        .max()
                        .orElse(0))
                .toArray();
        return rows.stream().map(row -> line(row, widths)).toList();
    }

    private Usage total() {
        return usages.stream()
                .reduce(
                        new Usage(0, 0, 0, 0, 0, 0),
                        (a, b) -> new Usage(
                                0,
                                a.sent() + b.sent(),
                                a.taken() + b.taken(),
                                a.bytesSent() + b.bytesSent(),
                                a.bytesTaken() + b.bytesTaken(),
                                a.waitedNanos() + b.waitedNanos()));
    }

    private static List<String> row(String name, Usage usage) {
        return List.of(
                name,
                grouped(usage.sent()),
                grouped(usage.taken()),
                grouped(usage.bytesSent()),
                grouped(usage.bytesTaken()),
                grouped((usage.waitedNanos() + NANOS_A_MILLI / 2) / NANOS_A_MILLI));
    }

    private static String grouped(long number) {
        return String.format(Locale.ROOT, "%,d", number);
    }

    private static String line(List<String> row, int[] widths) {
        StringBuilder line = new StringBuilder();
        for (int column = 0; column < widths.length; column++) {
            line.append(column == 0 ? "" : "  ")
                    .append(" ".repeat(widths[column] - row.get(column).length()))
                    .append(row.get(column));
        }
        return line.toString();
    }
}
