package ayatori.pool;

/**
 * Which of several lanes a worker serves: one until nothing is left there, since what one submitter and one worker write is
 * quickly at hand, but no longer than a while, so that no submitter waits for ever behind another. For the worker itself.
 */
final class Turn {
    private static final long NANOS = 1_000_000;
    /** Reading the clock takes as long as many a task; short ones need not be timed one by one. */
    private static final int MOST_UNTIMED = 64;

    private int lane;
    private long end;
    /** Tasks from one look at the clock to the next. */
    private int untimed = 1;

    private int left = 1;

    /** Where to look first; modulo the number of lanes. */
    int lane() {
        return lane;
    }

    /** The worker has found a task. */
    void taken(int from) {
        if (from != lane) {
            begin(from);
        } else if (--left == 0) {
            if (System.nanoTime() - end >= 0) {
                begin(from + 1);
            } else {
                untimed = Math.min(2 * untimed, MOST_UNTIMED);
                left = untimed;
            }
        }
    }

    private void begin(int at) {
        lane = at;
        end = System.nanoTime() + NANOS;
        untimed = 1;
        left = 1;
    }
}
