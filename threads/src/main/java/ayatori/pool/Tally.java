package ayatori.pool;

import java.util.concurrent.atomic.LongAdder;

/** What a pool has done so far, counted and told to flight recordings. Thread-safe. */
final class Tally {
    private final String pool;
    private final LongAdder started = new LongAdder();
    private final LongAdder reclaimed = new LongAdder();
    private final LongAdder raises = new LongAdder();
    private final LongAdder rejected = new LongAdder();
    /** By workers that have ended. */
    private final LongAdder completed = new LongAdder();

    /** @param pool its name */
    Tally(String pool) {
        this.pool = pool;
    }

    void started(Worker worker, int total) {
        started.increment();
        PoolEvents.ThreadStart event = new PoolEvents.ThreadStart();
        if (event.shouldCommit()) {
            event.pool = pool;
            event.thread = worker.thread().getName();
            event.total = total;
            event.commit();
        }
    }

    void reclaimed(Census then) {
        reclaimed.increment();
        PoolEvents.ThreadReclaim event = new PoolEvents.ThreadReclaim();
        if (event.shouldCommit()) {
            event.pool = pool;
            event.total = then.total();
            event.sleeping = then.sleeping();
            event.commit();
        }
    }

    /** A worker is lent this Java priority; 0: nothing any more. */
    void raised(Worker worker, int lent) {
        if (lent > worker.priority()) {
            raises.increment();
        }
        PoolEvents.Raise event = new PoolEvents.Raise();
        if (event.shouldCommit()) {
            event.pool = pool;
            event.thread = worker.thread().getName();
            event.priority = worker.priority();
            event.lent = lent;
            event.commit();
        }
    }

    void rejected() {
        rejected.increment();
    }

    void ended(Worker worker) {
        completed.add(worker.handOverCompleted());
    }

    /**
     * All of it.
     *
     * @param initial threads
     * @param now the pool's threads
     * @param workers those that have not ended
     * @param queued tasks
     */
    PoolStatistics statistics(int initial, Census now, Iterable<Worker> workers, int queued) {
        long tasks = completed.sum();
        for (Worker worker : workers) {
            tasks += worker.completed();
        }
        return new PoolStatistics(
                pool,
                initial,
                now.maximum(),
                now.bias(),
                now.play(),
                now.total(),
                now.running(),
                now.sleeping(),
                queued,
                tasks,
                now.falls(),
                started.sum(),
                reclaimed.sum(),
                raises.sum(),
                rejected.sum());
    }
}
