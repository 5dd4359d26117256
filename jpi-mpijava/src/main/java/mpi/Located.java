package mpi;

import java.lang.reflect.Array;

/** The best of values, and its index: of two equal ones the lower. Pairs lie one behind the other, value first. */
final class Located extends User_function {
    private final boolean greatest;

    Located(boolean greatest) {
        this.greatest = greatest;
    }

    @Override
    public void Call(Object invec, int inoffset, Object inoutvec, int inoutoffset, int count, Datatype datatype) {
        if (datatype.Size() % 2 != 0 || datatype.base().isObject() || datatype.base() == Base.BOOLEAN) {
            throw new MPIException("MAXLOC and MINLOC apply to pairs of numbers, as of MPI.INT2, not to this datatype");
        }
        int elements = count * datatype.Size();
        for (int i = 0; i < elements; i += 2) {
            int in = inoffset + i;
            int inout = inoutoffset + i;
            int comparison = greatest ? compare(invec, in, inoutvec, inout) : compare(inoutvec, inout, invec, in);
            if (comparison > 0 || (comparison == 0 && compare(inoutvec, inout + 1, invec, in + 1) > 0)) {
                System.arraycopy(invec, in, inoutvec, inout, 2);
            }
        }
    }

    private static int compare(Object one, int i, Object other, int j) {
        return one instanceof float[] || one instanceof double[]
                ? Double.compare(Array.getDouble(one, i), Array.getDouble(other, j))
                : Long.compare(Array.getLong(one, i), Array.getLong(other, j));
    }
}
