package jpi;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;

/**
 * Elements in memory that several JVMs share, each of which is changed in one step: read, computed anew, and written unless another
 * has changed it meanwhile. What is computed is computed for many at once, since the compiler makes vector instructions of that; the
 * few that others have changed are computed again one by one. Of what is narrower than an int, the int around it is
 * replaced (the machines that this runs on are little-endian).
 */
final class AtomicElements {
    /** So many at once. */
    private static final int PIECE = 1024;

    private static final VarHandle INT = ValueLayout.JAVA_INT.varHandle();
    private static final VarHandle LONG = ValueLayout.JAVA_LONG.varHandle();
    private static final long IN_INT = Integer.BYTES - 1;

    private final MemorySegment memory;
    private final JType type;

    /** Elements begin at multiples of their size, in memory that does so itself. */
    AtomicElements(MemorySegment memory, JType type) {
        this.memory = memory;
        this.type = type;
    }

    // One element, as bits.

    private static int shift(long at) {
        return (int) (at & IN_INT) * Byte.SIZE;
    }

    private int mask() {
        return (1 << (type.size() * Byte.SIZE)) - 1;
    }

    /** The bits of an element now; those of a narrow one alone. */
    private long bits(long at) {
        return switch (type.size()) {
            case Long.BYTES -> (long) LONG.getVolatile(memory, at);
            case Integer.BYTES -> (int) INT.getVolatile(memory, at);
            default -> (int) INT.getVolatile(memory, at & ~IN_INT) >>> shift(at) & mask();
        };
    }

    /** Replaces an element if it has these bits. */
    private boolean replace(long at, long expected, long next) {
        return switch (type.size()) {
            case Long.BYTES -> LONG.compareAndSet(memory, at, expected, next);
            case Integer.BYTES -> INT.compareAndSet(memory, at, (int) expected, (int) next);
            default -> replaceNarrow(at, (int) expected, (int) next);
        };
    }

    private boolean replaceNarrow(long at, int expected, int next) {
        long whole = at & ~IN_INT;
        int mask = mask();
        while (true) {
            int now = (int) INT.getVolatile(memory, whole);
            if ((now >>> shift(at) & mask) != (expected & mask)) {
                return false;
            }
            int then = (now & ~(mask << shift(at))) | (next & mask) << shift(at);
            if (INT.compareAndSet(memory, whole, now, then)) {
                return true;
            }
        }
    }

    // One element, as a value.

    /** Widens what {@link #bits} brings. */
    private long value(long bits) {
        return switch (type) {
            case BYTE -> (byte) bits;
            case SHORT -> (short) bits;
            default -> bits;
        };
    }

    /** Replaces an integer, unless it is another one than expected; returns what was there. */
    long compareAndExchange(long at, long expected, long next) {
        while (true) {
            long now = value(bits(at));
            if (now != expected || replace(at, expected, next)) {
                return now;
            }
        }
    }

    /** Combines an integer with a value; returns what was there. */
    long fetchAndOp(long at, long value, JOperation<?> operation) {
        if (operation == JOperation.SUM && type == JType.LONG) {
            return (long) LONG.getAndAdd(memory, at, value);
        }
        if (operation == JOperation.SUM && type == JType.INT) {
            return (int) INT.getAndAdd(memory, at, (int) value);
        }
        if (operation == JOperation.NO_OP) {
            return value(bits(at));
        }
        Elementwise elements = operation.elementsFor(type);
        while (true) {
            long before = value(bits(at));
            if (replace(at, before, combined(before, value, elements))) {
                return before;
            }
        }
    }

    private long combined(long before, long value, Elementwise elements) {
        if (type == JType.LONG) {
            long[] next = {before};
            elements.longs(next, new long[] {value}, 0, 1, false);
            return next[0];
        }
        int[] next = {(int) before};
        elements.ints(next, new int[] {(int) value}, 0, 1, false);
        return next[0];
    }

    /** Combines a double or a float with a value; returns what was there. */
    double fetchAndOp(long at, double value, JOperation<?> operation) {
        Object from = type == JType.DOUBLE ? new double[] {value} : new float[] {(float) value};
        Object before = type.newArray(1);
        accumulate(at, JBuffer.ofArray(from), JBuffer.ofArray(before), operation);
        return before instanceof double[] doubles ? doubles[0] : ((float[]) before)[0];
    }

    // Many elements.

    /**
     * Combines elements with values, each in one step.
     *
     * @param at where the first is
     * @param before gets what was there; may be the values' own memory
     */
    void accumulate(long at, JBuffer values, @Nullable JBuffer before, JOperation<?> operation) {
        Elementwise elements = operation.elementsFor(type);
        for (int done = 0, count; done < values.count(); done += count) {
            count = Math.min(PIECE, values.count() - done);
            Object from = wide(values.slice(done, count));
            long start = at + (long) done * type.size();
            JBuffer there = JBuffer.of(memory.asSlice(start, (long) count * type.size()), type);
            Object old = wide(there);
            if (operation != JOperation.NO_OP) {
                Object next = wideArray(count);
                System.arraycopy(old, 0, next, 0, count);
                elements.run(next, from, 0, count, false);
                publish(start, old, next, from, elements);
            }
            if (before != null) {
                Elementwise.store(old, before.slice(done, count), !Elementwise.isNarrow(type));
            }
        }
    }

    private Object wideArray(int count) {
        return (Elementwise.isNarrow(type) ? JType.INT : type).newArray(count);
    }

    private Object wide(JBuffer buffer) {
        Object array = wideArray(buffer.count());
        Elementwise.load(buffer, array, !Elementwise.isNarrow(type));
        return array;
    }

    private void publish(long start, Object old, Object next, Object from, Elementwise elements) {
        switch (next) {
            case int[] a -> publish(start, (int[]) old, a, (int[]) from, elements);
            case long[] a -> publish(start, (long[]) old, a, (long[]) from, elements);
            case float[] a -> publish(start, (float[]) old, a, (float[]) from, elements);
            case double[] a -> publish(start, (double[]) old, a, (double[]) from, elements);
            default -> throw new AssertionError(next.getClass());
        }
    }

    private void publish(long start, int[] old, int[] next, int[] from, Elementwise elements) {
        for (int i = 0; i < next.length; i++) {
            long at = start + (long) i * type.size();
            while (!replace(at, old[i], next[i])) {
                old[i] = (int) value(bits(at));
                next[i] = old[i];
                elements.ints(next, from, i, i + 1, false);
            }
        }
    }

    private void publish(long start, long[] old, long[] next, long[] from, Elementwise elements) {
        for (int i = 0; i < next.length; i++) {
            long at = start + (long) i * Long.BYTES;
            while (!LONG.compareAndSet(memory, at, old[i], next[i])) {
                old[i] = (long) LONG.getVolatile(memory, at);
                next[i] = old[i];
                elements.longs(next, from, i, i + 1, false);
            }
        }
    }

    private void publish(long start, float[] old, float[] next, float[] from, Elementwise elements) {
        for (int i = 0; i < next.length; i++) {
            long at = start + (long) i * Float.BYTES;
            int bits = Float.floatToRawIntBits(old[i]);
            while (!INT.compareAndSet(memory, at, bits, Float.floatToRawIntBits(next[i]))) {
                bits = (int) INT.getVolatile(memory, at);
                old[i] = Float.intBitsToFloat(bits);
                next[i] = old[i];
                elements.floats(next, from, i, i + 1, false);
            }
        }
    }

    private void publish(long start, double[] old, double[] next, double[] from, Elementwise elements) {
        for (int i = 0; i < next.length; i++) {
            long at = start + (long) i * Double.BYTES;
            long bits = Double.doubleToRawLongBits(old[i]);
            while (!LONG.compareAndSet(memory, at, bits, Double.doubleToRawLongBits(next[i]))) {
                bits = (long) LONG.getVolatile(memory, at);
                old[i] = Double.longBitsToDouble(bits);
                next[i] = old[i];
                elements.doubles(next, from, i, i + 1, false);
            }
        }
    }
}
