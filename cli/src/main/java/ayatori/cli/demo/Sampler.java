package ayatori.cli.demo;

import ayatori.internal.linux.Sched;
import java.util.BitSet;
import java.util.concurrent.locks.LockSupport;

/**
 * Reads the counters every few milliseconds from outside of the counting JVM. It stands above every thread of that JVM
 * where the kernel allows it, so that it sees them also when they hold every CPU; it makes no objects and needs no
 * system call but its sleep, so that it takes next to nothing from them.
 */
final class Sampler {
    static final long PERIOD_NANOS = 5_000_000;

    private final CounterPage page;
    private final Samples samples;
    private final Thread thread;
    private volatile boolean stopped;

    /**
     * @param cpus where the sampler may run: apart from the counting JVM's if the host has more
     * @param realTime whether the kernel lets it stand above
     * @param limitNanos after so long it ends by itself
     */
    Sampler(CounterPage page, BitSet cpus, boolean realTime, long limitNanos) {
        this.page = page;
        this.samples = new Samples((int) (limitNanos / PERIOD_NANOS), page.threads());
        this.thread = Thread.ofPlatform().name("counter-sampler").daemon().unstarted(() -> {
            Sched.setAffinity(0, cpus);
            if (realTime) {
                Sched.setAttributes(0, Privilege.realTime(Privilege.HIGHEST));
            }
            sample(System.nanoTime() + limitNanos);
        });
    }

    void start() {
        thread.start();
    }

    /** Ends sampling. */
    Samples stop() throws InterruptedException {
        stopped = true;
        thread.join();
        return samples;
    }

    private void sample(long deadline) {
        long now = System.nanoTime();
        while (!stopped && now - deadline < 0) {
            samples.take(page, now);
            LockSupport.parkNanos(PERIOD_NANOS);
            now = System.nanoTime();
        }
        samples.take(page, now);
    }
}
