package mpi;

/** A long and an int behind it, as in C: what {@link MPI#MINLOC} and {@link MPI#MAXLOC} apply to. */
public final class LongInt extends Struct {
    private final int value = addLong();
    private final int index = setOffset(8).addInt();

    LongInt() {
        super(MPI.LONG_INT);
    }

    @Override
    protected LongInt.Data newData() {
        return new Data();
    }

    /** One of them. */
    public final class Data extends Struct.Data {
        private Data() {}

        /** The value. */
        public long getValue() {
            return getLong(value);
        }

        /** The index. */
        public int getIndex() {
            return getInt(index);
        }

        /** Sets the value. */
        public void putValue(long v) {
            putLong(value, v);
        }

        /** Sets the index. */
        public void putIndex(int v) {
            putInt(index, v);
        }
    }
}
