package jpi;

import java.lang.reflect.Array;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * What a rank says of a collective operation that it begins; in checking mode it must be the same on all.
 *
 * @param name of the method
 * @param root {@link #NONE}: there is none; {@link JHandle#ROOT}: of two groups in that of who says it
 * @param operation null: it reduces nothing
 * @param sample what must agree in type and count, a {@link JBuffer} or an object, unless the operation takes any object; or a
 *     {@link JType}, if counts may differ; a {@link Shape} or {@link Parts}; null: nothing must
 */
record Call(
        String name,
        int root,
        @Nullable JOperation<?> operation,
        @Nullable Object sample) {
    static final int NONE = -1;

    /** A buffer, and into how many elements each it is parted. */
    @SuppressWarnings("ArrayRecordComponent") // only told of
    record Parts(JBuffer buffer, int[] counts) {}

    /** Of a grid: what all ranks must say. */
    record Shape(String text) {}

    /** One without a root and an operation. */
    static Call of(String name, @Nullable Object sample) {
        return new Call(name, NONE, null, sample);
    }

    /** One with a root. */
    static Call rooted(String name, int root, @Nullable Object sample) {
        return new Call(name, root, null, sample);
    }

    @Override
    public String toString() {
        StringBuilder text = new StringBuilder(name);
        if (sample != null && (operation == null || operation.isByElements())) {
            text.append(" of ").append(contents(sample));
        }
        if (operation != null) {
            text.append(", ").append(operation);
        }
        if (root == JHandle.ROOT) {
            text.append(", root in this group");
        } else if (root != NONE) {
            text.append(", root ").append(root);
        }
        return text.toString();
    }

    private static String contents(Object some) {
        return switch (some) {
            case JType type -> type + "s";
            case Shape(String text) -> text;
            case Parts(JBuffer buffer, int[] counts) -> contents(buffer) + " in parts of " + Arrays.toString(counts);
            case JBuffer buffer -> buffer.count() + " " + buffer.type() + "s";
            case Object array
            when JType.ofArray(array) != null -> Array.getLength(array) + " " + JType.ofArray(array) + "s in an array";
            case Object other -> "a " + other.getClass().getName();
        };
    }
}
