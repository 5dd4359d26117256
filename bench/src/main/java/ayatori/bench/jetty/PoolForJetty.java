package ayatori.bench.jetty;

import ayatori.pool.PoolStatistics;
import ayatori.pool.ReusableThreadPool;
import java.util.concurrent.TimeUnit;
import org.eclipse.jetty.util.component.AbstractLifeCycle;
import org.eclipse.jetty.util.thread.ThreadPool;

/**
 * A {@link ReusableThreadPool} as the thread pool of a Jetty server. What Jetty itself gives it, which is to accept, to select
 * and to read requests, runs at one priority: it has to be above those of all requests. The server ends the pool.
 */
public final class PoolForJetty extends AbstractLifeCycle implements ThreadPool.SizedThreadPool {
    private static final long STOP_SECONDS = 5;

    private final ReusableThreadPool pool;
    private final int priority;

    /**
     * For a server that is yet to be made.
     *
     * @param priority Java priority of Jetty's own work
     */
    public PoolForJetty(ReusableThreadPool pool, int priority) {
        this.pool = pool;
        this.priority = priority;
    }

    @Override
    public void execute(Runnable task) {
        pool.execute(priority, task);
    }

    @Override
    public int getThreads() {
        return pool.statistics().total();
    }

    @Override
    public int getIdleThreads() {
        return pool.statistics().sleeping();
    }

    @Override
    public boolean isLowOnThreads() {
        PoolStatistics now = pool.statistics();
        return now.total() == now.maximum() && now.sleeping() <= now.queued();
    }

    @Override
    public int getMinThreads() {
        return 0;
    }

    @Override
    public int getMaxThreads() {
        return pool.statistics().maximum();
    }

    @Override
    public void setMinThreads(int threads) {
        throw new UnsupportedOperationException("the pool keeps what the load needs");
    }

    @Override
    public void setMaxThreads(int threads) {
        throw new UnsupportedOperationException("the maximum is set when the pool is built");
    }

    @Override
    public void join() throws InterruptedException {
        pool.awaitTermination(Long.MAX_VALUE, TimeUnit.NANOSECONDS);
    }

    @Override
    protected void doStop() throws Exception {
        pool.shutdown();
        if (!pool.awaitTermination(STOP_SECONDS, TimeUnit.SECONDS)) {
            pool.shutdownNow();
        }
        super.doStop();
    }
}
