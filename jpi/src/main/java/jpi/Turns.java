package jpi;

import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import jpi.internal.engine.Rank;
import jpi.internal.engine.Turn;
import jpi.internal.shm.Assembly;
import org.jspecify.annotations.Nullable;

/**
 * Which collective operation of a communicator has which place of its {@link Assembly}, on one rank: those that were begun before with the
 * same place have to have ended there, or need none. Only who begins many that do without waiting for them is kept waiting. Thread-safe.
 */
final class Turns {
    /** The first operation at each place that has not ended there. */
    private final int[] first = new int[Assembly.PLACES];
    /** Ended before it was their turn, as those do that need no place. */
    private final Set<Integer> early = new HashSet<>();
    /** Those that wait. */
    private final Map<Integer, Turn> awaited = new HashMap<>();

    /** @param number of the first operation, which has the first place */
    Turns(int number) {
        Arrays.setAll(first, i -> number + i);
    }

    private static int after(int number) {
        return number + Assembly.PLACES & Integer.MAX_VALUE;
    }

    /** If an operation has its place. */
    synchronized boolean has(int number) {
        return first[Assembly.place(number)] == number;
    }

    /**
     * That an operation has its place; null: it has.
     *
     * @param rank that waits for it
     */
    synchronized @Nullable Turn of(int number, Rank rank) {
        return has(number) ? null : awaited.computeIfAbsent(number, _ -> new Turn(rank));
    }

    /** An operation has ended at its place, well or not, or needs none. Once. */
    void end(int number) {
        Turn next = next(number);
        if (next != null) {
            next.come();
        }
    }

    /** Ends an operation. Null: nobody waits for that. */
    private synchronized @Nullable Turn next(int number) {
        int place = Assembly.place(number);
        if (first[place] != number) {
            early.add(number);
            return null;
        }
        first[place] = after(number);
        while (early.remove(first[place])) {
            first[place] = after(first[place]);
        }
        return awaited.remove(first[place]);
    }
}
