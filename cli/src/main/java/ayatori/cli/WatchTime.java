package ayatori.cli;

import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.LongConsumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** How long a command is to watch: the argument of {@code --for}. */
public final class WatchTime {
    private static final Pattern DURATION = Pattern.compile("(?<number>\\d{1,6}(?:\\.\\d{1,3})?)(?<unit>ms|s|m)");
    private static final Map<String, Long> UNITS = Map.of("ms", 1_000_000L, "s", 1_000_000_000L, "m", 60_000_000_000L);
    private static final long SHORTEST_NANOS = TimeUnit.MILLISECONDS.toNanos(100);
    private static final long LONGEST_NANOS = TimeUnit.HOURS.toNanos(1);

    private WatchTime() {}

    /**
     * In nanoseconds.
     *
     * @throws UserMistake if it is not 100ms to 60m
     */
    public static long nanos(String text) {
        Matcher duration = DURATION.matcher(text);
        long nanos = duration.matches()
                ? Math.round(
                        Double.parseDouble(duration.group("number")) * UNITS.getOrDefault(duration.group("unit"), 0L))
                : 0;
        if (nanos < SHORTEST_NANOS || nanos > LONGEST_NANOS) {
            throw new UserMistake("--for '" + text + "': must be 100ms to 60m, such as 10s");
        }
        return nanos;
    }

    /**
     * Says on a terminal how much of it has passed, as often as it is told: standard error.
     *
     * @param what is being watched
     * @param nanos all
     */
    public static LongConsumer progress(String what, long nanos) {
        if (!Terminal.is(Terminal.ERROR)) {
            return passed -> {};
        }
        return passed -> {
            System.err.print("\rwatching " + what + ": " + ThreadTable.decimal(passed / 1e9, 1) + " of "
                    + ThreadTable.decimal(nanos / 1e9, 1) + " s");
            System.err.flush();
        };
    }

    /** Takes that away again. */
    public static void endProgress() {
        if (Terminal.is(Terminal.ERROR)) {
            System.err.print("\r\033[K");
        }
    }
}
