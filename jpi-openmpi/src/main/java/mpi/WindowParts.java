package mpi;

import java.util.EnumMap;
import java.util.Map;
import jpi.JBuffer;
import jpi.JOperation;
import jpi.JType;
import jpi.JWindow;
import org.jspecify.annotations.Nullable;

/** The parts of a window, in which MPI says where something is by a displacement in units of the part's own, and by items of a datatype. */
final class WindowParts {
    private final JWindow bytes;
    /** The same window, as one of each type. */
    private final Map<JType, JWindow> typed = new EnumMap<>(JType.class);
    /** By rank, in bytes. */
    private final int[] units;

    WindowParts(JWindow bytes, int[] units) {
        this.bytes = bytes;
        this.units = units.clone();
        for (JType type : JType.values()) {
            typed.put(type, bytes.as(type));
        }
    }

    /** Some items in a rank's part. */
    record Place(int target, int displacement, int count, Datatype type) {
        Place {
            if (count < 0) {
                throw new MPIException("count " + count + " in the window: must be 0 or more");
            }
            var _ = Datatype.required(type);
        }

        int elements() {
            return count * type.getSize();
        }
    }

    /** What is done to bytes of a part that lie one behind the other. */
    private interface Action {
        /**
         * @param at where they are
         * @param from how many are before them
         */
        void on(long at, long from, long length);
    }

    private void each(Place place, Action action) {
        long start = (long) place.displacement * units[place.target];
        Datatype type = place.type;
        if (type.isDense()) {
            action.on(start, 0, (long) place.count * type.sizeInBytes());
            return;
        }
        long from = 0;
        for (int i = 0; i < place.count; i++) {
            for (Datatype.Run run : type.runs()) {
                action.on(start + (long) i * type.extentInBytes() + run.start(), from, run.length());
                from += run.length();
            }
        }
    }

    /** False: there is nothing to do. */
    private boolean isReal(Place place) {
        if (place.target == MPI.PROC_NULL) {
            return false;
        }
        if (place.target < 0 || place.target >= units.length) {
            throw new MPIException(
                    "rank " + place.target + " is not in the window, which has ranks 0 to " + (units.length - 1));
        }
        return true;
    }

    private static void requireAlike(Region mine, Place there) {
        if (mine.type().base() != there.type.base() || mine.elements() != there.elements()) {
            throw new MPIException(
                    mine.elements() + " elements of " + mine.type().base() + " here and "
                            + there.elements() + " of " + there.type.base()
                            + " in the window: must be as many, of the same basic type");
        }
    }

    private static JBuffer asBytes(JBuffer buffer, long from, long length) {
        return JBuffer.of(buffer.memory().asSlice(from, length), JType.BYTE);
    }

    void put(Region values, Place place) {
        if (isReal(place)) {
            requireAlike(values, place);
            JBuffer contents = values.contents();
            each(place, (at, from, length) -> bytes.put(asBytes(contents, from, length), place.target, at));
        }
    }

    void get(Region into, Place place) {
        if (isReal(place)) {
            requireAlike(into, place);
            JBuffer space = into.space();
            each(place, (at, from, length) -> bytes.get(asBytes(space, from, length), place.target, at));
            into.takeAll(space);
        }
    }

    /**
     * Combines elements of a part with values.
     *
     * @param before gets what was there; null: nobody asks
     */
    void accumulate(Region values, @Nullable Region before, Place place, Op op) {
        if (!Op.isOnBuffers(op)) {
            throw new MPIException("MINLOC, MAXLOC and functions do not apply to elements of a window here");
        }
        JOperation<Object> operation = op.onBuffers(place.type);
        if (!isReal(place)) {
            return;
        }
        if (before == null) {
            requireAlike(values, place);
            JBuffer contents = values.contents();
            eachElements(
                    place,
                    (window, at, from, count) ->
                            window.accumulate(contents.slice(from, count), place.target, at, operation));
            return;
        }
        requireAlike(before, place);
        JBuffer space = before.space();
        JBuffer contents = op.isNoOp() ? space : contentsAlike(values, place);
        eachElements(
                place,
                (window, at, from, count) -> window.getAccumulate(
                        contents.slice(from, count), space.slice(from, count), place.target, at, operation));
        before.takeAll(space);
    }

    private static JBuffer contentsAlike(Region values, Place place) {
        requireAlike(values, place);
        return values.contents();
    }

    /** What is done to elements of a part that lie one behind the other. */
    private interface ElementAction {
        void on(JWindow window, long at, int from, int count);
    }

    private void eachElements(Place place, ElementAction action) {
        JWindow window = view(place.type);
        int size = window.type().size();
        each(
                place,
                (at, from, length) -> action.on(
                        window, index(at, size), Math.toIntExact(from / size), Math.toIntExact(length / size)));
    }

    private JWindow view(Datatype type) {
        return typed.getOrDefault(type.base().type(), bytes);
    }

    /** What is changed in one step lies at a multiple of its size. */
    private static long index(long at, int size) {
        if (at % size != 0) {
            throw new MPIException(
                    "an element of " + size + " bytes at byte " + at + " of a part: must be at a multiple of its size");
        }
        return at / size;
    }

    /** Replaces an element by {@code next} if it is {@code expected}; {@code before} gets what was there. */
    void compareAndSwap(Region next, Region expected, Region before, Place place) {
        if (!isReal(place)) {
            return;
        }
        requireAlike(next, place);
        requireAlike(expected, place);
        requireAlike(before, place);
        if (place.elements() != 1) {
            throw new MPIException("compareAndSwap applies to one integer, not to a datatype of " + place.elements()
                    + " elements: name a basic one");
        }
        JWindow window = view(place.type);
        long[] was = {0};
        eachElements(
                place,
                (_, at, _, _) -> was[0] = window.compareAndExchange(value(expected), value(next), place.target, at));
        before.unpack(JBuffer.ofArray(array(was[0], window.type())), 1);
    }

    private static long value(Region one) {
        return switch (one.contents().toArray()) {
            case byte[] a -> a[0];
            case char[] a -> a[0];
            case short[] a -> a[0];
            case int[] a -> a[0];
            case long[] a -> a[0];
            case Object other ->
                throw new MPIException("compareAndSwap applies to integers, not to a "
                        + other.getClass().getTypeName());
        };
    }

    private static Object array(long value, JType type) {
        Object array = type.newArray(1);
        switch (array) {
            case byte[] a -> a[0] = (byte) value;
            case char[] a -> a[0] = (char) value;
            case short[] a -> a[0] = (short) value;
            case int[] a -> a[0] = (int) value;
            case long[] a -> a[0] = value;
            default -> throw new IllegalStateException("no integers: " + type);
        }
        return array;
    }
}
