package mpi;

/** A grid, and where a rank is in it. */
public final class CartParms {
    private final int[] dims;
    private final boolean[] periods;
    private final int[] coords;

    CartParms(int[] dims, boolean[] periods, int[] coords) {
        this.dims = dims;
        this.periods = periods;
        this.coords = coords;
    }

    /** How many dimensions. */
    public int getDimCount() {
        return dims.length;
    }

    /** Points of a dimension. */
    public int getDim(int i) {
        return dims[i];
    }

    /** If a dimension is a ring. */
    public boolean getPeriod(int i) {
        return periods[i];
    }

    /** Where the rank is in a dimension. */
    public int getCoord(int i) {
        return coords[i];
    }
}
