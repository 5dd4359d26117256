package ayatori.cli.why;

import ayatori.cli.why.Span.Kind;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Sums of spans: by kind, and within waiting and sleeping by cause. Not thread-safe. */
final class Shares {
    /** Time, and in how many pieces. */
    record Sum(long nanos, long times) {
        static final Sum ZERO = new Sum(0, 0);

        Sum plus(long more) {
            return new Sum(nanos + more, times + 1);
        }
    }

    /**
     * How the thread slept.
     *
     * @param in the system call, or a safepoint; empty if it was too short to be looked at
     * @param wokenBy who ended it; empty for an interrupt, or if nobody had at the end of the watch
     * @param interrupt whether a timer or a device ended it
     */
    record Sleep(Kind kind, String in, Optional<Runner> wokenBy, boolean interrupt) {}

    /** A cause and its sum. */
    record Entry<K>(K cause, Sum sum) {}

    private final Map<Kind, Sum> kinds = new EnumMap<>(Kind.class);
    private final Map<Optional<Runner>, Sum> waits = new HashMap<>();
    private final Map<Sleep, Sum> sleeps = new HashMap<>();

    /** Adds time whose cause is not known, or needs none. */
    void add(Kind kind, long nanos) {
        kinds.merge(kind, Sum.ZERO.plus(nanos), (a, b) -> new Sum(a.nanos() + b.nanos(), a.times() + b.times()));
    }

    /**
     * Adds a wait.
     *
     * @param runner who had the CPU; empty if nobody did
     */
    void addWait(Optional<Runner> runner, long nanos) {
        add(Kind.WAITED, nanos);
        waits.merge(runner, Sum.ZERO.plus(nanos), (sum, first) -> sum.plus(nanos));
    }

    void addSleep(Sleep sleep, long nanos) {
        add(sleep.kind(), nanos);
        sleeps.merge(sleep, Sum.ZERO.plus(nanos), (sum, first) -> sum.plus(nanos));
    }

    Sum of(Kind kind) {
        return kinds.getOrDefault(kind, Sum.ZERO);
    }

    /** All time. */
    long total() {
        return kinds.values().stream().mapToLong(Sum::nanos).sum();
    }

    /** Who had the CPU meanwhile, the longest first; empty for nobody. */
    List<Entry<Optional<Runner>>> waits() {
        return sorted(waits);
    }

    /** Sleeps of a kind, the longest first. */
    List<Entry<Sleep>> sleeps(Kind kind) {
        List<Entry<Sleep>> sorted = sorted(sleeps);
        sorted.removeIf(entry -> entry.cause().kind() != kind);
        return sorted;
    }

    private static <K> List<Entry<K>> sorted(Map<K, Sum> sums) {
        List<Entry<K>> entries = new ArrayList<>();
        sums.forEach((cause, sum) -> entries.add(new Entry<>(cause, sum)));
        entries.sort(Comparator.comparingLong((Entry<K> entry) -> entry.sum().nanos())
                .reversed());
        return entries;
    }
}
