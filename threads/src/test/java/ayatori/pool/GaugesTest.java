package ayatori.pool;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import ayatori.sched.Waiting;
import java.lang.management.ManagementFactory;
import java.util.Arrays;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import javax.management.MBeanAttributeInfo;
import javax.management.MBeanServer;
import javax.management.ObjectName;
import org.junit.jupiter.api.Test;

/** A pool's gauges, read as any JMX client does. */
class GaugesTest {
    private final MBeanServer server = ManagementFactory.getPlatformMBeanServer();

    private static ObjectName name(String pool) throws Exception {
        return new ObjectName("ayatori.pool:type=ReusableThreadPool,name=\"" + pool + "\"");
    }

    private Map<String, Object> gauges(String pool) throws Exception {
        Map<String, Object> values = new TreeMap<>();
        for (MBeanAttributeInfo gauge : server.getMBeanInfo(name(pool)).getAttributes()) {
            assertTrue(gauge.isReadable() && !gauge.isWritable(), gauge.getName());
            values.put(gauge.getName(), server.getAttribute(name(pool), gauge.getName()));
        }
        return values;
    }

    @Test
    void eachCounterHasAGauge() throws Exception {
        CountDownLatch gate = new CountDownLatch(1);
        try (ReusableThreadPool pool = ReusableThreadPool.builder()
                .name("gauges")
                .initialThreads(1)
                .maximumThreads(2)
                .bias(3)
                .queueCapacity(1)
                .managed(true)
                .build()) {
            for (int i = 0; i < 3; i++) {
                var unused = pool.submit(() -> gate.await(60, TimeUnit.SECONDS));
            }
            assertThrows(RejectedExecutionException.class, () -> pool.execute(() -> {}));
            Map<String, Object> busy = gauges("gauges");
            gate.countDown();
            Map<String, Object> expected = new TreeMap<>(Map.ofEntries(
                    Map.entry("InitialThreads", 1),
                    Map.entry("MaximumThreads", 2),
                    Map.entry("Bias", 3),
                    Map.entry("Play", 3.25),
                    Map.entry("TotalThreads", 2),
                    Map.entry("RunningThreads", 2),
                    Map.entry("SleepingThreads", 0),
                    Map.entry("QueuedTasks", 1),
                    Map.entry("CompletedTasks", 0L),
                    Map.entry("FallsAsleep", 1L),
                    Map.entry("StartedThreads", 2L),
                    Map.entry("ReclaimedThreads", 0L),
                    Map.entry("Raises", 0L),
                    Map.entry("RejectedTasks", 1L)));
            assertEquals(expected, busy);
            Waiting.until("all asleep", () -> pool.statistics().sleeping() == 2);
            Map<String, Object> idle = gauges("gauges");
            assertEquals(3L, idle.get("CompletedTasks"));
            assertEquals(2, idle.get("SleepingThreads"));
            assertEquals(0, idle.get("RunningThreads"));
            assertTrue((long) idle.getOrDefault("FallsAsleep", 0L) >= 2);
        }
        assertFalse(server.isRegistered(name("gauges")), "still there after its end");
    }

    /** The interface and {@link PoolStatistics} tell of the same things. */
    @Test
    void thereIsNoCounterWithoutAGauge() {
        assertEquals(
                PoolStatistics.class.getRecordComponents().length - 1, // the name is the bean's
                ReusableThreadPoolMXBean.class.getMethods().length,
                () -> new TreeSet<>(Arrays.asList(ReusableThreadPoolMXBean.class.getMethods()).stream()
                                .map(method -> method.getName())
                                .toList())
                        .toString());
    }

    @Test
    void twoManagedPoolsNeedTwoNames() {
        ReusableThreadPoolBuilder builder =
                ReusableThreadPool.builder().name("same, \"name\"").managed(true);
        try (ReusableThreadPool pool = builder.build()) {
            IllegalStateException refused = assertThrows(IllegalStateException.class, builder::build);
            assertTrue(String.valueOf(refused.getMessage()).contains(pool.name()), refused::getMessage);
        }
        builder.build().close(); // the name is free again
    }
}
