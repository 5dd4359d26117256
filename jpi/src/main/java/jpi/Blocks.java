package jpi;

import org.jspecify.annotations.Nullable;

/** Blocks of different counts in one buffer, one for each rank: what MPI's v-forms are told. */
final class Blocks {
    private final JBuffer whole;
    private final int[] counts;
    private final int @Nullable [] displacements;

    /**
     * Those of a buffer. The arrays are copied.
     *
     * @param displacements where they begin; null: one after the other
     */
    Blocks(JBuffer whole, int[] counts, int @Nullable [] displacements) {
        this.whole = whole;
        this.counts = counts.clone();
        this.displacements = displacements == null ? null : displacements.clone();
    }

    /** Those that a call needs on every rank. */
    static Blocks given(JBuffer whole, int[] counts, int @Nullable [] displacements, String call) {
        return new Blocks(Given.buffer(whole, call), Given.counts(counts, call), displacements);
    }

    /** Null: not said, since this rank is not the root. */
    static @Nullable Blocks of(@Nullable JBuffer whole, int @Nullable [] counts, int @Nullable [] displacements) {
        return whole == null || counts == null ? null : new Blocks(whole, counts, displacements);
    }

    /** Refuses what the root has not said. */
    static Blocks require(@Nullable Blocks some, int root) {
        if (some == null) {
            throw new JException(
                    "rank " + root + " is the root, and has given no buffer, or no counts, for the blocks: give both");
        }
        return some;
    }

    JType type() {
        return whole.type();
    }

    /** Each. The array is not to be changed. */
    JBuffer[] apart(Exchange exchange) {
        exchange.requireOneEach("counts", counts.length);
        if (displacements != null) {
            exchange.requireOneEach("displacements", displacements.length);
        }
        if (displacements == null && areEven()) {
            return whole.blocks(counts.length);
        }
        JBuffer[] result = new JBuffer[counts.length];
        int next = 0;
        for (int i = 0; i < counts.length; i++) {
            // An empty one may lie anywhere.
            int start = displacements == null ? next : counts[i] == 0 ? 0 : displacements[i];
            if (counts[i] < 0 || start < 0 || counts[i] > whole.count() - start) {
                throw new JException("block " + i + ", " + counts[i] + " elements from " + start + " on, lies outside "
                        + whole + ": correct its count or displacement");
            }
            result[i] = whole.slice(start, counts[i]);
            next = start + counts[i];
        }
        return result;
    }

    private boolean areEven() {
        for (int count : counts) {
            if (count != counts[0]) {
                return false;
            }
        }
        return (long) counts[0] * counts.length == whole.count();
    }
}
