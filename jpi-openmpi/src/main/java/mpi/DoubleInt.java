package mpi;

/** A double and an int behind it, as in C: what {@link MPI#MINLOC} and {@link MPI#MAXLOC} apply to. */
public final class DoubleInt extends Struct {
    private final int value = addDouble();
    private final int index = setOffset(8).addInt();

    DoubleInt() {
        super(MPI.DOUBLE_INT);
    }

    @Override
    protected DoubleInt.Data newData() {
        return new Data();
    }

    /** One of them. */
    public final class Data extends Struct.Data {
        private Data() {}

        /** The value. */
        public double getValue() {
            return getDouble(value);
        }

        /** The index. */
        public int getIndex() {
            return getInt(index);
        }

        /** Sets the value. */
        public void putValue(double v) {
            putDouble(value, v);
        }

        /** Sets the index. */
        public void putIndex(int v) {
            putInt(index, v);
        }
    }
}
