package ayatori.pool;

/**
 * What a pool has learnt of the ebbs of its load: how long it would have had to keep sleeping threads for the flood that came
 * after. Apart for each doubling of the number of threads, so that the second thread, wanted now and then, does not keep the
 * sixty-fourth. Immutable; changed only when threads are started or reclaimed. Times are moments of falling asleep.
 */
final class Ebbs {
    static final Ebbs NONE = new Ebbs(new long[Integer.SIZE], new long[Integer.SIZE]);

    /** The threads of a longer ebb are not worth keeping: so many moments, or so many for each thread. */
    private static final long LONGEST = 1 << 14;

    private static final long LONGEST_A_THREAD = 256;

    /** How long to wait before threads of a rank are reclaimed; 0: nothing learnt. */
    private final long[] patience;
    /** One more than when the ebb began in which a thread of the rank was reclaimed last; 0: it has been started again. */
    private final long[] began;

    private Ebbs(long[] patience, long[] began) {
        this.patience = patience;
        this.began = began;
    }

    private static int rank(int total) {
        return Integer.SIZE - 1 - Integer.numberOfLeadingZeros(total);
    }

    /** How long more than the play must sleep before the last of so many threads is reclaimed; 0: nothing learnt. */
    long patience(int total) {
        return patience[rank(total)];
    }

    /** The last of so many threads is reclaimed, in an ebb that began at a moment. */
    Ebbs reclaimed(int total, long since) {
        return new Ebbs(patience, with(began, total, since + 1));
    }

    /** A thread is started, the last of so many then. */
    Ebbs grown(int total, long now) {
        long since = began[rank(total)];
        if (since == 0) {
            return this;
        }
        long ebb = now + 1 - since;
        boolean worthKeeping = ebb <= Math.max(LONGEST, LONGEST_A_THREAD * total);
        return new Ebbs(
                with(patience, total, worthKeeping ? Math.max(patience(total), 2 * ebb) : 0), with(began, total, 0));
    }

    private static long[] with(long[] old, int total, long value) {
        long[] changed = old.clone();
        changed[rank(total)] = value;
        return changed;
    }
}
