package jpi.internal.objects;

import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/**
 * An object as bytes, in an array that grows. What it holds is valid until the next object is encoded into it. For one thread at a
 * time.
 */
public final class EncodedBytes {
    private static final int USUAL = 256;

    private byte[] array;
    private int length;
    private @Nullable MemorySegment memory;

    /** For an object that is to be encoded. */
    public EncodedBytes() {
        array = new byte[USUAL];
    }

    /** What has been encoded elsewhere. */
    public EncodedBytes(byte[] array) {
        this.array = array;
        length = array.length;
    }

    /** The bytes, from 0 to {@link #length}; what comes after means nothing. */
    public byte[] array() {
        return array;
    }

    /** How many bytes. */
    public int length() {
        return length;
    }

    /** The bytes; the same as long as there are as many. */
    public MemorySegment memory() {
        MemorySegment known = memory;
        if (known == null) {
            known = MemorySegment.ofArray(array).asSlice(0, length);
            memory = known;
        }
        return known;
    }

    /** They are somebody else's from now on. */
    public void giveAway() {
        set(new byte[USUAL], 0);
    }

    /** Has room for so many bytes that come from elsewhere, with anything in it. */
    public void setLength(int newLength) {
        set(newLength <= array.length ? array : new byte[Math.max(newLength, USUAL)], newLength);
    }

    void set(byte[] newArray, int newLength) {
        if (newArray != array || newLength != length) {
            memory = null;
        }
        array = newArray;
        length = newLength;
    }
}
