package jpi.internal.objects;

/**
 * An object as bytes, in an array that grows. What it holds is valid until the next object is encoded into it. For one thread at a
 * time.
 */
public final class EncodedBytes {
    private byte[] array = new byte[256];
    private int length;

    /** The bytes, from 0 to {@link #length}; what comes after means nothing. */
    public byte[] array() {
        return array;
    }

    /** How many bytes. */
    public int length() {
        return length;
    }

    void set(byte[] newArray, int newLength) {
        array = newArray;
        length = newLength;
    }
}
