package ayatori.bench;

import ayatori.bench.load.Distance;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
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

    /** The median of those of a distance; NaN if there is none. */
    static double middle(Collection<Measured> values, @Nullable Distance distance) {
        return Statistics.median(values.stream()
                .filter(value -> value.distance() == distance)
                .mapToDouble(Measured::value)
                .toArray());
    }
}
