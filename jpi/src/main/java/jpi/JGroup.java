package jpi;

import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.stream.IntStream;

/** Some ranks in some order, numbered from 0: a set from which a communicator can be made, {@link JComm#create}. Immutable. */
public final class JGroup {
    /** In the whole program. */
    private final int[] numbers;
    /** The number of the rank whose group this is. */
    private final int mine;

    JGroup(int[] numbers, int mine) {
        this.numbers = numbers;
        this.mine = mine;
    }

    /** Not to be changed. */
    int[] numbers() {
        return numbers;
    }

    /** How many there are. */
    public int size() {
        return numbers.length;
    }

    /** The rank in this group of who has made it; {@link JHandle#UNDEFINED}: it is none of it. */
    public int rank() {
        return rankOf(mine);
    }

    /** The same of whoever has a number in the whole program. */
    int rankOf(int number) {
        for (int i = 0; i < numbers.length; i++) {
            if (numbers[i] == number) {
                return i;
            }
        }
        return JHandle.UNDEFINED;
    }

    /**
     * Some of these, in the order in which they are given.
     *
     * @throws JException if one is not in the group, or is given twice
     */
    public JGroup incl(int... ranks) {
        var _ = Given.required(ranks, "incl", "ranks", "name those of the new group, or none");
        int[] chosen = new int[ranks.length];
        boolean[] seen = new boolean[numbers.length];
        for (int i = 0; i < ranks.length; i++) {
            requireRank(ranks[i]);
            if (seen[ranks[i]]) {
                throw new JException("rank " + ranks[i] + " is given twice: a group has each rank once");
            }
            seen[ranks[i]] = true;
            chosen[i] = numbers[ranks[i]];
        }
        return new JGroup(chosen, mine);
    }

    /**
     * All of these but some, each of which may be given more than once.
     *
     * @throws JException if one is not in the group
     */
    public JGroup excl(int... ranks) {
        var _ = Given.required(ranks, "excl", "ranks", "name those that are to be left out, or none");
        boolean[] left = new boolean[numbers.length];
        for (int rank : ranks) {
            requireRank(rank);
            left[rank] = true;
        }
        return incl(IntStream.range(0, numbers.length).filter(i -> !left[i]).toArray());
    }

    private void requireRank(int rank) {
        if (rank < 0 || rank >= numbers.length) {
            throw new JException("rank " + rank + " is not in the group, which has "
                    + (numbers.length == 0 ? "none" : "ranks 0 to " + (numbers.length - 1)));
        }
    }

    private Map<Integer, Integer> places() {
        Map<Integer, Integer> places = new HashMap<>();
        for (int i = 0; i < numbers.length; i++) {
            places.put(numbers[i], i);
        }
        return places;
    }

    private JGroup where(Map<Integer, Integer> places, boolean wanted) {
        int[] some = Arrays.stream(numbers)
                .filter(number -> places.containsKey(number) == wanted)
                .toArray();
        return new JGroup(some, mine);
    }

    /** These, and behind them those of another group that are not among them. */
    public JGroup union(JGroup other) {
        var _ = Given.group(other, "union");
        int[] more = other.where(places(), false).numbers;
        return new JGroup(
                IntStream.concat(Arrays.stream(numbers), Arrays.stream(more)).toArray(), mine);
    }

    /** Those of these that are in another group. */
    public JGroup intersection(JGroup other) {
        var _ = Given.group(other, "intersection");
        return where(other.places(), true);
    }

    /** Those of these that are not in another group. */
    public JGroup difference(JGroup other) {
        var _ = Given.group(other, "difference");
        return where(other.places(), false);
    }

    /**
     * What ranks of this group are in another.
     *
     * @return {@link JHandle#UNDEFINED} for who is none there; {@link JHandle#PROC_NULL} stays
     */
    public int[] translate(int[] ranks, JGroup other) {
        var _ = Given.required(ranks, "translate", "ranks", "name those of this group that are wanted");
        var _ = Given.group(other, "translate");
        Map<Integer, Integer> places = other.places();
        return Arrays.stream(ranks)
                .map(rank -> {
                    if (rank == JHandle.PROC_NULL) {
                        return rank;
                    }
                    requireRank(rank);
                    return places.getOrDefault(numbers[rank], JHandle.UNDEFINED);
                })
                .toArray();
    }

    /** How alike two are: identical, similar or unequal. */
    public JComparison compare(JGroup other) {
        var _ = Given.group(other, "compare");
        if (Arrays.equals(numbers, other.numbers)) {
            return JComparison.IDENTICAL;
        }
        boolean isSame = size() == other.size() && difference(other).size() == 0;
        return isSame ? JComparison.SIMILAR : JComparison.UNEQUAL;
    }

    @Override
    public String toString() {
        return "a group of " + numbers.length + " ranks";
    }
}
