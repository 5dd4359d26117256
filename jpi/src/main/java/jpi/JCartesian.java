package jpi;

import java.util.Arrays;
import java.util.stream.IntStream;
import jpi.internal.engine.Rank;

/**
 * A communicator whose ranks are the points of a grid; the last coordinate runs fastest. The neighbours of a point are, for each
 * dimension in order, the one before and the one behind it. See {@link JComm#cartesian}.
 */
public final class JCartesian extends JTopology {
    private final int[] dims;
    private final boolean[] periods;

    JCartesian(Members members, Rank.Mode mode, int priority, int[] dims, boolean[] periods) {
        int[] neighbours = neighbours(dims, periods, members.me());
        super(members, mode, priority, neighbours, neighbours);
        this.dims = dims;
        this.periods = periods;
    }

    /**
     * How many points each dimension of a grid may have, so that they are as alike as can be, the largest first: no other choice has a
     * smaller largest one, nor with the same largest a smaller second one, and so on.
     *
     * @param points of the whole grid
     * @param dims points of each dimension; where 0, to be found
     * @return the same array length, all filled
     * @throws JException if the points that are given do not divide {@code points}
     */
    public static int[] dims(int points, int... dims) {
        var _ = Given.required(dims, "dims", "dimensions", "give one for each, 0 where it is to be found");
        int left = points;
        int open = 0;
        for (int dim : dims) {
            if (dim < 0 || (dim > 0 && left % dim != 0)) {
                throw new JException(points + " points cannot lie in a grid of " + Arrays.toString(dims)
                        + ": the dimensions that are given must divide the number of points");
            }
            left = dim == 0 ? left : left / dim;
            open += dim == 0 ? 1 : 0;
        }
        if (points < 1 || (open == 0 && left != 1)) {
            throw new JException(points + " points do not fill a grid of " + Arrays.toString(dims)
                    + ": the product of the dimensions must be the number of points");
        }
        int[] found = even(left, open);
        int[] result = dims.clone();
        int next = 0;
        for (int i = 0; i < result.length; i++) {
            if (result[i] == 0) {
                result[i] = found[next++];
            }
        }
        return result;
    }

    /** Factors, the largest first. */
    private static int[] even(int product, int factors) {
        int[] result = new int[factors];
        if (factors > 0) {
            var _ = fill(result, 0, product, divisors(product), product);
        }
        return result;
    }

    /** Of a number, in their order. */
    private static int[] divisors(int number) {
        return IntStream.rangeClosed(1, (int) Math.sqrt(number))
                .filter(low -> number % low == 0)
                .flatMap(low -> IntStream.of(low, number / low))
                .sorted()
                .distinct()
                .toArray();
    }

    /**
     * Fills the rest of an array with factors of a product, each as small as can be.
     *
     * @param most that they may be
     * @return false: there are none
     */
    private static boolean fill(int[] result, int place, int product, int[] divisors, int most) {
        int left = result.length - place;
        if (left == 1) {
            result[place] = product;
            return product <= most;
        }
        for (int factor : divisors) {
            if (factor > most) {
                return false;
            }
            if (product % factor == 0 && isEnough(factor, left, product)) {
                result[place] = factor;
                if (fill(result, place + 1, product / factor, divisors, factor)) {
                    return true;
                }
            }
        }
        return false;
    }

    /** If a power of a factor is as large as a product. */
    private static boolean isEnough(int factor, int exponent, int product) {
        long power = 1;
        for (int i = 0; i < exponent && power < product; i++) {
            power *= factor;
        }
        return power >= product;
    }

    /** For each dimension the rank before and the one behind. */
    private static int[] neighbours(int[] dims, boolean[] periods, int rank) {
        int[] neighbours = new int[2 * dims.length];
        int[] coords = coords(dims, rank);
        for (int i = 0; i < dims.length; i++) {
            neighbours[2 * i] = moved(dims, periods, coords, i, -1);
            neighbours[2 * i + 1] = moved(dims, periods, coords, i, 1);
        }
        return neighbours;
    }

    private static int[] coords(int[] dims, int rank) {
        int[] coords = new int[dims.length];
        int left = rank;
        for (int i = dims.length - 1; i >= 0; i--) {
            coords[i] = left % dims[i];
            left /= dims[i];
        }
        return coords;
    }

    private static int moved(int[] dims, boolean[] periods, int[] from, int dimension, long distance) {
        int[] to = from.clone();
        long place = from[dimension] + distance;
        if (periods[dimension]) {
            place = Math.floorMod(place, dims[dimension]);
        } else if (place < 0 || place >= dims[dimension]) {
            return JHandle.PROC_NULL;
        }
        to[dimension] = (int) place;
        return rank(dims, to);
    }

    private static int rank(int[] dims, int[] coords) {
        int rank = 0;
        for (int i = 0; i < dims.length; i++) {
            rank = rank * dims[i] + coords[i];
        }
        return rank;
    }

    /** A rank's neighbours of one dimension may be the same; the one before expects first what goes forward. */
    @Override
    int turn(int n) {
        return n ^ 1;
    }

    /** Points of each dimension. */
    public int[] dims() {
        return dims.clone();
    }

    /** Which dimensions are rings. */
    public boolean[] periods() {
        return periods.clone();
    }

    /** Where this rank is. */
    public int[] coords() {
        return coords(dims, rank());
    }

    /**
     * Where a rank is.
     *
     * @throws JException if there is no such rank
     */
    public int[] coords(int rank) {
        members.requireMember(rank);
        return coords(dims, rank);
    }

    /**
     * The rank at a point. In a ring a coordinate may be any number.
     *
     * @param coords one for each dimension
     * @throws JException if there are more or fewer, or the point lies outside of the grid
     */
    public int rankOf(int... coords) {
        var _ = Given.required(coords, "rankOf", "coordinates", "give one for each dimension");
        requireOneEach("coordinates", coords.length);
        int[] inside = coords.clone();
        for (int i = 0; i < dims.length; i++) {
            if (periods[i]) {
                inside[i] = Math.floorMod(coords[i], dims[i]);
            } else if (coords[i] < 0 || coords[i] >= dims[i]) {
                throw new JException("coordinate " + coords[i] + " of dimension " + i + " lies outside " + name()
                        + ", where it is 0 to " + (dims[i] - 1));
            }
        }
        return rank(dims, inside);
    }

    private void requireOneEach(String what, int count) {
        if (count != dims.length) {
            throw new JException(
                    count + " " + what + " for " + dims.length + " dimensions of " + name() + ": must be one for each");
        }
    }

    /**
     * From whom a rank receives and to whom it sends when all pass something along a dimension.
     *
     * @param dimension from 0
     * @param distance how far; may be negative
     * @return of a grid that ends there {@link JHandle#PROC_NULL} for the rank that there is not
     * @throws JException if there is no such dimension
     */
    public JShift shift(int dimension, int distance) {
        if (dimension < 0 || dimension >= dims.length) {
            throw new JException("dimension " + dimension + " of " + name() + ": must be 0 to " + (dims.length - 1));
        }
        int[] here = coords();
        return new JShift(
                moved(dims, periods, here, dimension, -(long) distance),
                moved(dims, periods, here, dimension, distance));
    }

    /**
     * Cuts the grid into parts that have some of its dimensions; collective.
     *
     * @param remaining which dimensions the parts have
     * @return the part in which this rank is
     * @throws JException if there is not a choice for each dimension
     */
    public JCartesian sub(boolean... remaining) {
        var _ = Given.required(remaining, "sub", "choices", "say of each dimension if it stays");
        requireOneEach("choices", remaining.length);
        int[] kept = IntStream.range(0, dims.length).filter(i -> remaining[i]).toArray();
        int[] here = coords();
        int color = 0;
        int key = 0;
        for (int i = 0; i < dims.length; i++) {
            color = remaining[i] ? color : color * dims[i] + here[i];
            key = remaining[i] ? key * dims[i] + here[i] : key;
        }
        int[] newDims = Arrays.stream(kept).map(i -> dims[i]).toArray();
        boolean[] newPeriods = new boolean[kept.length];
        for (int i = 0; i < kept.length; i++) {
            newPeriods[i] = periods[kept[i]];
        }
        Members part = java.util.Objects.requireNonNull(splitMembers("sub", color, key, "part of " + name()));
        return new JCartesian(part, mode, priority, newDims, newPeriods);
    }

    @Override
    JCartesian as(Members others, Rank.Mode newMode, int newPriority) {
        return new JCartesian(others, newMode, newPriority, dims, periods);
    }

    @Override
    public JCartesian isolated() {
        return as(members, Rank.Mode.ISOLATED, priority);
    }

    @Override
    public JCartesian priority(int newPriority) {
        return as(members, mode, requirePriority(newPriority));
    }

    @Override
    public JCartesian dup() {
        return (JCartesian) super.dup();
    }

    /** Checks a grid, and that it has not more points than there are ranks. */
    static int points(int[] dims, boolean[] periods, int size, String name) {
        if (dims.length != periods.length) {
            throw new JException(periods.length + " periods for " + dims.length + " dimensions: must be one for each");
        }
        long points = 1;
        for (int dim : dims) {
            points = dim < 1 ? Long.MAX_VALUE : points * dim;
            if (points > size) {
                throw new JException("a grid of " + Arrays.toString(dims) + " does not fit the " + size + " ranks of "
                        + name + ": choose dimensions of at least 1 whose product is at most that");
            }
        }
        return (int) points;
    }
}
