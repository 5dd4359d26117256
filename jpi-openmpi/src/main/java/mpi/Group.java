package mpi;

import java.util.Arrays;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import jpi.JComparison;
import jpi.JGroup;

/** Some ranks in some order. */
public final class Group implements Freeable {
    private final Supplier<JGroup> group;
    private volatile boolean freed;

    Group(Supplier<JGroup> group) {
        this.group = group;
    }

    private static Group of(JGroup group) {
        return new Group(() -> group);
    }

    JGroup group() {
        return group.get();
    }

    private static JGroup first(Group group) {
        return Given.group(group, "the first group").group();
    }

    private static JGroup second(Group group) {
        return Given.group(group, "the second group").group();
    }

    /** How many there are. */
    public int getSize() {
        return group().size();
    }

    /** The calling rank's number in it; {@link MPI#UNDEFINED} if it is none of it. */
    public int getRank() {
        return group().rank();
    }

    /** What ranks of one group are in another; {@link MPI#UNDEFINED} for those that are not. */
    public static int[] translateRanks(Group group1, int[] ranks, Group group2) {
        return MPIException.of(() -> first(group1).translate(ranks, second(group2)));
    }

    /** How alike two are. */
    public static int compare(Group group1, Group group2) {
        return number(first(group1).compare(second(group2)));
    }

    static int number(JComparison comparison) {
        return switch (comparison) {
            case IDENTICAL -> MPI.IDENT;
            case CONGRUENT -> MPI.CONGRUENT;
            case SIMILAR -> MPI.SIMILAR;
            case UNEQUAL -> MPI.UNEQUAL;
        };
    }

    /** All of the first, and behind them those of the second that are not among them. */
    public static Group union(Group group1, Group group2) {
        return of(first(group1).union(second(group2)));
    }

    /** Those of the first that are in the second. */
    public static Group intersection(Group group1, Group group2) {
        return of(first(group1).intersection(second(group2)));
    }

    /** Those of the first that are not in the second. */
    public static Group difference(Group group1, Group group2) {
        return of(first(group1).difference(second(group2)));
    }

    /** Some, in the order in which they are given. */
    public Group incl(int[] ranks) {
        return MPIException.of(() -> of(group().incl(ranks)));
    }

    /** All but some. */
    public Group excl(int[] ranks) {
        return MPIException.of(() -> of(group().excl(ranks)));
    }

    /** Some, given as ranges of first rank, last rank and stride. */
    public Group rangeIncl(int[][] ranges) {
        return incl(ranks(ranges));
    }

    /** All but some, given as ranges of first rank, last rank and stride. */
    public Group rangeExcl(int[][] ranges) {
        return excl(ranks(ranges));
    }

    private static int[] ranks(int[][] ranges) {
        int[][] all =
                Given.required(ranges, "the ranges of ranks are null: give each as first rank, last rank and stride");
        return Arrays.stream(all).flatMapToInt(Group::ranks).toArray();
    }

    private static IntStream ranks(int[] range) {
        var _ = Given.required(range, "a range of ranks is null: must be first rank, last rank and stride");
        if (range.length < 3) {
            throw new MPIException(
                    "a range of ranks of " + range.length + " numbers: must be first rank, last rank and stride");
        }
        int stride = range[2];
        if (stride == 0) {
            throw new MPIException("a range of ranks with stride 0: must not be 0");
        }
        return IntStream.iterate(
                range[0], rank -> stride > 0 ? rank <= range[1] : rank >= range[1], rank -> rank + stride);
    }

    @Override
    public void free() {
        freed = true;
    }

    /** If it has been freed. */
    public boolean isNull() {
        return freed;
    }
}
