package jpi.internal.engine;

import ayatori.internal.linux.KernelException;
import ayatori.internal.linux.Sched;
import java.util.BitSet;

/**
 * That a rank leaves its CPU to another rank which it shares it with, where there are as many CPUs as ranks: the kernel, which sees two
 * threads let each other go on again and again, may have them share one for seconds, and wakes who sleeps on the CPU of who wakes it. Such
 * a wait takes microseconds and not some hundred nanoseconds. By who tends the rank's mailbox.
 */
final class Migration {
    /** So often in a row what a rank waits for is there once it has let others go on, and it is asked whether they share a CPU. */
    private static final int SEEMS_SO = 32;
    /** So often then the CPU has to have gone on with another thread, or nearly: else that others had a CPU of their own. */
    private static final int TIMES = 16;
    /** So many ranks after each other do not come to it at the same time: they would leave together, and share the next. */
    private static final int AFTER_EACH_OTHER = 8;

    private final int asks;
    private long switches;

    /** Of a rank, by its number. */
    Migration(int rank, boolean crowded) {
        asks = crowded ? Integer.MAX_VALUE : SEEMS_SO + rank % AFTER_EACH_OTHER * TIMES;
    }

    /** What the calling thread waits for has been there so often in a row once it had let others go on. */
    void consider(int together) {
        try {
            if (together == asks) {
                switches = Sched.contextSwitches();
            } else if (together == asks + TIMES && Sched.contextSwitches() - switches > TIMES / 2) {
                leaveCpu();
            }
        } catch (KernelException e) {
            // A filter of system calls forbids it: the rank stays where it is, and only waits longer.
        }
    }

    /** It goes on on another CPU, if it may use one, and may use all that it might before: the kernel may move it again. */
    private static void leaveCpu() throws KernelException {
        BitSet allowed = Sched.getAffinity(0);
        BitSet others = (BitSet) allowed.clone();
        others.clear(Sched.currentCpu());
        if (!others.isEmpty() && Sched.setAffinity(0, others) == 0) {
            var _ = Sched.setAffinity(0, allowed);
        }
    }
}
