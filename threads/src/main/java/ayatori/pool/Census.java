package ayatori.pool;

import org.jspecify.annotations.Nullable;

/**
 * How many threads a pool has, which of them sleep, and whether it still takes tasks: one immutable value, replaced by
 * compare-and-set. So no lock is needed that a preempted thread could keep from a more important one, and
 * {@code total = running + sleeping} holds at every moment.
 *
 * @param maximum threads at most
 * @param bias of the play
 * @param phase of the pool's life
 * @param total threads that were started and have not ended
 * @param sleeping those of them that are on the stack
 * @param top the sleeper that is woken next, the last one to fall asleep
 * @param row how many times in a row more than the play slept when a thread fell asleep, less what the rule took off
 * @param falls how many times a thread has fallen asleep
 * @param caution how many times longer than usual {@link ReclaimingRule#CONVERGING} waits, a power of two
 * @param rashUntil if a thread has to be started before {@code falls} is that, it was rash to reclaim one; 0: since the last
 *     was reclaimed threads have been started
 */
record Census(
        int maximum,
        int bias,
        Phase phase,
        int total,
        int sleeping,
        @Nullable Sleeper top,
        long row,
        long falls,
        int caution,
        long rashUntil) {
    private static final int MAX_CAUTION = 1 << 20;
    /** How many times its patience {@link ReclaimingRule#CONVERGING} looks back whether it was rash. */
    private static final int RASH = 8;

    /** Of a pool's life; in this order. */
    enum Phase {
        RUNNING,
        SHUTDOWN,
        STOP
    }

    Census {
        assert 0 <= sleeping && sleeping <= total && total <= maximum : "sleeping " + sleeping + " of " + total;
        assert (sleeping == 0) == (top == null) : "sleeping " + sleeping + ", top " + top;
    }

    static Census empty(int maximum, int bias) {
        return new Census(maximum, bias, Phase.RUNNING, 0, 0, null, 0, 0, 1, 0);
    }

    int running() {
        return total - sleeping;
    }

    /** {@code total × 0.125 + bias}. */
    double play() {
        return total * 0.125 + bias;
    }

    /** By how much the sleepers would exceed the play, were one more to fall asleep. */
    double excess() {
        return sleeping + 1 - play();
    }

    boolean sleepsAbovePlay() {
        return excess() > 0;
    }

    /** How long in a row that must hold under {@link ReclaimingRule#CONVERGING}. */
    long patience() {
        return (long) caution * (total + total / 2);
    }

    Census asleep(Sleeper sleeper, long newRow) {
        return new Census(maximum, bias, phase, total, sleeping + 1, sleeper, newRow, falls + 1, caution, rashUntil);
    }

    /** A running thread ends because there are too many. */
    Census reclaimed(long newRow) {
        return new Census(
                maximum,
                bias,
                phase,
                total - 1,
                sleeping,
                top,
                Math.max(0, newRow),
                falls + 1,
                caution,
                Math.max(rashUntil, falls + RASH * patience()));
    }

    /** A running thread ends for another reason. */
    Census left() {
        return new Census(maximum, bias, phase, total - 1, sleeping, top, row, falls, caution, rashUntil);
    }

    /** The top of the stack runs; there must be one. */
    Census woken(Sleeper woken) {
        return new Census(maximum, bias, phase, total, sleeping - 1, woken.below(), row, falls, caution, rashUntil);
    }

    /** One more thread runs. If others were reclaimed shortly before, that was rash. */
    Census grown() {
        int newCaution = caution;
        if (rashUntil > 0) {
            newCaution = falls < rashUntil ? Math.min(MAX_CAUTION, 2 * caution) : Math.max(1, caution / 2);
        }
        return new Census(maximum, bias, phase, total + 1, sleeping, top, row, falls, newCaution, 0);
    }

    Census in(Phase later) {
        return new Census(maximum, bias, later, total, sleeping, top, row, falls, caution, rashUntil);
    }
}
