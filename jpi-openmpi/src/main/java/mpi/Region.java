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

    /** Null: the buffer is this array, whose elements have no defined size. */
    private final MemorySegment memory;

    private final boolean @Nullable [] flags;
    /** In bytes. */
    private final int start;

    private final int count;
    private final Datatype type;

    private Region(MemorySegment memory, boolean @Nullable [] flags, int start, int count, Datatype type) {
        if (count < 0) {
            throw new MPIException("count " + count + ": must be 0 or more");
        }
        if ((long) count * Math.max(type.sizeInBytes(), type.extentInBytes()) > Integer.MAX_VALUE) {
            throw new MPIException(
                    "count " + count + ", of items of " + type.sizeInBytes() + " bytes: more than a buffer can hold");
        }
        this.memory = memory;
        this.flags = flags;
        this.start = start;
        this.count = count;
        this.type = type;
    }

    /** @param buffer an array, or one of java.nio, from its beginning whatever its position; null if nothing is in it */
    Region(@Nullable Object buffer, int count, Datatype type) {
        this(memoryOf(buffer, count), buffer instanceof boolean[] array ? array : null, 0, count, type);
    }

    private static MemorySegment memoryOf(@Nullable Object buffer, int count) {
        return switch (buffer) {
            case Buffer nio -> MemorySegment.ofBuffer(nio.duplicate().clear());
            case boolean[] _ -> NOTHING;
            case null -> {
                if (count > 0) {
                    throw new MPIException("the buffer is null, and " + count + " items are to be in it");
                }
                yield NOTHING;
            }
            case Object array when JType.ofArray(array) != null -> JType.memoryOf(array);
            default ->
                throw new MPIException("the buffer is a " + buffer.getClass().getTypeName()
                        + ": must be an array of a primitive type, or a buffer of java.nio");
        };
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
        return type.isDense() && flags == null
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

    /** Puts elements where they belong; there may be fewer than have room. */
    void unpack(JBuffer packed, int elements) {
        transfer(packed.memory(), elements * type.base().size(), false);
    }

    private void transfer(MemorySegment packed, int bytes, boolean packs) {
        int at = 0;
        for (int i = 0; i < count && at < bytes; i++) {
            for (Datatype.Run run : type.runs()) {
                int length = Math.min(run.length(), bytes - at);
                int place = start + i * type.extentInBytes() + run.start();
                if (flags != null) {
                    transferFlags(flags, place, packed, at, length, packs);
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
        return at(index * count * type.extentInBytes(), count, type);
    }

    /** Other items of the same buffer. */
    Region at(int bytes, int items, Datatype of) {
        return new Region(memory, flags, start + bytes, items, of);
    }

    // For reductions by functions.

    /** Behind the last byte of an item, which may lie beyond the item's end or before. */
    private static int last(Datatype type) {
        return type.runs().stream()
                .mapToInt(run -> run.start() + run.length())
                .max()
                .orElse(0);
    }

    /** How many items are in a {@link #span}. */
    static int items(int bytes, Datatype type) {
        int lastItem = Math.max(type.extentInBytes(), last(type));
        return bytes == 0 ? 0 : 1 + (bytes - lastItem) / Math.max(1, type.extentInBytes());
    }

    /** A copy of all from the first item to the last, gaps too. */
    byte[] span() {
        int before = count == 0 ? 0 : (count - 1) * type.extentInBytes();
        byte[] span = new byte[count == 0 ? 0 : before + Math.max(type.extentInBytes(), last(type))];
        int copied = count == 0 ? 0 : before + last(type);
        if (flags != null) {
            transferFlags(flags, start, MemorySegment.ofArray(span), 0, copied, true);
        } else {
            MemorySegment.copy(memory, start, MemorySegment.ofArray(span), 0, copied);
        }
        return span;
    }

    /** Takes the elements, and no gaps, of what {@link #span} gives. */
    void takeSpan(byte[] span) {
        unpack(new Region(MemorySegment.ofArray(span), null, 0, count, type).packed(), elements());
    }

    /** A span as functions get it. */
    static ByteBuffer asBuffer(byte[] span) {
        return ByteBuffer.wrap(span).order(ByteOrder.nativeOrder());
    }
}
