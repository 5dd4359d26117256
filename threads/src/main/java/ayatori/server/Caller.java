package ayatori.server;

import ayatori.internal.inheritance.Carrier;
import ayatori.internal.inheritance.Levels;
import ayatori.internal.linux.Sched;
import ayatori.sched.LinuxThread;
import ayatori.sched.SchedulingParameters;
import java.util.Arrays;
import java.util.concurrent.TimeUnit;

/** What a calling thread is to the kernel: its id, and if it has a priority that the kernel can lend. */
final class Caller {
    private static final ThreadLocal<Caller> CURRENT = ThreadLocal.withInitial(Caller::new);

    /** Another process may change a thread's policy (chrt) without its Java priority. */
    private static final long VALID_NANOS = TimeUnit.SECONDS.toNanos(1);

    private final int id = Sched.gettid();
    /** At each Java priority, as {@link SchedulingParameters#rank} has it; 0: not real-time. */
    private final int[] ranks = new int[Thread.MAX_PRIORITY + 1];

    private final long[] validUntil = new long[Thread.MAX_PRIORITY + 1];
    private int changes;

    private Caller() {
        Arrays.fill(validUntil, System.nanoTime());
    }

    /** Linux id of the calling thread, which must not be virtual. */
    static int id() {
        return CURRENT.get().id;
    }

    /**
     * If the kernel can lend the calling thread's priority to one that it waits for: it is real-time, or it is a server, which may
     * be lent a real-time priority itself at any moment.
     */
    static boolean lends() {
        if (Thread.currentThread().isVirtual()) {
            return false;
        }
        return Carrier.current() != null || rank() > 0;
    }

    /** What the calling thread, which must not be virtual, is to the kernel, see {@link SchedulingParameters#rank}; 0: not real-time. */
    static int rank() {
        return CURRENT.get().askRank();
    }

    private int askRank() {
        int priority = Thread.currentThread().getPriority();
        long now = System.nanoTime();
        int changesNow = Sched.policyChanges();
        if (changesNow != changes) {
            changes = changesNow;
            Arrays.fill(validUntil, now);
        }
        if (validUntil[priority] - now <= 0) {
            validUntil[priority] = now + VALID_NANOS;
            int own = LinuxThread.current().get().rank();
            ranks[priority] = own > Levels.MOST_ORDINARY ? own : 0;
        }
        return ranks[priority];
    }
}
