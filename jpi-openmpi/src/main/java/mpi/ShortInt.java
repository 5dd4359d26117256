package mpi;

/** A short and an int behind it, as in C: what {@link MPI#MINLOC} and {@link MPI#MAXLOC} apply to. */
public final class ShortInt extends Struct {
    private final int value = addShort();
    private final int index = setOffset(4).addInt();

    ShortInt() {
        super(MPI.SHORT_INT);
    }

    @Override
    protected ShortInt.Data newData() {
        return new Data();
    }

    /** One of them. */
    public final class Data extends Struct.Data {
        private Data() {}

        /** The value. */
        public short getValue() {
            return getShort(value);
        }

        /** The index. */
        public int getIndex() {
            return getInt(index);
        }

        /** Sets the value. */
        public void putValue(short v) {
            putShort(value, v);
        }

        /** Sets the index. */
        public void putIndex(int v) {
            putInt(index, v);
        }
    }
}
