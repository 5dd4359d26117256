package mpi;

import jpi.JBuffer;
import org.jspecify.annotations.Nullable;

/** Where the blocks of several ranks lie in the user's array, each of its own count and at a place of its own. */
final class Regions {
    private final Region[] regions;
    private final Datatype type;

    /**
     * @param ranks how many there are; the arrays may be longer
     * @param counts items of each
     * @param displacements where each begins, in items from the offset on
     */
    Regions(
            int ranks,
            @Nullable Object array,
            int offset,
            int @Nullable [] counts,
            int @Nullable [] displacements,
            Datatype type) {
        this.type = Datatype.required(type);
        int[] items = requireEach("counts", counts, ranks);
        int[] places = requireEach("displacements", displacements, ranks);
        regions = new Region[ranks];
        for (int i = 0; i < ranks; i++) {
            regions[i] = new Region(array, offset + (long) places[i] * type.Extent(), items[i], type);
        }
    }

    /** Refuses what has not one number for each rank. */
    static int[] requireEach(String what, int @Nullable [] numbers, int ranks) {
        if (numbers == null || numbers.length < ranks) {
            throw new MPIException((numbers == null ? "the " + what + " are null" : numbers.length + " " + what)
                    + ": must be one for each of the " + ranks + " ranks");
        }
        return numbers;
    }

    Region get(int rank) {
        return regions[rank];
    }

    /** Elements of each block, as JPI counts. */
    int[] counts() {
        int[] counts = new int[regions.length];
        for (int i = 0; i < counts.length; i++) {
            counts[i] = regions[i].elements();
        }
        return counts;
    }

    private int elements() {
        int sum = 0;
        for (Region region : regions) {
            sum += region.elements();
        }
        return sum;
    }

    /** Room for all blocks, one behind the other. */
    JBuffer space() {
        return JBuffer.ofArray(type.base().newPacked(elements()));
    }

    /** Copies of all blocks, one behind the other. */
    JBuffer contents() {
        JBuffer all = space();
        int from = 0;
        for (Region region : regions) {
            all.slice(from, region.elements()).copyFrom(region.contents());
            from += region.elements();
        }
        return all;
    }

    /** Takes what has been received into {@link #space}. */
    void take(JBuffer filled) {
        int from = 0;
        for (Region region : regions) {
            JBuffer part = filled.slice(from, region.elements());
            region.unpack(part.toArray(), region.elements());
            from += region.elements();
        }
    }
}
