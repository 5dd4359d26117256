package mpi;

import java.nio.ByteBuffer;
import java.nio.DoubleBuffer;

/** A complex number in a buffer: its real part and behind it its imaginary one. */
public final class DoubleComplex {
    private final DoubleBuffer parts;

    private DoubleComplex(DoubleBuffer buffer, int index) {
        parts = buffer.slice(2 * index, 2);
    }

    /** The first one of a buffer. */
    public static DoubleComplex get(DoubleBuffer buffer) {
        return get(buffer, 0);
    }

    /** One of a buffer. */
    public static DoubleComplex get(DoubleBuffer buffer, int index) {
        return new DoubleComplex(buffer, index);
    }

    /** The first one of an array. */
    public static DoubleComplex get(double[] array) {
        return get(array, 0);
    }

    /** One of an array. */
    public static DoubleComplex get(double[] array, int index) {
        return get(DoubleBuffer.wrap(array), index);
    }

    /** The first one of a buffer. */
    public static DoubleComplex get(ByteBuffer buffer) {
        return get(buffer, 0);
    }

    /** One of a buffer. */
    public static DoubleComplex get(ByteBuffer buffer, int index) {
        return get(buffer.asDoubleBuffer(), index);
    }

    /** The real part. */
    public double getReal() {
        return parts.get(0);
    }

    /** The imaginary part. */
    public double getImag() {
        return parts.get(1);
    }

    /** Sets the real part. */
    public void putReal(double real) {
        parts.put(0, real);
    }

    /** Sets the imaginary part. */
    public void putImag(double imag) {
        parts.put(1, imag);
    }

    /** Both parts. */
    public DoubleBuffer getBuffer() {
        return parts;
    }
}
