package mpi;

/** How a user's reduction makes one value of two. */
@SuppressWarnings({"MemberName", "TypeName"}) // MPI's names
public abstract class User_function {
    /** For subclasses. */
    protected User_function() {}

    /**
     * For each of some items, {@code inout = in op inout}; what is in {@code invec} comes from lower ranks.
     *
     * @param invec array of the kind that the datatype is of
     */
    public abstract void Call(
            Object invec, int inoffset, Object inoutvec, int inoutoffset, int count, Datatype datatype);
}
