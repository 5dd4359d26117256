package mpi;

import jpi.JCartesian;
import jpi.JHandle;
import jpi.JShift;

/** A communicator whose ranks are the points of a grid. */
@SuppressWarnings("MemberName") // MPI's names
public final class Cartcomm extends Intracomm {
    private final JCartesian grid;

    Cartcomm(JCartesian grid) {
        super(() -> grid);
        this.grid = grid;
    }

    @Override
    public Object clone() {
        return MPIException.of(() -> new Cartcomm(grid.dup()));
    }

    @Override
    public int Topo_test() {
        return MPI.CART;
    }

    /** The grid, and where this rank is. */
    public CartParms Get() {
        return new CartParms(grid.dims(), grid.periods(), grid.coords());
    }

    /** The rank at a point. */
    public int Rank(int[] coords) {
        return MPIException.of(() -> grid.rankOf(coords));
    }

    /** Where a rank is. */
    public int[] Coords(int rank) {
        return MPIException.of(() -> grid.coords(rank));
    }

    /** From whom a rank receives and to whom it sends when all pass something along a dimension. */
    public ShiftParms Shift(int direction, int disp) {
        JShift shift = MPIException.of(() -> grid.shift(direction, disp));
        return new ShiftParms(rank(shift.source()), rank(shift.destination()));
    }

    private static int rank(int ours) {
        return ours == JHandle.PROC_NULL ? MPI.PROC_NULL : ours;
    }

    /** Cuts the grid into parts that have some of its dimensions. */
    public Cartcomm Sub(boolean[] remainDims) {
        return MPIException.of(() -> new Cartcomm(grid.sub(remainDims)));
    }

    /** The number that a rank would get in a grid: its own; {@link MPI#UNDEFINED} if it is none of it. */
    public int Map(int[] dims, boolean[] periods) {
        int points = 1;
        for (int dim : Given.required(dims, "the dimensions are null: give how many points each has")) {
            points *= dim;
        }
        return Rank() < points ? Rank() : MPI.UNDEFINED;
    }

    /** Fills in the dimensions that are 0, as alike as can be. */
    public static void Dims_create(int nnodes, int[] dims) {
        int[] found = MPIException.of(() -> JCartesian.dims(nnodes, dims));
        System.arraycopy(found, 0, dims, 0, dims.length);
    }
}
