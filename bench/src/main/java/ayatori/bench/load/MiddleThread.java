package ayatori.bench.load;

import ayatori.sched.LinuxThread;
import ayatori.sched.SchedulingParameters;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.SynchronousQueue;

/** A thread of middling importance, on the CPU of a server, that computes for a while when it is told to. */
final class MiddleThread {
    private static final int PRIORITY = 6;
    /** What the agent's ladder makes of that. */
    private static final int REAL_TIME = 12;

    private final long nanos;
    private final SynchronousQueue<FutureTask<Long>> tasks = new SynchronousQueue<>();
    private FutureTask<Long> task = new FutureTask<>(() -> 0L);
    private volatile boolean computes;

    /**
     * Starts it. The server should be on its CPU already.
     *
     * @param agent if the agent tells the kernel of priorities; else the thread does so for itself
     */
    MiddleThread(int cpu, long nanos, boolean agent) {
        this.nanos = nanos;
        Thread.ofPlatform().daemon().priority(PRIORITY).start(() -> {
            PinnedWork.moveTo(cpu);
            if (!agent) {
                LinuxThread.current().set(SchedulingParameters.roundRobin(REAL_TIME));
            }
            try {
                while (true) {
                    tasks.take().run();
                }
            } catch (InterruptedException e) {
                // the end
            }
        });
    }

    /** Has it compute; it does when this returns. */
    void begin() throws InterruptedException {
        computes = false;
        task = new FutureTask<>(() -> {
            long begin = System.nanoTime();
            computes = true;
            long used = PinnedWork.compute(nanos);
            return System.nanoTime() - begin - used;
        });
        tasks.put(task);
        while (!computes) {
            Thread.onSpinWait();
        }
    }

    /** Waits until it has computed; for how long it was kept from the CPU, nanoseconds. */
    long kept() throws InterruptedException, ExecutionException {
        return task.get();
    }
}
