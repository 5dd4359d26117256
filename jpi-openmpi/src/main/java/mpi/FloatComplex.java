package mpi;

import java.nio.ByteBuffer;
import java.nio.FloatBuffer;

/** A complex number in a buffer: its real part and behind it its imaginary one. */
public final class FloatComplex {
    private final FloatBuffer parts;

    private FloatComplex(FloatBuffer buffer, int index) {
        parts = buffer.slice(2 * index, 2);
    }

    /** The first one of a buffer. */
    public static FloatComplex get(FloatBuffer buffer) {
        return get(buffer, 0);
    }

    /** One of a buffer. */
    public static FloatComplex get(FloatBuffer buffer, int index) {
        return new FloatComplex(buffer, index);
    }

    /** The first one of an array. */
    public static FloatComplex get(float[] array) {
        return get(array, 0);
    }

    /** One of an array. */
    public static FloatComplex get(float[] array, int index) {
        return get(FloatBuffer.wrap(array), index);
    }

    /** The first one of a buffer. */
    public static FloatComplex get(ByteBuffer buffer) {
        return get(buffer, 0);
    }

    /** One of a buffer. */
    public static FloatComplex get(ByteBuffer buffer, int index) {
        return get(buffer.asFloatBuffer(), index);
    }

    /** The real part. */
    public float getReal() {
        return parts.get(0);
    }

    /** The imaginary part. */
    public float getImag() {
        return parts.get(1);
    }

    /** Sets the real part. */
    public void putReal(float real) {
        parts.put(0, real);
    }

    /** Sets the imaginary part. */
    public void putImag(float imag) {
        parts.put(1, imag);
    }

    /** Both parts. */
    public FloatBuffer getBuffer() {
        return parts;
    }
}
