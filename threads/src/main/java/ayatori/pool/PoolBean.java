package ayatori.pool;

import java.lang.management.ManagementFactory;
import javax.management.InstanceAlreadyExistsException;
import javax.management.JMException;
import javax.management.ObjectName;

/** A pool's gauges in the platform's MBean server. */
final class PoolBean implements ReusableThreadPoolMXBean {
    private final ReusableThreadPool pool;
    private final ObjectName objectName;

    private PoolBean(ReusableThreadPool pool, ObjectName objectName) {
        this.pool = pool;
        this.objectName = objectName;
    }

    static PoolBean register(ReusableThreadPool pool) {
        try {
            ObjectName name =
                    new ObjectName("ayatori.pool:type=ReusableThreadPool,name=" + ObjectName.quote(pool.name()));
            PoolBean bean = new PoolBean(pool, name);
            ManagementFactory.getPlatformMBeanServer().registerMBean(bean, name);
            return bean;
        } catch (InstanceAlreadyExistsException e) {
            throw new IllegalStateException(
                    "a pool named \"" + pool.name() + "\" is managed already: give each a name of its own", e);
        } catch (JMException e) {
            throw new IllegalStateException("the pool \"" + pool.name() + "\" cannot be managed", e);
        }
    }

    void unregister() {
        try {
            ManagementFactory.getPlatformMBeanServer().unregisterMBean(objectName);
        } catch (JMException e) {
            // Somebody else has taken it away.
        }
    }

    @Override
    public int getInitialThreads() {
        return pool.statistics().initial();
    }

    @Override
    public int getMaximumThreads() {
        return pool.statistics().maximum();
    }

    @Override
    public int getBias() {
        return pool.statistics().bias();
    }

    @Override
    public double getPlay() {
        return pool.statistics().play();
    }

    @Override
    public int getTotalThreads() {
        return pool.statistics().total();
    }

    @Override
    public int getRunningThreads() {
        return pool.statistics().running();
    }

    @Override
    public int getSleepingThreads() {
        return pool.statistics().sleeping();
    }

    @Override
    public int getQueuedTasks() {
        return pool.statistics().queued();
    }

    @Override
    public long getCompletedTasks() {
        return pool.statistics().completed();
    }

    @Override
    public long getFallsAsleep() {
        return pool.statistics().falls();
    }

    @Override
    public long getStartedThreads() {
        return pool.statistics().started();
    }

    @Override
    public long getReclaimedThreads() {
        return pool.statistics().reclaimed();
    }

    @Override
    public long getRaises() {
        return pool.statistics().raises();
    }

    @Override
    public long getRejectedTasks() {
        return pool.statistics().rejected();
    }
}
