package mpi;

import jpi.JCartesian;
import jpi.JComm;
import jpi.JRequest;
import jpi.JShift;
import org.jspecify.annotations.Nullable;

/** A communicator whose ranks are the points of a grid. */
public final class CartComm extends Intracomm {
    CartComm(@Nullable JCartesian grid) {
        super(grid == null ? NOBODY : () -> grid);
    }

    private CartComm(JRequest<JComm> begun) {
        super(begun::await);
        comesOf(begun);
    }

    private JCartesian grid() {
        return (JCartesian) comm();
    }

    @Override
    public CartComm dup() {
        return MPIException.of(() -> new CartComm(grid().dup()));
    }

    @Override
    public CartComm iDup() {
        return new CartComm(beginCopy());
    }

    @Override
    public CartComm dupWithInfo(@Nullable Info info) {
        return dup();
    }

    @Override
    public CartComm clone() {
        return dup();
    }

    /** The grid, and where this rank is. */
    public CartParms getTopo() {
        return new CartParms(grid().dims(), grid().periods(), grid().coords());
    }

    /** The rank at a point. */
    public int getRank(int[] coords) {
        return MPIException.of(() -> grid().rankOf(coords));
    }

    /** Where a rank is. */
    public int[] getCoords(int rank) {
        return MPIException.of(() -> grid().coords(rank));
    }

    /** From whom a rank receives and to whom it sends when all pass something along a dimension. */
    public ShiftParms shift(int direction, int disp) {
        JShift shift = MPIException.of(() -> grid().shift(direction, disp));
        return new ShiftParms(shift.source(), shift.destination());
    }

    /** Cuts the grid into parts that have some of its dimensions. */
    public CartComm sub(boolean[] remainDims) {
        return MPIException.of(() -> new CartComm(grid().sub(remainDims)));
    }

    /** The number that a rank would get in a grid: its own; {@link MPI#UNDEFINED} if it is none of it. */
    public int map(int[] dims, boolean[] periods) {
        int points = 1;
        for (int dim : Given.required(dims, "the dimensions are null: give how many points each has")) {
            points *= dim;
        }
        return getRank() < points ? getRank() : MPI.UNDEFINED;
    }

    /** Fills in the dimensions that are 0, as alike as can be. */
    public static void createDims(int nnodes, int[] dims) {
        int[] found = MPIException.of(() -> JCartesian.dims(nnodes, dims));
        System.arraycopy(found, 0, dims, 0, dims.length);
    }
}
