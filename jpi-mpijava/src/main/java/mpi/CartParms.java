package mpi;

/** A grid, and where a rank is in it. */
public class CartParms {
    /** Points of each dimension. */
    public final int[] dims;
    /** Which dimensions are rings. */
    public final boolean[] periods;
    /** Where the rank is. */
    public final int[] coords;

    CartParms(int[] dims, boolean[] periods, int[] coords) {
        this.dims = dims;
        this.periods = periods;
        this.coords = coords;
    }
}
