package ayatori.bench.load;

import ayatori.internal.linux.Errno;
import ayatori.internal.linux.Sched;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.BitSet;

/** Work of a known amount on a chosen CPU. */
public final class PinnedWork {
    private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

    private PinnedWork() {}

    /** The calling thread, and what it starts from now on, runs on one CPU. */
    public static void moveTo(int cpu) {
        BitSet one = new BitSet();
        one.set(cpu);
        moveTo(one);
    }

    /** The same, on any of some. */
    static void moveTo(BitSet cpus) {
        int result = Sched.setAffinity(0, cpus);
        if (result < 0) {
            throw new IllegalStateException("CPUs " + cpus + " for a thread: " + Errno.name(result));
        }
    }

    /** CPU time that the calling thread has used, nanoseconds. */
    public static long used() {
        return THREADS.getCurrentThreadCpuTime();
    }

    /** Uses so much CPU time, and tells how much it was; preemption does not count. */
    public static long compute(long nanos) {
        long begin = used();
        long used = 0;
        while (used < nanos) {
            used = used() - begin;
        }
        return used;
    }

    /** Looks at the clock until an instant of it has come. */
    public static void spinUntil(long instant) {
        while (System.nanoTime() - instant < 0) {
            Thread.onSpinWait();
        }
    }
}
