package ayatori.cli.aggregate;

import java.util.ArrayList;
import java.util.List;

/** How long something took each time, counted in buckets of a quarter of an octave. */
record Lengths(List<Bucket> buckets) {
    /** A bucket is from its shortest length to a quarter more than the octave's. */
    private static final double MIDDLE = 1.1;

    /**
     * So many were this long.
     *
     * @param shortest nanoseconds
     */
    record Bucket(long shortest, long count) {}

    /**
     * As the meter writes them: {@code SHORTEST:COUNT,...}, the shortest first.
     *
     * @throws NumberFormatException if it is not that
     */
    static Lengths parse(String text) {
        List<Bucket> buckets = new ArrayList<>();
        if (!text.isEmpty()) {
            for (String each : text.split(",", -1)) {
                int colon = each.indexOf(':');
                buckets.add(new Bucket(
                        Long.parseLong(each, 0, Math.max(colon, 0), 10),
                        Long.parseLong(each, colon + 1, each.length(), 10)));
            }
        }
        return new Lengths(List.copyOf(buckets));
    }

    long count() {
        return buckets.stream().mapToLong(Bucket::count).sum();
    }

    /** The length that so many, of 1, do not exceed, in nanoseconds and to a tenth; NaN: there was none. */
    double quantile(double part) {
        long wanted = (long) Math.ceil(part * count());
        long seen = 0;
        for (Bucket bucket : buckets) {
            seen += bucket.count();
            if (seen >= wanted) {
                return bucket.shortest() * MIDDLE;
            }
        }
        return Double.NaN;
    }
}
