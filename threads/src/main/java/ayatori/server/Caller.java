package ayatori.server;

import ayatori.internal.inheritance.Carrier;
import ayatori.internal.linux.KernelException;
import ayatori.internal.linux.Sched;
import java.util.concurrent.TimeUnit;

/** What a calling thread is to the kernel: its id, and if it has a priority that the kernel can lend. */
final class Caller {
    private static final ThreadLocal<Caller> CURRENT = ThreadLocal.withInitial(Caller::new);

    /** Somebody else may change a thread's policy (chrt) without its Java priority. */
    private static final long VALID_NANOS = TimeUnit.MILLISECONDS.toNanos(10);

    private final int id = Sched.gettid();
    private int priority;
    private boolean realTime;
    private long asked;

    private Caller() {}

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
        return Carrier.current() != null || CURRENT.get().isRealTime();
    }

    private boolean isRealTime() {
        int now = Thread.currentThread().getPriority();
        if (now != priority || System.nanoTime() - asked > VALID_NANOS) {
            priority = now;
            asked = System.nanoTime();
            try {
                int policy = Sched.getAttributes(0).policy();
                realTime = policy == Sched.FIFO || policy == Sched.RR || policy == Sched.DEADLINE;
            } catch (KernelException e) {
                throw new AssertionError("a thread can always ask for itself", e);
            }
        }
        return realTime;
    }
}
