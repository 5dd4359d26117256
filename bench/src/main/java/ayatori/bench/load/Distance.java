package ayatori.bench.load;

import org.jspecify.annotations.Nullable;

/**
 * How far two CPUs are from each other, by what a cache line takes between them. The host of a virtual machine may move its CPUs at any
 * time, and what passes from one to the other then takes up to six times as long: what is compared has to be of the same distance. The
 * bounds lie between what was seen, on AMD EPYC: 33 to 38 ns, 52 to 87 and 185 to 410.
 */
public enum Distance {
    /** Up to 50 ns; while both compute, each has about two thirds of its speed. */
    ONE_CORE("of one core"),
    /** Up to 120 ns. */
    NEAR("near each other"),
    /** More. */
    FAR("far from each other");

    private static final double ONE_CORE_NANOS = 50;
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
        return lineNanos <= ONE_CORE_NANOS ? ONE_CORE : lineNanos <= NEAR_NANOS ? NEAR : FAR;
    }

    /** After "CPUs". */
    public String label() {
        return label;
    }
}
