package jpi;

import java.lang.foreign.MemorySegment;
import java.util.function.DoubleBinaryOperator;
import java.util.function.IntBinaryOperator;
import java.util.function.LongBinaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * An operation on numbers, applied to each element of two buffers. The loops are over arrays and have the same index in both,
 * since these are the ones that the compiler makes vector instructions of; what lies elsewhere, or at different places of its
 * array, or is narrower than an int, passes through small arrays that stay in the cache.
 */
abstract class Elementwise {
    /** Elements that pass through small arrays at a time. */
    private static final int PIECE = 1024;

    /** If it can be applied to elements of a type. */
    abstract boolean suits(JType type);

    /** If it does not matter where elements begin and end, so that several narrow ones are one int. */
    boolean isBitwise() {
        return false;
    }

    /** What it applies to, after "applies to". */
    abstract String domain();

    /**
     * {@code into} becomes {@code into op from}, or {@code from op into}, from {@code start} to before {@code end}.
     *
     * @param fromIsLeft the latter
     */
    void ints(int[] into, int[] from, int start, int end, boolean fromIsLeft) {
        throw new AssertionError("no operation on ints");
    }

    void longs(long[] into, long[] from, int start, int end, boolean fromIsLeft) {
        throw new AssertionError("no operation on longs");
    }

    void floats(float[] into, float[] from, int start, int end, boolean fromIsLeft) {
        throw new AssertionError("no operation on floats");
    }

    void doubles(double[] into, double[] from, int start, int end, boolean fromIsLeft) {
        throw new AssertionError("no operation on doubles");
    }

    /** Applies it to all elements of two buffers of one type, which it suits, and one count. */
    final void fold(JBuffer into, JBuffer from, boolean fromIsLeft) {
        Object target = arrayOf(into);
        Object source = arrayOf(from);
        int start = startOf(into);
        if (target != null && source != null && start == startOf(from) && !isNarrow(into.type())) {
            run(target, source, start, start + into.count(), fromIsLeft);
            return;
        }
        boolean asTheyAre = !isNarrow(into.type()) || isBitwise();
        Object left = smallArray(into);
        Object right = smallArray(into);
        for (int done = 0, count; done < into.count(); done += count) {
            count = Math.min(PIECE, into.count() - done);
            JBuffer piece = into.slice(done, count);
            load(piece, left, asTheyAre);
            load(from.slice(done, count), right, asTheyAre);
            int filled = isNarrow(into.type()) && asTheyAre ? Math.ceilDiv((int) piece.size(), Integer.BYTES) : count;
            run(left, right, 0, filled, fromIsLeft);
            store(left, piece, asTheyAre);
        }
    }

    /** The same of arrays; of what is narrower than an int, arrays of int. */
    final void run(Object into, Object from, int start, int end, boolean fromIsLeft) {
        switch (into) {
            case int[] a -> ints(a, (int[]) from, start, end, fromIsLeft);
            case long[] a -> longs(a, (long[]) from, start, end, fromIsLeft);
            case float[] a -> floats(a, (float[]) from, start, end, fromIsLeft);
            case double[] a -> doubles(a, (double[]) from, start, end, fromIsLeft);
            default -> throw new AssertionError(into.getClass());
        }
    }

    /** The array in which a buffer lies, if it is one of its type and can be written. */
    private static @Nullable Object arrayOf(JBuffer buffer) {
        Object array = buffer.memory().heapBase().orElse(null);
        boolean usable = JType.ofArray(array) == buffer.type()
                && (buffer.memory().address() & (buffer.type().size() - 1)) == 0;
        return usable ? array : null;
    }

    private static int startOf(JBuffer buffer) {
        return (int) (buffer.memory().address()
                >>> Integer.numberOfTrailingZeros(buffer.type().size()));
    }

    /** If it is computed as an int. */
    static boolean isNarrow(JType type) {
        return type.size() < Integer.BYTES;
    }

    private static Object smallArray(JBuffer like) {
        return (isNarrow(like.type()) ? JType.INT : like.type()).newArray(Math.min(PIECE, like.count()));
    }

    /**
     * Reads elements into an array.
     *
     * @param asTheyAre unless they are narrow, and become ints one by one
     */
    static void load(JBuffer from, Object into, boolean asTheyAre) {
        if (asTheyAre) {
            MemorySegment.copy(from.memory(), 0, JType.memoryOf(into), 0, from.size());
            return;
        }
        int[] wide = (int[]) into;
        switch (from.toArray()) {
            case byte[] a -> {
                for (int i = 0; i < a.length; i++) {
                    wide[i] = a[i];
                }
            }
            case short[] a -> {
                for (int i = 0; i < a.length; i++) {
                    wide[i] = a[i];
                }
            }
            case char[] a -> {
                for (int i = 0; i < a.length; i++) {
                    wide[i] = a[i];
                }
            }
            case Object other -> throw new AssertionError(other.getClass());
        }
    }

    /** The inverse. */
    static void store(Object from, JBuffer into, boolean asTheyAre) {
        if (asTheyAre) {
            MemorySegment.copy(JType.memoryOf(from), 0, into.memory(), 0, into.size());
            return;
        }
        int[] wide = (int[]) from;
        Object narrow = into.type().newArray(into.count());
        switch (narrow) {
            case byte[] a -> {
                for (int i = 0; i < a.length; i++) {
                    a[i] = (byte) wide[i];
                }
            }
            case short[] a -> {
                for (int i = 0; i < a.length; i++) {
                    a[i] = (short) wide[i];
                }
            }
            case char[] a -> {
                for (int i = 0; i < a.length; i++) {
                    a[i] = (char) wide[i];
                }
            }
            default -> throw new AssertionError(narrow.getClass());
        }
        into.copyFrom(JBuffer.ofArray(narrow));
    }

    /** Takes one of the two operands. */
    static final class OneOperand extends Elementwise {
        private final boolean right;

        OneOperand(boolean right) {
            this.right = right;
        }

        @Override
        boolean suits(JType type) {
            return true;
        }

        @Override
        boolean isBitwise() {
            return true;
        }

        @Override
        String domain() {
            return "numbers";
        }

        private void copy(Object into, Object from, int start, int end, boolean fromIsLeft) {
            if (right != fromIsLeft) {
                System.arraycopy(from, start, into, start, end - start);
            }
        }

        @Override
        void ints(int[] into, int[] from, int start, int end, boolean fromIsLeft) {
            copy(into, from, start, end, fromIsLeft);
        }

        @Override
        void longs(long[] into, long[] from, int start, int end, boolean fromIsLeft) {
            copy(into, from, start, end, fromIsLeft);
        }

        @Override
        void floats(float[] into, float[] from, int start, int end, boolean fromIsLeft) {
            copy(into, from, start, end, fromIsLeft);
        }

        @Override
        void doubles(double[] into, double[] from, int start, int end, boolean fromIsLeft) {
            copy(into, from, start, end, fromIsLeft);
        }
    }

    /** A lambda on ints, and on what is narrower. */
    static final class OfInts extends Elementwise {
        private final IntBinaryOperator operator;

        OfInts(IntBinaryOperator operator) {
            this.operator = operator;
        }

        @Override
        boolean suits(JType type) {
            return type == JType.INT || isNarrow(type);
        }

        @Override
        String domain() {
            return "ints, shorts, chars and bytes";
        }

        @Override
        void ints(int[] into, int[] from, int start, int end, boolean fromIsLeft) {
            for (int i = start; i < end; i++) {
                into[i] = fromIsLeft ? operator.applyAsInt(from[i], into[i]) : operator.applyAsInt(into[i], from[i]);
            }
        }
    }

    /** A lambda on longs. */
    static final class OfLongs extends Elementwise {
        private final LongBinaryOperator operator;

        OfLongs(LongBinaryOperator operator) {
            this.operator = operator;
        }

        @Override
        boolean suits(JType type) {
            return type == JType.LONG;
        }

        @Override
        String domain() {
            return "longs";
        }

        @Override
        void longs(long[] into, long[] from, int start, int end, boolean fromIsLeft) {
            for (int i = start; i < end; i++) {
                into[i] = fromIsLeft ? operator.applyAsLong(from[i], into[i]) : operator.applyAsLong(into[i], from[i]);
            }
        }
    }

    /** A lambda on doubles, and on floats. */
    static final class OfDoubles extends Elementwise {
        private final DoubleBinaryOperator operator;

        OfDoubles(DoubleBinaryOperator operator) {
            this.operator = operator;
        }

        @Override
        boolean suits(JType type) {
            return type == JType.DOUBLE || type == JType.FLOAT;
        }

        @Override
        String domain() {
            return "doubles and floats";
        }

        private double apply(double mine, double other, boolean otherIsLeft) {
            return otherIsLeft ? operator.applyAsDouble(other, mine) : operator.applyAsDouble(mine, other);
        }

        @Override
        void doubles(double[] into, double[] from, int start, int end, boolean fromIsLeft) {
            for (int i = start; i < end; i++) {
                into[i] = apply(into[i], from[i], fromIsLeft);
            }
        }

        @Override
        void floats(float[] into, float[] from, int start, int end, boolean fromIsLeft) {
            for (int i = start; i < end; i++) {
                into[i] = (float) apply(into[i], from[i], fromIsLeft);
            }
        }
    }
}
