package mpi;

/** An int and an int behind it, as in C: what {@link MPI#MINLOC} and {@link MPI#MAXLOC} apply to. */
public final class Int2 extends Struct {
    private final int value = addInt();
    private final int index = setOffset(4).addInt();

    Int2() {
        super(MPI.INT2);
    }

    @Override
    protected Int2.Data newData() {
        return new Data();
    }

    /** One of them. */
    public final class Data extends Struct.Data {
        private Data() {}

        /** The value. */
        public int getValue() {
            return getInt(value);
        }

        /** The index. */
        public int getIndex() {
            return getInt(index);
        }

        /** Sets the value. */
        public void putValue(int v) {
            putInt(value, v);
        }

        /** Sets the index. */
        public void putIndex(int v) {
            putInt(index, v);
        }
    }
}
