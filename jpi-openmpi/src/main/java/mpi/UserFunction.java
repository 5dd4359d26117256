package mpi;

import java.nio.ByteBuffer;

/** How a user's reduction makes one value of two: one of the two methods is to be overridden. */
public abstract class UserFunction {
    /** For subclasses. */
    protected UserFunction() {}

    /**
     * For each of some items, {@code inOut = in op inOut}; what is in {@code inVec} comes from lower ranks.
     *
     * @param inVec array of the kind that the datatype is of
     */
    public void call(Object inVec, Object inOutVec, int count, Datatype datatype) {
        throw new UnsupportedOperationException("a UserFunction that overrides neither call");
    }

    /** The same on bytes, in the order of the machine; unless overridden it makes arrays of them. */
    public void call(ByteBuffer in, ByteBuffer inOut, int count, Datatype datatype) {
        Op.callOnArrays(this, in, inOut, count, datatype);
    }
}
