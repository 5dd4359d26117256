package ayatori.bench;

import ayatori.bench.MessageSpeed.Place;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;

/** Medians of messages by who sent them, how, of which size and in which round; and what is asked of them. */
final class MessageTable {
    private static final double MEDIAN_AT_MOST = 1.0;
    private static final double WORST_AT_MOST = 1.3;
    private static final double RECORD_AT_MOST = 1.5;
    /** Microseconds, of a reference that is passed to a thread. */
    private static final double SPINNING_AT_MOST = 0.1;

    private static final double PARKING_AT_MOST = 2.5;

    /** Mode of the record itself, of as many bytes, of Fory alone at its quickest, and of Fory set up as JPI has it. */
    private static final List<String> OF_RECORD = List.of("record", "record-bytes", "fory", "fory-named");

    private record Series(String way, Place place, String mode) {}

    /** Microseconds by size, then by round. */
    private final Map<Series, NavigableMap<Integer, Map<Integer, Double>>> micros = new HashMap<>();

    void add(String way, Place place, String mode, int bytes, int round, double median) {
        micros.computeIfAbsent(new Series(way, place, mode), s -> new TreeMap<>())
                .computeIfAbsent(bytes, b -> new TreeMap<>())
                .put(round, median);
    }

    private NavigableMap<Integer, Map<Integer, Double>> sizes(String way, Place place, String mode) {
        return micros.getOrDefault(new Series(way, place, mode), new TreeMap<>());
    }

    private static double middle(Map<Integer, Double> rounds) {
        return Statistics.median(rounds.values());
    }

    /** Prints all. True if what was asked is held; what was not measured is not asked. */
    boolean say(List<Mpi> mpis) {
        boolean held = true;
        for (String mode : List.of("hot", "varied")) {
            held &= sayAgainst(mpis, mode);
        }
        sayAlone("two JVMs, a new array for each message", sizes(MessageSpeed.JPI, Place.PROCESSES, "arrays"));
        sayAlone("two threads, arrays into arrays", sizes(MessageSpeed.JPI, Place.THREADS, "hot"));
        held &= sayReference(Place.THREADS, SPINNING_AT_MOST);
        held &= sayReference(Place.PARKING, PARKING_AT_MOST);
        held &= sayRecord();
        return held;
    }

    /** The better of those that were measured, by the median over rounds. */
    private static Optional<Mpi> better(Map<Mpi, Map<Integer, Double>> others) {
        return others.keySet().stream()
                .min((a, b) -> Double.compare(
                        middle(others.getOrDefault(a, Map.of())), middle(others.getOrDefault(b, Map.of()))));
    }

    private boolean sayAgainst(List<Mpi> mpis, String mode) {
        Bench.say(
                "two JVMs or processes, %s buffers; asked: <= %.1f, worst round <= %.1f",
                mode, MEDIAN_AT_MOST, WORST_AT_MOST);
        boolean all = true;
        for (var size : sizes(MessageSpeed.JPI, Place.PROCESSES, mode).entrySet()) {
            Map<Mpi, Map<Integer, Double>> others = new TreeMap<>();
            for (Mpi mpi : mpis) {
                Map<Integer, Double> rounds =
                        sizes(mpi.label(), Place.PROCESSES, mode).get(size.getKey());
                if (rounds != null) {
                    others.put(mpi, rounds);
                }
            }
            all &= sayAgainst(size.getKey(), size.getValue(), others);
        }
        return all;
    }

    private static boolean sayAgainst(int bytes, Map<Integer, Double> ours, Map<Mpi, Map<Integer, Double>> others) {
        StringBuilder line = new StringBuilder(String.format(Locale.ROOT, "  %8d B  JPI %9.3f", bytes, middle(ours)));
        others.forEach(
                (mpi, rounds) -> line.append(String.format(Locale.ROOT, "  %s %9.3f", mpi.label(), middle(rounds))));
        Optional<Mpi> better = better(others);
        if (better.isEmpty()) {
            Bench.say("%s", line);
            return true;
        }
        double ratio = middle(ours) / middle(others.getOrDefault(better.get(), Map.of()));
        double worst = worst(ours, others);
        boolean held = ratio <= MEDIAN_AT_MOST && worst <= WORST_AT_MOST;
        Bench.say(
                "%s  %6.2f GB/s  ratio %.2f worst %.2f %s",
                line, bytes / middle(ours) / 1e3, ratio, worst, Bench.held(held));
        return held;
    }

    /** Against the better one of the same round. */
    private static double worst(Map<Integer, Double> ours, Map<Mpi, Map<Integer, Double>> others) {
        double worst = 0;
        for (var round : ours.entrySet()) {
            double best = Double.POSITIVE_INFINITY;
            for (Map<Integer, Double> rounds : others.values()) {
                best = Math.min(best, rounds.getOrDefault(round.getKey(), Double.POSITIVE_INFINITY));
            }
            worst = Math.max(worst, round.getValue() / best);
        }
        return worst;
    }

    private static void sayAlone(String what, NavigableMap<Integer, Map<Integer, Double>> sizes) {
        List<String> columns = new ArrayList<>();
        sizes.forEach((bytes, rounds) -> columns.add(String.format(Locale.ROOT, "%d B %.3f", bytes, middle(rounds))));
        Bench.say("%s: %s", what, String.join(", ", columns));
    }

    /** The sizes that take least and most count. */
    private boolean sayReference(Place place, double atMost) {
        TreeSet<Double> medians = new TreeSet<>();
        sizes(MessageSpeed.JPI, place, "reference").values().forEach(rounds -> medians.add(middle(rounds)));
        if (medians.isEmpty()) {
            return true;
        }
        boolean held = medians.last() <= atMost;
        Bench.say(
                "%s, by reference, 1 B to 16 MB: %.3f to %.3f asked: <= %.1f %s",
                place.label(), medians.first(), medians.last(), atMost, Bench.held(held));
        return held;
    }

    private boolean sayRecord() {
        double[] medians = new double[OF_RECORD.size()];
        for (int i = 0; i < medians.length; i++) {
            var sizes = sizes(MessageSpeed.JPI, Place.PROCESSES, OF_RECORD.get(i));
            if (sizes.isEmpty()) {
                return true;
            }
            medians[i] = middle(sizes.firstEntry().getValue());
        }
        double ratio = medians[0] / (medians[1] + medians[2]);
        boolean held = ratio <= RECORD_AT_MOST;
        Bench.say(
                "two JVMs, a record of five fields: %.3f; as many bytes %.3f, Fory alone %.3f (by class name, with identity: %.3f): ratio %.2f"
                        + " (%.2f) asked: <= %.1f %s",
                medians[0],
                medians[1],
                medians[2],
                medians[3],
                ratio,
                medians[0] / (medians[1] + medians[3]),
                RECORD_AT_MOST,
                Bench.held(held));
        return held;
    }
}
