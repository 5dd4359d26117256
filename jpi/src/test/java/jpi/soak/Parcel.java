package jpi.soak;

import jpi.JException;

/**
 * The contents of a random message, which say where it comes from and are different for each: ints or longs, of which the first ones
 * are number, length, source, destination, tag and priority. What follows can be computed from these.
 *
 * @param source rank
 * @param destination rank
 * @param number how many went before it of the same source, destination, tag and priority
 */
record Parcel(int source, int destination, int tag, int priority, int number) {
    /** Elements that every message has. */
    static final int LEAST = 6;

    private static final long STEP = 0x9e3779b97f4a7c15L;
    private static final int SHIFT = 29;

    private long seed() {
        return (((((long) source << 8 | destination) << 8 | tag) << 8 | priority) << 32 | number) * STEP;
    }

    private static long element(long seed, int place) {
        long some = (seed + place) * STEP;
        return some ^ some >>> SHIFT;
    }

    int[] ints(int length) {
        int[] array = new int[length];
        fill(array, 0, length);
        return array;
    }

    /** The same, in a part of an array. */
    void fill(int[] array, int offset, int length) {
        long seed = seed();
        for (int i = 0; i < length; i++) {
            array[offset + i] = (int) (i < LEAST ? head(i, length) : element(seed, i));
        }
    }

    long[] longs(int length) {
        long[] array = new long[length];
        long seed = seed();
        for (int i = 0; i < length; i++) {
            array[i] = i < LEAST ? head(i, length) : element(seed, i);
        }
        return array;
    }

    private int head(int place, int length) {
        return switch (place) {
            case 0 -> number;
            case 1 -> length;
            case 2 -> source;
            case 3 -> destination;
            case 4 -> tag;
            default -> priority;
        };
    }

    /** Of ints or longs that have been received; refuses what nobody has made. */
    static Parcel of(Object array) {
        return switch (array) {
            case int[] ints -> of(ints, ints.length);
            case long[] longs -> of(longs);
            default -> throw new JException("received a " + array.getClass().getName() + ", which nobody has sent");
        };
    }

    /** Of the first elements of an array. */
    static Parcel of(int[] array, int length) {
        Parcel parcel = new Parcel(array[2], array[3], array[4], array[5], array[0]);
        long seed = parcel.seed();
        for (int i = 0; i < length; i++) {
            int expected = (int) (i < LEAST ? parcel.head(i, length) : element(seed, i));
            if (array[i] != expected) {
                throw parcel.corrupted(i, array[i], expected);
            }
        }
        return parcel;
    }

    private static Parcel of(long[] array) {
        Parcel parcel = new Parcel((int) array[2], (int) array[3], (int) array[4], (int) array[5], (int) array[0]);
        long seed = parcel.seed();
        for (int i = 0; i < array.length; i++) {
            long expected = i < LEAST ? parcel.head(i, array.length) : element(seed, i);
            if (array[i] != expected) {
                throw parcel.corrupted(i, array[i], expected);
            }
        }
        return parcel;
    }

    private JException corrupted(int place, long found, long expected) {
        return new JException(this + " is corrupted: element " + place + " is " + found + ", not " + expected);
    }
}
