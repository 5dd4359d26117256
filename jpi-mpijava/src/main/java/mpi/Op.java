package mpi;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.lang.reflect.Array;
import jpi.JOperation;
import org.jspecify.annotations.Nullable;

/** How a reduction makes one value of two. */
@SuppressWarnings("MemberName") // MPI's names
public final class Op {
    /** Null: by the user's function. */
    private final @Nullable JOperation<Object> usual;

    private final @Nullable User_function function;
    private final boolean commutes;

    Op(JOperation<Object> usual) {
        this.usual = usual;
        function = null;
        commutes = true;
    }

    /**
     * One by a function.
     *
     * @param commute if {@code a op b} is {@code b op a}
     */
    public Op(User_function function, boolean commute) {
        usual = null;
        this.function = Given.required(function, "the function of an operation is null: give a User_function");
        commutes = commute;
    }

    /** If its operands are buffers; else they are arrays, as {@link Region#span} gives. */
    static boolean isOnBuffers(@Nullable Op op) {
        return Given.required(op, "the operation is null: give one, such as MPI.SUM").usual != null;
    }

    JOperation<Object> onBuffers() {
        if (usual == null) {
            throw new IllegalStateException("it is by a function");
        }
        return usual;
    }

    JOperation<Object> onSpans(Datatype type) {
        User_function by = function;
        if (by == null) {
            throw new MPIException(usual + " does not apply to objects: make an Op of a User_function");
        }
        JOperation<Object> operation = JOperation.of((lower, higher) -> {
            Object result = copy(higher);
            int count = Region.items(Array.getLength(result), type);
            by.Call(lower, 0, result, 0, count, type);
            return result;
        });
        return commutes ? operation : operation.nonCommutative();
    }

    /** The function writes to what it is given, to objects within the array too. */
    private static Object copy(Object array) {
        return array instanceof Object[] ? copyOfObjects(array) : copyOfElements(array);
    }

    private static Object copyOfElements(Object array) {
        int length = Array.getLength(array);
        Object copy = Array.newInstance(array.getClass().getComponentType(), length);
        System.arraycopy(array, 0, copy, 0, length);
        return copy;
    }

    /** As mpiJava copies them: they are Serializable. They come from this very program. */
    @SuppressWarnings("BanSerializableRead")
    private static Object copyOfObjects(Object array) {
        try {
            ByteArrayOutputStream bytes = new ByteArrayOutputStream();
            try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
                out.writeObject(array);
            }
            try (ObjectInputStream in = new ObjectInputStream(new ByteArrayInputStream(bytes.toByteArray()))) {
                return in.readObject();
            }
        } catch (IOException | ClassNotFoundException e) {
            throw new MPIException(e);
        }
    }

    /** If {@code a op b} is {@code b op a}. */
    public boolean Is_commutative() {
        return commutes;
    }

    /** Does nothing: the garbage collector knows. */
    public void Free() {}

    /** Does nothing: the garbage collector knows. */
    public void free() {}
}
