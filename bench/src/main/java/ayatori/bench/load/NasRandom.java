package ayatori.bench.load;

/** The random numbers of the NAS Parallel Benchmarks: x = 5^13 · x mod 2^46, from a seed, as a fraction of 2^46. */
final class NasRandom {
    /** Of all kernels but EP. */
    static final long SEED = 314159265;

    static final long SEED_OF_EP = 271828183;

    private static final long FACTOR = 1220703125;
    private static final long MASK = (1L << 46) - 1;
    private static final double UNIT = 0x1p-46;

    private long state;

    /** @param position how many numbers of the sequence are left out: a rank begins with its own */
    NasRandom(long seed, long position) {
        // The low 46 bits of a product do not depend on what lies above 64.
        state = (seed * power(position)) & MASK;
    }

    /** FACTOR ^ exponent, by squaring. */
    private static long power(long exponent) {
        long result = 1;
        long square = FACTOR;
        for (long rest = exponent; rest > 0; rest >>= 1) {
            if ((rest & 1) == 1) {
                result = (result * square) & MASK;
            }
            square = (square * square) & MASK;
        }
        return result;
    }

    /** The next number, between 0 and 1. */
    double next() {
        state = (state * FACTOR) & MASK;
        return state * UNIT;
    }
}
