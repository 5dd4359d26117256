package ayatori.pool;

/**
 * When a {@link ReusableThreadPool} ends a thread that it no longer needs. Both rules work without a timer: they are asked
 * each time a thread has nothing to do and is about to fall asleep, and that is the only unit of time they know. Both leave
 * the <em>play</em> alone: {@code total × 0.125 + bias} sleeping threads, for a load that fluctuates.
 */
public enum ReclaimingRule {
    /**
     * The paper's rule (section 3), exactly: when {@code total × 0.125 + bias < sleeping} has held {@code max − total} times
     * in a row, one thread ends, and the count begins again. The further the pool is from its maximum, the longer it takes:
     * from 64 threads of 64 down to the play it needs some 1,500 to 2,000 submissions.
     */
    PAPER {
        @Override
        Census fallAsleep(Census now, Sleeper sleeper) {
            if (!now.sleepsAbovePlay()) {
                return now.asleep(sleeper, 0);
            }
            long row = now.row() + 1;
            return row >= now.maximum() - now.total() ? now.reclaimed(0) : now.asleep(sleeper, row);
        }
    },

    /**
     * The default. Once more threads than the play have slept for one and a half times as many moments of falling asleep as
     * there are threads, one thread ends each time: 64 threads are down to the play within 200 submissions. The last ones go
     * slower: when the sleepers exceed the play by no more than the play itself, each takes a quarter as many moments as there
     * are threads.
     *
     * <p>A load that swings slower than that would lose threads in each ebb and start them again in each flood. So the pool
     * learns: when it has to start a thread that it might have kept, it waits from then on twice as long as it would have had
     * to, with as many threads as then. Where that would have been longer than some 16,000 moments, to start the thread again
     * costs nothing to speak of; then it forgets what it had learnt.
     */
    CONVERGING {
        @Override
        Census fallAsleep(Census now, Sleeper sleeper) {
            if (!now.sleepsAbovePlay()) {
                return now.asleep(sleeper, 0);
            }
            boolean far = now.excess() > now.play();
            boolean early = !far && now.falls() - now.lastReclaim() < Math.max(1, now.total() / 4);
            return now.row() < now.patience() || early
                    ? now.asleep(sleeper, now.row() + 1)
                    : now.reclaimed(now.row() + 1);
        }
    };

    /**
     * What follows when a thread has nothing to do: it is among the sleepers, or it ends.
     *
     * @param now without the thread among the sleepers
     */
    abstract Census fallAsleep(Census now, Sleeper sleeper);
}
