package ayatori.tck;

import ayatori.pool.ReusableThreadPool;
import ayatori.pool.ReusableThreadPoolBuilder;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.ThreadFactory;

/** Pools, without a shim around them, in place of other executors in the TCK's sources. */
public final class Pools {
    private static final Map<ThreadGroup, ReusableThreadPool> BY_GROUP = new ConcurrentHashMap<>();

    private static final ExecutorService SHARED = newCachedThreadPool();

    private Pools() {}

    private static ExecutorService made(ReusableThreadPoolBuilder builder) {
        ThreadPoolExecutor.used();
        return builder.build();
    }

    /** In place of Executors.newCachedThreadPool: as many threads as there are tasks. */
    public static ExecutorService newCachedThreadPool() {
        return made(ReusableThreadPool.builder().maximumThreads(Integer.MAX_VALUE));
    }

    public static ExecutorService newCachedThreadPool(ThreadFactory factory) {
        return made(
                ReusableThreadPool.builder().maximumThreads(Integer.MAX_VALUE).threadFactory(factory));
    }

    /** In place of Executors.newFixedThreadPool. */
    public static ExecutorService newFixedThreadPool(int threads) {
        return made(ReusableThreadPool.builder().maximumThreads(threads));
    }

    public static ExecutorService newFixedThreadPool(int threads, ThreadFactory factory) {
        return made(ReusableThreadPool.builder().maximumThreads(threads).threadFactory(factory));
    }

    /** In place of Executors.newSingleThreadExecutor. */
    public static ExecutorService newSingleThreadExecutor() {
        return newFixedThreadPool(1);
    }

    public static ExecutorService newSingleThreadExecutor(ThreadFactory factory) {
        return newFixedThreadPool(1, factory);
    }

    /** In place of JSR166TestCase.cachedThreadPool. */
    public static ExecutorService shared() {
        ThreadPoolExecutor.used();
        return SHARED;
    }

    /** In place of an executor that starts a thread of a group for each task. */
    public static Executor inGroup(ThreadGroup group) {
        ThreadPoolExecutor.used();
        return BY_GROUP.computeIfAbsent(
                group,
                g -> ReusableThreadPool.builder()
                        .threadFactory(task -> new Thread(g, task))
                        .build());
    }
}
