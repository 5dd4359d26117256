package mpi;

import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/** The best of values, and its index: of two equal ones the lower. */
final class Located extends UserFunction {
    private final boolean greatest;

    Located(boolean greatest) {
        this.greatest = greatest;
    }

    @Override
    public void call(ByteBuffer in, ByteBuffer inOut, int count, Datatype datatype) {
        Base value = datatype.located();
        int size = datatype.extentInBytes();
        for (int at = 0; at < count * size; at += size) {
            int comparison = compare(value, in, inOut, at);
            int index = at + size / 2;
            if ((greatest ? comparison > 0 : comparison < 0)
                    || (comparison == 0 && in.getInt(index) < inOut.getInt(index))) {
                inOut.put(at, in, at, size);
            }
        }
    }

    private static int compare(@Nullable Base value, ByteBuffer one, ByteBuffer other, int at) {
        return switch (value) {
            case SHORT -> Short.compare(one.getShort(at), other.getShort(at));
            case INT -> Integer.compare(one.getInt(at), other.getInt(at));
            case LONG -> Long.compare(one.getLong(at), other.getLong(at));
            case FLOAT -> Float.compare(one.getFloat(at), other.getFloat(at));
            case DOUBLE -> Double.compare(one.getDouble(at), other.getDouble(at));
            case null, default ->
                throw new MPIException("MINLOC and MAXLOC apply to MPI.INT2, SHORT_INT, LONG_INT, FLOAT_INT and"
                        + " DOUBLE_INT, not to this datatype");
        };
    }
}
