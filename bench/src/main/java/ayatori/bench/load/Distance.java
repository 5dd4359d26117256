package ayatori.bench.load;

import org.jspecify.annotations.Nullable;

/**
 * How far two CPUs are from each other, by what a cache line takes between them. The host of a virtual machine may move its CPUs at any
 * time, and what passes from one to the other then takes up to six times as long: what is compared has to be of the same distance. The
 * bounds lie between what was seen, on AMD EPYC: 34 to 37 ns, 60 to 80 and 200 to 310.
 */
public enum Distance {
    /** Up to 50 ns. */
    NEXT("next to each other"),
    /** Up to 120 ns. */
    NEAR("near each other"),
    /** More. */
    FAR("far from each other");

    private static final double NEXT_NANOS = 50;
    private static final double NEAR_NANOS = 120;

    private final String label;

    Distance(String label) {
        this.label = label;
    }

    /** Null: that is not known. */
    public static @Nullable Distance of(double lineNanos) {
        if (Double.isNaN(lineNanos)) {
            return null;
        }
        return lineNanos <= NEXT_NANOS ? NEXT : lineNanos <= NEAR_NANOS ? NEAR : FAR;
    }

    /** After "CPUs". */
    public String label() {
        return label;
    }
}
