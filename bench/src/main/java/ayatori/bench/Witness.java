package ayatori.bench;

import ayatori.internal.linux.Clock;
import ayatori.internal.linux.Sched;
import ayatori.sched.LinuxThread;
import ayatori.sched.SchedulingParameters;
import java.io.IOException;
import java.util.BitSet;
import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.Nullable;

/**
 * Tells when a CPU was not to be had by anybody in a JVM that is measured. A thread of this driver, on that CPU and above
 * every level of the ladder, wakes twice a millisecond: when it is late, the CPU was taken by the hypervisor (steal), by the
 * kernel's real-time throttling, by interrupts, or by a real-time program of somebody else, and each of them would have
 * kept the CPU from the measured JVM as well. It takes about one per cent of the CPU, from all that are compared alike.
 * Real-time programs of others that stand below it and above the JVM's threads it does not see.
 */
final class Witness implements AutoCloseable {
    private static final int LEVEL = 29;
    private static final long PERIOD_NANOS = 500_000;
    /** What a wake-up may take on a virtual machine. */
    private static final long LATE_NANOS = 100_000;

    private final Thread thread;
    private final CountDownLatch begun = new CountDownLatch(1);
    /** From, to, from, to, …; room for all is taken at once, so that no collection comes in between. */
    private final long[] gaps;

    private int size;
    private long cpuNanos;
    private volatile boolean stopped;
    private volatile @Nullable RuntimeException refused;

    private Witness(int cpu, long limitSeconds) {
        gaps = new long[(int) (2 * limitSeconds * 1_000_000_000 / PERIOD_NANOS)];
        thread = Thread.ofPlatform().name("witness").daemon().unstarted(() -> watch(cpu));
    }

    /** Watches one CPU until it is stopped, or the limit is over. */
    static Witness start(int cpu, long limitSeconds) throws IOException, InterruptedException {
        Witness witness = new Witness(cpu, limitSeconds);
        witness.thread.start();
        witness.begun.await();
        RuntimeException refused = witness.refused;
        if (refused != null) {
            throw new IOException("the witness cannot stand at RR " + LEVEL + ": " + refused.getMessage(), refused);
        }
        return witness;
    }

    private void watch(int cpu) {
        try {
            BitSet one = new BitSet();
            one.set(cpu);
            Sched.setAffinity(0, one);
            LinuxThread.current().set(SchedulingParameters.roundRobin(LEVEL).withResetOnFork(true));
        } catch (RuntimeException e) {
            refused = e;
            return;
        } finally {
            begun.countDown();
        }
        long next = System.nanoTime() + PERIOD_NANOS;
        while (!stopped && size < gaps.length) {
            Clock.sleepUntil(next);
            long now = System.nanoTime();
            if (now - next > LATE_NANOS) {
                gaps[size++] = next;
                gaps[size++] = now;
            }
            next = Math.max(next + PERIOD_NANOS, now);
        }
        cpuNanos = LinuxThread.current().statistics().cpuNanos();
    }

    /** Ends watching; only then may be asked. */
    void stop() throws InterruptedException {
        stopped = true;
        thread.join();
    }

    @Override
    public void close() {
        stopped = true;
    }

    /** Nanoseconds for which the CPU was taken between two instants, in gaps of at least so many nanoseconds. */
    long taken(long from, long to, long shortest) {
        long sum = 0;
        for (int i = 0; i < size; i += 2) {
            if (gaps[i + 1] - gaps[i] >= shortest) {
                sum += Math.max(0, Math.min(to, gaps[i + 1]) - Math.max(from, gaps[i]));
            }
        }
        return sum;
    }

    long cpuNanos() {
        return cpuNanos;
    }
}
