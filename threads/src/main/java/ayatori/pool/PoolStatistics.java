package ayatori.pool;

/**
 * A pool's settings and counters. {@code total = running + sleeping} always; the counters that follow may be a moment older or
 * younger than those three.
 *
 * @param name of the pool
 * @param initial threads that it began with
 * @param maximum threads at most
 * @param bias of the play
 * @param play how many threads may sleep without one being reclaimed: {@code total × 0.125 + bias}
 * @param total threads
 * @param running threads that are awake: they have a task, or look for one
 * @param sleeping threads that have none
 * @param queued tasks that wait for a thread
 * @param completed tasks that have ended, whatever way
 * @param falls how many times a thread has fallen asleep
 * @param started threads, ever
 * @param reclaimed threads that ended because too many slept
 * @param raises how many times a thread was lent a higher priority than its task's
 * @param rejected tasks
 */
public record PoolStatistics(
        String name,
        int initial,
        int maximum,
        int bias,
        double play,
        int total,
        int running,
        int sleeping,
        int queued,
        long completed,
        long falls,
        long started,
        long reclaimed,
        long raises,
        long rejected) {}
