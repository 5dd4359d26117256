package ayatori.pool;

import org.jspecify.annotations.Nullable;

/**
 * Which of several lanes a worker serves: one until nothing is left there, since what one submitter and one worker write is
 * quickly at hand, but no longer than a while, so that no submitter waits for ever behind another. For the worker itself.
 */
final class Turn {
    private static final long NANOS = 1_000_000;
    /** Reading the clock takes as long as many a task; short ones need not be timed one by one. */
    private static final int MOST_UNTIMED = 64;

    final Lane.Place place = new Lane.Place();

    private int lane;
    private long end;
    /** Tasks from one look at the clock to the next. */
    private int untimed = 1;

    private int left = 1;

    /** Claims a task where the worker has been; null if there is none of this priority, or if it is time to look around. */
    @Nullable
    TaskFuture<?> next(int priority, Worker worker) {
        Lane last = place.lane();
        return last != null && last.priority == priority && --left > 0 ? last.poll(worker, place, false) : null;
    }

    /** Where to look first; modulo the number of lanes. */
    int lane() {
        return lane;
    }

    /** The worker has looked around, and found a task in one of the lanes. */
    void taken(int from, int lanes) {
        if (lanes == 1) {
            left = MOST_UNTIMED;
        } else if (from != lane) {
            begin(from);
        } else if (System.nanoTime() - end >= 0) {
            begin(from + 1);
        } else {
            untimed = Math.min(2 * untimed, MOST_UNTIMED);
            left = untimed;
        }
    }

    private void begin(int at) {
        lane = at;
        end = System.nanoTime() + NANOS;
        untimed = 1;
        left = 1;
    }
}
