package mpi;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.reflect.Array;
import jpi.JBuffer;
import org.jspecify.annotations.Nullable;

/** Where a message lies in the user's array: so many items of a type, from an offset on. */
final class Region {
    private static final Object[] NO_OBJECTS = new Object[0];

    private final @Nullable Object array;
    private final int offset;
    private final int count;
    private final Datatype type;

    /** @param array may be null if there are no items */
    Region(@Nullable Object array, long offset, long count, Datatype type) {
        if (count < 0) {
            throw new MPIException("count " + count + ": must be 0 or more");
        }
        this.type = Datatype.required(type);
        if (count * Math.max(type.Size(), type.Extent()) > Integer.MAX_VALUE) {
            throw new MPIException(
                    "count " + count + ", of items of " + type.Size() + " elements: more than an array can hold");
        }
        this.count = (int) count;
        boolean isEmpty = elements() == 0;
        this.array = isEmpty ? array : type.base().require(array);
        if (!isEmpty) {
            requireRoom(offset, Array.getLength(array()));
        }
        this.offset = isEmpty ? 0 : (int) offset;
    }

    private void requireRoom(long offset, int length) {
        long before = (count - 1L) * type.Extent(); // from the first item to the last
        long from = offset + type.start() + Math.min(0, before);
        long to = offset + type.end() + Math.max(0, before);
        if (from < 0 || to > length) {
            throw new MPIException("offset " + offset + " and count " + count + " take elements " + from + " to "
                    + (to - 1) + " of an array of " + length + ": must lie within it");
        }
    }

    boolean isOfObjects() {
        return type.base().isObject();
    }

    Datatype type() {
        return type;
    }

    /** How many of the array's elements belong to it. */
    int elements() {
        return count * type.Size();
    }

    /** The array; it has been required to be there. */
    private Object array() {
        return type.base().require(array);
    }

    /** The user's own elements, if they are to travel as they lie; else null. */
    private @Nullable JBuffer view() {
        return type.isDense() && elements() > 0 ? type.base().view(array(), offset, elements()) : null;
    }

    /** All ranks must say alike if they send objects. */
    private void require(boolean objects) {
        if (isOfObjects() != objects) {
            throw new MPIException(
                    "the datatype is " + type.base() + ", where that of what is sent or received with it is "
                            + (objects ? "OBJECT" : "not") + ": both must be OBJECT, or neither");
        }
    }

    /** What is sent: the user's own elements, or copies. Not for objects. */
    JBuffer contents() {
        require(false);
        JBuffer view = view();
        return view != null ? view : JBuffer.ofArray(packed());
    }

    /** What is received into. Not for objects. */
    JBuffer space() {
        require(false);
        JBuffer view = view();
        return view != null ? view : JBuffer.ofArray(type.base().newPacked(elements()));
    }

    /** What is sent of objects. */
    Object[] objects() {
        require(true);
        return elements() == 0 ? NO_OBJECTS : (Object[]) packed();
    }

    /** A copy of its elements, one behind the other. */
    Object packed() {
        Object packed = type.base().newPacked(elements());
        int to = 0;
        for (int i = 0; i < count; i++) {
            for (Datatype.Run run : type.runs()) {
                type.base().pack(array(), offset + i * type.Extent() + run.start(), packed, to, run.length());
                to += run.length();
            }
        }
        return packed;
    }

    /** Puts elements where they belong; there may be fewer than have room. */
    void unpack(Object packed, int elements) {
        int from = 0;
        for (int i = 0; i < count && from < elements; i++) {
            for (Datatype.Run run : type.runs()) {
                int length = Math.min(run.length(), elements - from);
                type.base().unpack(packed, from, array(), offset + i * type.Extent() + run.start(), length);
                from += length;
            }
        }
    }

    /** Takes what has been received into {@link #space}. */
    void take(JBuffer filled, int elements) {
        if (view() == null) {
            unpack(filled.memory().heapBase().orElseThrow(), elements);
        }
    }

    void takeAll(JBuffer filled) {
        take(filled, elements());
    }

    /** Takes objects that have been received. */
    void take(Object message) {
        require(true);
        if (!(message instanceof Object[] objects)) {
            throw new MPIException("received a " + message.getClass().getTypeName() + " where objects were expected");
        }
        if (objects.length > elements()) {
            throw new MPIException(
                    "received " + objects.length + " objects where at most " + elements() + " were expected");
        }
        try {
            unpack(objects, objects.length);
        } catch (ArrayStoreException e) {
            throw new MPIException("received objects that are no elements of a "
                    + array().getClass().getTypeName() + ": receive them into an Object[]");
        }
    }

    /** One of several parts that lie one behind the other, as gathered. */
    Region part(int index) {
        return at((long) index * count);
    }

    /** As many items elsewhere. */
    private Region at(long items) {
        return new Region(array, offset + items * type.Extent(), count, type);
    }

    // For reductions by the user's functions.

    /** A copy of all from the first element to the last, gaps too, as an array of the user's kind. */
    Object span() {
        Object span = type.base().newArray(spanned());
        if (spanned() > 0) {
            System.arraycopy(array(), offset, span, 0, spanned());
        }
        return span;
    }

    private int spanned() {
        return count == 0 ? 0 : (count - 1) * type.Extent() + type.end();
    }

    /** How many items are in a {@link #span}: the last one may have no gap behind it. */
    static int items(int length, Datatype type) {
        return length == 0 ? 0 : 1 + (length - type.end()) / Math.max(1, type.Extent());
    }

    /** Takes the elements, and no gaps, from an array as {@link #span} gives. */
    void takeSpan(Object span) {
        unpack(new Region(span, 0, count, type).packed(), elements());
    }

    // For Pack and Unpack.

    /** Its elements as bytes. Not for objects. */
    byte[] bytes() {
        return contents().memory().toArray(ValueLayout.JAVA_BYTE);
    }

    /** Takes its elements from bytes. */
    void takeBytes(byte[] from, int position) {
        JBuffer space = space();
        MemorySegment.copy(MemorySegment.ofArray(from), position, space.memory(), 0, space.size());
        takeAll(space);
    }
}
