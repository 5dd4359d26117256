package mpi;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.Buffer;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import jpi.JBuffer;
import jpi.JType;
import org.jspecify.annotations.Nullable;

/** Where a message lies in the user's buffer: so many items of a type, from a place on. */
final class Region {
    private static final MemorySegment NOTHING = MemorySegment.ofArray(new byte[0]);

    private final @Nullable Object buffer;
    /** Of what is no array of booleans, whose elements have no defined size. */
    private final MemorySegment memory;
    /** In bytes. */
    private final long start;

    private final int count;
    private final Datatype type;

    /** @param buffer an array, or one of java.nio, from its beginning whatever its position; may be null if nothing is in it */
    Region(@Nullable Object buffer, long count, Datatype type) {
        this(buffer, 0, count, type);
    }

    private Region(@Nullable Object buffer, long start, long count, Datatype type) {
        if (count < 0) {
            throw new MPIException("count " + count + ": must be 0 or more");
        }
        this.type = Datatype.required(type);
        if (count * Math.max(type.sizeInBytes(), type.extentInBytes()) > Integer.MAX_VALUE) {
            throw new MPIException(
                    "count " + count + ", of items of " + type.sizeInBytes() + " bytes: more than a buffer can hold");
        }
        this.buffer = buffer;
        this.count = (int) count;
        boolean isEmpty = elements() == 0;
        this.start = isEmpty ? 0 : start;
        if (!isEmpty) {
            type.base().require(buffer);
        }
        memory = isEmpty ? NOTHING : memoryOf(buffer);
        if (!isEmpty) {
            requireRoom();
        }
    }

    private static MemorySegment memoryOf(@Nullable Object buffer) {
        return switch (buffer) {
            case Buffer nio -> MemorySegment.ofBuffer(nio.duplicate().clear());
            case boolean[] _ -> NOTHING;
            case null -> NOTHING;
            case Object array -> JType.memoryOf(array);
        };
    }

    private void requireRoom() {
        int each = type.base().size();
        long before = (count - 1L) * type.extentInBytes(); // from the first item to the last
        long from = Math.floorDiv(start + type.start() + Math.min(0, before), each);
        long to = Math.ceilDiv(start + type.end() + Math.max(0, before), each);
        long has = (buffer instanceof boolean[] flags ? flags.length : memory.byteSize()) / each;
        if (from < 0 || to > has) {
            throw new MPIException("count " + count + " takes elements " + from + " to " + (to - 1) + " of a buffer of "
                    + has + ", counted as " + type.base() + ": must lie within it");
        }
    }

    Datatype type() {
        return type;
    }

    /** How many elements belong to it. */
    int elements() {
        return bytes() / type.base().size();
    }

    private int bytes() {
        return count * type.sizeInBytes();
    }

    /** The user's own memory, if it is to travel as it lies; else null. */
    private @Nullable JBuffer view() {
        return type.isDense() && !(buffer instanceof boolean[])
                ? JBuffer.of(memory.asSlice(start, bytes()), type.base().type())
                : null;
    }

    /** What is sent: the user's own memory, or a copy. */
    JBuffer contents() {
        JBuffer view = view();
        return view != null ? view : packed();
    }

    /** What is received into. */
    JBuffer space() {
        JBuffer view = view();
        return view != null ? view : JBuffer.ofArray(type.base().type().newArray(elements()));
    }

    /** A copy of its elements, one behind the other. */
    JBuffer packed() {
        JBuffer packed = JBuffer.ofArray(type.base().type().newArray(elements()));
        transfer(packed.memory(), bytes(), true);
        return packed;
    }

    /** Takes what has been received into {@link #space}. */
    void take(JBuffer filled, int elements) {
        if (view() == null) {
            unpack(filled, elements);
        }
    }

    void takeAll(JBuffer filled) {
        take(filled, elements());
    }

    /** Takes an array that has come as an object. */
    void take(@Nullable Object message) {
        if (message == null) {
            throw new MPIException("the root has given nothing: all ranks must make the same calls");
        }
        JBuffer items = JBuffer.ofArray(message);
        if (items.type() != type.base().type() || items.count() > elements()) {
            throw new MPIException(
                    items + " came where " + elements() + " " + type.base().type()
                            + "s at most were expected: all ranks must give the same datatypes and counts");
        }
        unpack(items, items.count());
    }

    /** Puts elements where they belong; there may be fewer than have room. */
    void unpack(JBuffer packed, int elements) {
        transfer(packed.memory(), elements * type.base().size(), false);
    }

    private void transfer(MemorySegment packed, int bytes, boolean packs) {
        int at = 0;
        for (int i = 0; i < count && at < bytes; i++) {
            for (Datatype.Run run : type.runs()) {
                int length = Math.min(run.length(), bytes - at);
                long place = start + (long) i * type.extentInBytes() + run.start();
                if (buffer instanceof boolean[] flags) {
                    transferFlags(flags, (int) place, packed, at, length, packs);
                } else if (packs) {
                    MemorySegment.copy(memory, place, packed, at, length);
                } else {
                    MemorySegment.copy(packed, at, memory, place, length);
                }
                at += length;
            }
        }
    }

    private static void transferFlags(
            boolean[] flags, int place, MemorySegment packed, int at, int length, boolean packs) {
        for (int i = 0; i < length; i++) {
            if (packs) {
                packed.set(ValueLayout.JAVA_BYTE, (long) at + i, (byte) (flags[place + i] ? 1 : 0));
            } else {
                flags[place + i] = packed.get(ValueLayout.JAVA_BYTE, (long) at + i) != 0;
            }
        }
    }

    /** One of several parts that lie one behind the other. */
    Region part(int index) {
        return at((long) index * count * type.extentInBytes(), count, type);
    }

    /** Other items of the same buffer. */
    Region at(long bytes, int items, Datatype of) {
        return new Region(buffer, start + bytes, items, of);
    }

    // For reductions by functions.

    /** How many items are in a {@link #span}. */
    static int items(int bytes, Datatype type) {
        int lastItem = Math.max(type.extentInBytes(), type.end());
        return bytes == 0 ? 0 : 1 + (bytes - lastItem) / Math.max(1, type.extentInBytes());
    }

    /** A copy of all from the first item to the last, gaps too. */
    byte[] span() {
        int before = count == 0 ? 0 : (count - 1) * type.extentInBytes();
        byte[] span = new byte[count == 0 ? 0 : before + Math.max(type.extentInBytes(), type.end())];
        int copied = count == 0 ? 0 : before + type.end();
        if (buffer instanceof boolean[] flags) {
            transferFlags(flags, (int) start, MemorySegment.ofArray(span), 0, copied, true);
        } else {
            MemorySegment.copy(memory, start, MemorySegment.ofArray(span), 0, copied);
        }
        return span;
    }

    /** Takes the elements, and no gaps, of what {@link #span} gives. */
    void takeSpan(byte[] span) {
        unpack(new Region(ByteBuffer.wrap(span), count, type).packed(), elements());
    }

    /** A span as functions get it. */
    static ByteBuffer asBuffer(byte[] span) {
        return ByteBuffer.wrap(span).order(ByteOrder.nativeOrder());
    }
}
