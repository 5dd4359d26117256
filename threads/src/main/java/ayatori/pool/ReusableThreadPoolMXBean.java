package ayatori.pool;

/** A pool's settings and counters over JMX: {@link PoolStatistics} says what each is. */
public interface ReusableThreadPoolMXBean {
    int getInitialThreads();

    int getMaximumThreads();

    int getBias();

    double getPlay();

    int getTotalThreads();

    int getRunningThreads();

    int getSleepingThreads();

    int getQueuedTasks();

    long getCompletedTasks();

    long getFallsAsleep();

    long getStartedThreads();

    long getReclaimedThreads();

    long getRaises();

    long getRejectedTasks();
}
