package mpi;

/** A float and an int behind it, as in C: what {@link MPI#MINLOC} and {@link MPI#MAXLOC} apply to. */
public final class FloatInt extends Struct {
    private final int value = addFloat();
    private final int index = setOffset(4).addInt();

    FloatInt() {
        super(MPI.FLOAT_INT);
    }

    @Override
    protected FloatInt.Data newData() {
        return new Data();
    }

    /** One of them. */
    public final class Data extends Struct.Data {
        private Data() {}

        /** The value. */
        public float getValue() {
            return getFloat(value);
        }

        /** The index. */
        public int getIndex() {
            return getInt(index);
        }

        /** Sets the value. */
        public void putValue(float v) {
            putFloat(value, v);
        }

        /** Sets the index. */
        public void putIndex(int v) {
            putInt(index, v);
        }
    }
}
