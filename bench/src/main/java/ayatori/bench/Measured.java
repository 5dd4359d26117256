package ayatori.bench;

import ayatori.bench.load.Distance;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * What one round gave, between CPUs of some distance: only rounds of the same one are compared.
 *
 * @param value in the unit of what was measured
 * @param distance null: that is not known
 */
record Measured(int round, double value, @Nullable Distance distance) {
    /** Those that were met, the nearest first; unknown ones before all others. */
    static List<Distance> distances(Stream<Measured> values) {
        return values.map(Measured::distance)
                .distinct()
                .sorted(Comparator.nullsFirst(Comparator.naturalOrder()))
                .toList();
    }

    /** The median of what one way gave at a distance; NaN if it gave nothing. */
    static double middle(Map<String, List<Measured>> ways, String way, @Nullable Distance distance) {
        return Statistics.median(ways.getOrDefault(way, List.of()).stream()
                .filter(value -> value.distance() == distance)
                .mapToDouble(Measured::value)
                .toArray());
    }
}
