package jpi.internal.objects;

import java.util.IdentityHashMap;
import org.jspecify.annotations.Nullable;

/** Copies of primitive arrays, of any number of dimensions, at the speed of memory. A row that is there twice stays one. */
final class ArrayCopy {
    private final IdentityHashMap<Object, Object> rows = new IdentityHashMap<>();

    private ArrayCopy() {}

    /** Null if it is no such array. */
    static @Nullable Object of(Object object) {
        Class<?> element = object.getClass().getComponentType();
        if (element == null) {
            return null;
        }
        if (element.isPrimitive()) {
            return row(object);
        }
        while (element.isArray()) {
            element = element.getComponentType();
        }
        return element.isPrimitive() ? new ArrayCopy().rows((Object[]) object) : null;
    }

    private Object[] rows(Object[] array) {
        Object[] copy = array.clone();
        for (int i = 0; i < copy.length; i++) {
            Object row = copy[i];
            if (row != null) {
                Object known = rows.get(row);
                if (known == null) {
                    known = row instanceof Object[] deeper ? rows(deeper) : row(row);
                    rows.put(row, known);
                }
                copy[i] = known;
            }
        }
        return copy;
    }

    private static Object row(Object array) {
        return switch (array) {
            case boolean[] a -> a.clone();
            case byte[] a -> a.clone();
            case char[] a -> a.clone();
            case short[] a -> a.clone();
            case int[] a -> a.clone();
            case long[] a -> a.clone();
            case float[] a -> a.clone();
            case double[] a -> a.clone();
            default -> throw new IllegalArgumentException(array.getClass().getName());
        };
    }
}
