package mpi;

import org.jspecify.annotations.Nullable;

/** Refuses null where something is needed, at the call, with a sentence. */
final class Given {
    private Given() {}

    /** What is given; the sentence names it, says that it is null, and what to do. */
    static <T> T required(@Nullable T thing, String sentence) {
        if (thing == null) {
            throw new MPIException(sentence);
        }
        return thing;
    }

    /** A group. */
    static Group group(@Nullable Group group, String what) {
        return required(group, what + " is null: give one, such as MPI.COMM_WORLD.getGroup()");
    }

    /** A buffer of java.nio, or an array in its place. */
    static <T> T buffer(@Nullable T buffer) {
        return required(buffer, "the buffer is null: give one, or an array");
    }

    /** A communicator. */
    static Comm communicator(@Nullable Comm comm, String what) {
        return required(comm, what + " is null: give one, such as MPI.COMM_WORLD");
    }
}
