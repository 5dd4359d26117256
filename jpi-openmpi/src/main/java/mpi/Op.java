package mpi;

import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import jpi.JOperation;
import jpi.JType;
import org.jspecify.annotations.Nullable;

/** How a reduction makes one value of two. */
public final class Op implements Freeable {
    /** Null: by the function. */
    private final @Nullable JOperation<Object> usual;

    private final @Nullable UserFunction function;
    private final boolean commutes;
    private volatile boolean freed;

    Op(JOperation<Object> usual) {
        this.usual = usual;
        function = null;
        commutes = usual.isCommutative();
    }

    /**
     * One by a function.
     *
     * @param commute if {@code a op b} is {@code b op a}
     */
    public Op(UserFunction function, boolean commute) {
        usual = null;
        this.function = Given.required(function, "the function of an operation is null: give a UserFunction");
        commutes = commute;
    }

    /** If its operands are buffers; else they are bytes, as {@link Region#span} gives. */
    static boolean isOnBuffers(@Nullable Op op) {
        return Given.required(op, "the operation is null: give one, such as MPI.SUM").usual != null;
    }

    /** If it takes one of two values, whatever they are. */
    private boolean isOfOneOperand() {
        return usual == JOperation.REPLACE || usual == JOperation.NO_OP;
    }

    /** If it fetches only: what is given is not looked at. */
    boolean isNoOp() {
        return usual == JOperation.NO_OP;
    }

    /** What applies to numbers must not take structs and complex numbers for their parts. */
    JOperation<Object> onBuffers(Datatype type) {
        if (usual == null) {
            throw new IllegalStateException("it is by a function");
        }
        if (isOfOneOperand()) {
            return usual;
        }
        boolean isComplex = type == MPI.FLOAT_COMPLEX || type == MPI.DOUBLE_COMPLEX;
        if (type.located() != null || (isComplex && usual != JOperation.SUM)) {
            throw new MPIException(usual + " does not apply to " + (isComplex ? "complex numbers" : "pairs")
                    + " here: make an Op of a UserFunction");
        }
        return usual;
    }

    JOperation<byte[]> onSpans(Datatype type) {
        JOperation<byte[]> operation = JOperation.of((lower, higher) -> {
            byte[] result = higher.clone();
            fold(lower, result, type);
            return result;
        });
        return commutes ? operation : operation.nonCommutative();
    }

    /** {@code inOut} becomes {@code in op inOut}. */
    void fold(byte[] in, byte[] inOut, Datatype type) {
        UserFunction by = function;
        if (by == null) {
            throw new IllegalStateException("it is not by a function");
        }
        int count = Region.items(in.length, type);
        by.call(Region.asBuffer(in), Region.asBuffer(inOut), count, type);
    }

    /** Calls the other method of a function: on arrays, which are copied back. */
    static void callOnArrays(UserFunction function, ByteBuffer in, ByteBuffer inOut, int count, Datatype type) {
        MemorySegment bytes = MemorySegment.ofBuffer(inOut);
        if (type.base() == Base.BOOLEAN) {
            boolean[] flags = flags(inOut);
            function.call(flags(in), flags, count, type);
            for (int i = 0; i < flags.length; i++) {
                inOut.put(i, (byte) (flags[i] ? 1 : 0));
            }
            return;
        }
        JType elements = type.base().type();
        Object result = array(bytes, elements);
        function.call(array(MemorySegment.ofBuffer(in), elements), result, count, type);
        MemorySegment.copy(JType.memoryOf(result), 0, bytes, 0, bytes.byteSize());
    }

    private static boolean[] flags(ByteBuffer bytes) {
        boolean[] flags = new boolean[bytes.remaining()];
        for (int i = 0; i < flags.length; i++) {
            flags[i] = bytes.get(i) != 0;
        }
        return flags;
    }

    private static Object array(MemorySegment bytes, JType elements) {
        Object array = elements.newArray(Math.toIntExact(bytes.byteSize() / elements.size()));
        MemorySegment.copy(bytes, 0, JType.memoryOf(array), 0, bytes.byteSize());
        return array;
    }

    /** If {@code a op b} is {@code b op a}. */
    public boolean isCommutative() {
        return commutes;
    }

    @Override
    public void free() {
        freed = true;
    }

    /** If it has been freed. */
    public boolean isNull() {
        return freed;
    }
}
