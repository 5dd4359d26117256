package mpi;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
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
    Region(@Nullable Object array, int offset, int count, Datatype type) {
        if (count < 0) {
            throw new MPIException("count " + count + ": must be 0 or more");
        }
        this.type = type;
        this.offset = offset;
        this.count = count;
        this.array = elements() == 0 ? array : type.base().require(array);
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

    /** What is sent: the user's own elements, or copies. Not for objects. */
    JBuffer contents() {
        JBuffer view = view();
        return view != null ? view : JBuffer.ofArray(packed());
    }

    /** What is received into. Not for objects. */
    JBuffer space() {
        JBuffer view = view();
        return view != null ? view : JBuffer.ofArray(type.base().newPacked(elements()));
    }

    /** What is sent of objects. */
    Object[] objects() {
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
        if (!(message instanceof Object[] objects)) {
            throw new MPIException("received a " + message.getClass().getTypeName() + " where objects were expected");
        }
        if (objects.length > elements()) {
            throw new MPIException(
                    "received " + objects.length + " objects where at most " + elements() + " were expected");
        }
        unpack(objects, objects.length);
    }

    /** One of several parts that lie one behind the other, as gathered. */
    Region part(int index) {
        return at(index * count);
    }

    /** As many items elsewhere. */
    Region at(int items) {
        return new Region(array, offset + items * type.Extent(), count, type);
    }

    // For reductions by the user's functions.

    /** A copy of all from the first element to the last, gaps too, as an array of the user's kind. */
    Object span() {
        Object span = type.base().newArray(spanned());
        System.arraycopy(array(), offset, span, 0, spanned());
        return span;
    }

    private int spanned() {
        return count == 0 ? 0 : (count - 1) * type.Extent() + last(type);
    }

    /** Behind the last element of an item, of which the gap that may follow is no part. */
    private static int last(Datatype type) {
        return type.runs().stream()
                .mapToInt(run -> run.start() + run.length())
                .max()
                .orElse(0);
    }

    /** How many items are in a {@link #span}: the last one may have no gap behind it. */
    static int items(int length, Datatype type) {
        return length == 0 ? 0 : 1 + (length - last(type)) / Math.max(1, type.Extent());
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
