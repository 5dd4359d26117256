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
 * @param row how many times in a row more than the play slept when a thread fell asleep; under {@link ReclaimingRule#PAPER}
 *     since the last one was reclaimed
 * @param falls how many times a thread has fallen asleep
 * @param lastReclaim {@code falls} when a thread was last reclaimed; 0: never
 * @param ebbs what {@link ReclaimingRule#CONVERGING} has learnt
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
        long lastReclaim,
        Ebbs ebbs) {
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
        return new Census(maximum, bias, Phase.RUNNING, 0, 0, null, 0, 0, 0, Ebbs.NONE);
    }

    /** If there is no thread to wake, and none to start. */
    boolean allRun() {
        return top == null && total == maximum;
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
        return Math.max(total + total / 2, ebbs.patience(total));
    }

    Census asleep(Sleeper sleeper, long newRow) {
        return new Census(maximum, bias, phase, total, sleeping + 1, sleeper, newRow, falls + 1, lastReclaim, ebbs);
    }

    /** The same, of a thread whose falling asleep has been counted already. */
    Census asleepAsCounted(Sleeper sleeper) {
        return new Census(maximum, bias, phase, total, sleeping + 1, sleeper, row, falls, lastReclaim, ebbs);
    }

    /** What the rule made of a thread's falling asleep, while the thread itself is still awake, as before. */
    Census butAwake(Census before) {
        return new Census(maximum, bias, phase, total, before.sleeping, before.top, row, falls, lastReclaim, ebbs);
    }

    /** A running thread ends because there are too many. */
    Census reclaimed(long newRow) {
        Ebbs learnt = ebbs.reclaimed(total, falls - row);
        return new Census(maximum, bias, phase, total - 1, sleeping, top, newRow, falls + 1, falls + 1, learnt);
    }

    /** A running thread ends for another reason. */
    Census left() {
        return new Census(maximum, bias, phase, total - 1, sleeping, top, row, falls, lastReclaim, ebbs);
    }

    /** The top of the stack runs; there must be one. */
    Census woken(Sleeper woken) {
        return new Census(maximum, bias, phase, total, sleeping - 1, woken.below(), row, falls, lastReclaim, ebbs);
    }

    /** One more thread runs. */
    Census grown() {
        Ebbs learnt = ebbs.grown(total + 1, falls);
        return new Census(maximum, bias, phase, total + 1, sleeping, top, row, falls, lastReclaim, learnt);
    }

    Census in(Phase later) {
        return new Census(maximum, bias, later, total, sleeping, top, row, falls, lastReclaim, ebbs);
    }
}
