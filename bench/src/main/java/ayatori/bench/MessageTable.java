package ayatori.bench;

import ayatori.bench.MessageSpeed.Place;
import ayatori.bench.load.Distance;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Objects;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** Medians of messages by who sent them, how, of which size and in which round; and what is asked of them. */
final class MessageTable {
    private static final double MEDIAN_AT_MOST = 1.0;
    private static final double WORST_AT_MOST = 1.3;
    private static final double RECORD_AT_MOST = 1.5;
    /** Microseconds, of a reference that is passed to a thread. */
    private static final double SPINNING_AT_MOST = 0.1;

    private static final double PARKING_AT_MOST = 2.5;

    /** Of an array that is copied on its way, times what a thread alone takes to copy it. */
    private static final double COPY_AT_MOST = 1.0;
    /** Bytes from which that is asked: of smaller ones handing over, which copies nothing, takes a tenth of the time and more. */
    private static final int COPY_FROM = 32 << 10;

    /** Mode of the record itself, of as many bytes, of Fory alone at its quickest, and of Fory set up as JPI has it. */
    private static final List<String> OF_RECORD = List.of("record", "record-bytes", "fory", "fory-named");

    private record Series(String way, Place place, String mode) {}

    /** A median, microseconds; the distance is null if it is not known. */
    private record Cell(double micros, @Nullable Distance distance) {}

    /** By size, then by round. */
    private final Map<Series, NavigableMap<Integer, Map<Integer, Cell>>> cells = new HashMap<>();

    /** Sizes that were compared, and that held. */
    private int compared;

    private int ratiosHeld;
    private int worstHeld;

    void add(String way, Place place, String mode, int bytes, int round, double median, @Nullable Distance distance) {
        cells.computeIfAbsent(new Series(way, place, mode), s -> new TreeMap<>())
                .computeIfAbsent(bytes, b -> new TreeMap<>())
                .put(round, new Cell(median, distance));
    }

    /**
     * Microseconds by size, then by round; sizes of which there are any.
     *
     * @param distance of the CPUs; null: of any
     */
    private NavigableMap<Integer, Map<Integer, Double>> sizes(
            String way, Place place, String mode, @Nullable Distance distance) {
        NavigableMap<Integer, Map<Integer, Double>> sizes = new TreeMap<>();
        cells.getOrDefault(new Series(way, place, mode), new TreeMap<>())
                .forEach((bytes, rounds) -> rounds.forEach((round, cell) -> {
                    if (distance == null || cell.distance == distance) {
                        sizes.computeIfAbsent(bytes, b -> new TreeMap<>()).put(round, cell.micros);
                    }
                }));
        return sizes;
    }

    private static double middle(Map<Integer, Double> rounds) {
        return Statistics.median(rounds.values());
    }

    /** Prints all. True if what was asked is held; what was not measured is not asked. */
    boolean say(List<Mpi> mpis) {
        boolean held = true;
        for (String mode : List.of("hot", "varied")) {
            for (Distance distance : Distance.values()) {
                held &= sayAgainst(mpis, mode, distance);
            }
        }
        if (compared > 0) {
            Bench.say(
                    "of %d that could be compared, between CPUs of the same distance, %d have a ratio <= %.1f, and %d a worst round <= %.1f",
                    compared, ratiosHeld, MEDIAN_AT_MOST, worstHeld, WORST_AT_MOST);
        }
        sayAlone("two JVMs, a new array for each message", sizes(MessageSpeed.JPI, Place.PROCESSES, "arrays", null));
        for (Distance distance : Distance.values()) {
            held &= sayReference(Place.THREADS, distance, SPINNING_AT_MOST);
        }
        held &= sayReference(Place.PARKING, null, PARKING_AT_MOST);
        for (Distance distance : Distance.values()) {
            held &= sayCopied("isolated", "copy-new", "a new array for each message, isolated", distance);
            held &= sayCopied("hot", "copy", "arrays into arrays", distance);
        }
        for (Distance distance : Distance.values()) {
            held &= sayRecord(distance);
        }
        return held;
    }

    private boolean sayAgainst(List<Mpi> mpis, String mode, Distance distance) {
        var ours = sizes(MessageSpeed.JPI, Place.PROCESSES, mode, distance);
        if (ours.isEmpty()) {
            return true;
        }
        Bench.say(
                "two JVMs or processes, %s buffers, CPUs %s (rounds in brackets); asked: <= %.1f, worst round <= %.1f",
                mode, distance.label(), MEDIAN_AT_MOST, WORST_AT_MOST);
        Map<Mpi, NavigableMap<Integer, Map<Integer, Double>>> theirs = new TreeMap<>();
        mpis.forEach(mpi -> theirs.put(mpi, sizes(mpi.label(), Place.PROCESSES, mode, distance)));
        boolean all = true;
        for (var size : ours.entrySet()) {
            Map<Mpi, Map<Integer, Double>> others = new TreeMap<>();
            theirs.forEach((mpi, sizes) -> {
                Map<Integer, Double> rounds = sizes.get(size.getKey());
                if (rounds != null) {
                    others.put(mpi, rounds);
                }
            });
            all &= sayAgainst(size.getKey(), size.getValue(), others);
        }
        return all;
    }

    private static String cell(String who, Map<Integer, Double> rounds) {
        return String.format(Locale.ROOT, "  %s %9.3f %4s", who, middle(rounds), "(" + rounds.size() + ")");
    }

    private boolean sayAgainst(int bytes, Map<Integer, Double> ours, Map<Mpi, Map<Integer, Double>> others) {
        StringBuilder line = new StringBuilder(String.format(Locale.ROOT, "  %8d B", bytes)).append(cell("JPI", ours));
        others.forEach((mpi, rounds) -> line.append(cell(mpi.label(), rounds)));
        if (others.isEmpty()) {
            Bench.say("%s", line);
            return true;
        }
        // The better one, by the median over rounds.
        double best =
                others.values().stream().mapToDouble(MessageTable::middle).min().orElseThrow();
        double ratio = middle(ours) / best;
        double worst = worst(ours, others);
        boolean ratioHeld = ratio <= MEDIAN_AT_MOST;
        boolean roundHeld = !(worst > WORST_AT_MOST);
        compared++;
        ratiosHeld += ratioHeld ? 1 : 0;
        worstHeld += roundHeld ? 1 : 0;
        Bench.say(
                "%s  %6.2f GB/s  ratio %.2f worst %s %s",
                line,
                bytes / middle(ours) / 1e3,
                ratio,
                Double.isNaN(worst) ? "   -" : String.format(Locale.ROOT, "%.2f", worst),
                Bench.held(ratioHeld && roundHeld));
        return ratioHeld && roundHeld;
    }

    /** Against the better one of the same round; NaN if none met the same distance in the same round. */
    private static double worst(Map<Integer, Double> ours, Map<Mpi, Map<Integer, Double>> others) {
        return ours.entrySet().stream()
                .flatMapToDouble(round -> others.values().stream()
                        .map(rounds -> rounds.get(round.getKey()))
                        .filter(Objects::nonNull)
                        .mapToDouble(other -> round.getValue() / other)
                        .max() // against the one that took least
                        .stream())
                .max()
                .orElse(Double.NaN);
    }

    private static void sayAlone(String what, NavigableMap<Integer, Map<Integer, Double>> sizes) {
        List<String> columns = new ArrayList<>();
        sizes.forEach((bytes, rounds) -> columns.add(String.format(Locale.ROOT, "%d B %.3f", bytes, middle(rounds))));
        Bench.say("%s: %s", what, String.join(", ", columns));
    }

    /** The sizes that take least and most count. */
    private boolean sayReference(Place place, @Nullable Distance distance, double atMost) {
        TreeSet<Double> medians = new TreeSet<>();
        sizes(MessageSpeed.JPI, place, "reference", distance).values().forEach(rounds -> medians.add(middle(rounds)));
        if (medians.isEmpty()) {
            return true;
        }
        boolean held = medians.last() <= atMost;
        Bench.say(
                "%s%s, by reference, 1 B to 16 MB: %.3f to %.3f asked: <= %.1f %s",
                place.label(),
                distance == null ? "" : ", CPUs " + distance.label(),
                medians.first(),
                medians.last(),
                atMost,
                Bench.held(held));
        return held;
    }

    /** Messages that are copied once, beside what a thread alone takes to copy as much. */
    private boolean sayCopied(String mode, String alone, String what, Distance distance) {
        var messages = sizes(MessageSpeed.JPI, Place.THREADS, mode, distance);
        var copies = sizes(MessageSpeed.JPI, Place.THREADS, alone, null);
        if (messages.isEmpty() || copies.isEmpty()) {
            return true;
        }
        Bench.say(
                "two threads, CPUs %s, %s, beside one that copies alone; asked from %d KB on: <= %.1f",
                distance.label(), what, COPY_FROM >> 10, COPY_AT_MOST);
        boolean all = true;
        for (var size : messages.entrySet()) {
            int bytes = size.getKey();
            double micros = middle(size.getValue());
            double copied = middle(copies.getOrDefault(bytes, Map.of()));
            boolean asked = bytes >= COPY_FROM;
            boolean held = !asked || micros <= COPY_AT_MOST * copied;
            all &= held;
            Bench.say(
                    "  %8d B%s  copy %9.3f  %6.2f GB/s  ratio %.2f %s",
                    bytes,
                    cell("JPI", size.getValue()),
                    copied,
                    bytes / micros / 1e3,
                    micros / copied,
                    asked ? Bench.held(held) : "");
        }
        return all;
    }

    private boolean sayRecord(Distance distance) {
        double[] medians = new double[OF_RECORD.size()];
        for (int i = 0; i < medians.length; i++) {
            String mode = OF_RECORD.get(i);
            var sizes = sizes(MessageSpeed.JPI, Place.PROCESSES, mode, mode.startsWith("fory") ? null : distance);
            if (sizes.isEmpty()) {
                return true;
            }
            medians[i] = middle(sizes.firstEntry().getValue());
        }
        double ratio = medians[0] / (medians[1] + medians[2]);
        boolean held = ratio <= RECORD_AT_MOST;
        Bench.say(
                "two JVMs, CPUs %s, a record of five fields: %.3f; as many bytes %.3f, Fory alone %.3f (by class name, with identity: %.3f): ratio %.2f"
                        + " (%.2f) asked: <= %.1f %s",
                distance.label(),
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
