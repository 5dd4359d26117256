package jpi.internal.launch;

import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.ForkJoinWorkerThread;
import java.util.stream.Stream;

/** What the threads do that the program has started besides its ranks: they may have something to say yet. Virtual ones are not found. */
final class OtherThreads {
    /** Begin that may while threads are counted. */
    private static final int MORE_THREADS = 16;

    private static final String JPI_THREAD = "jpi-";
    /** Where the JDK's own are, besides the group at the top. Those of the common pool do what the program wants. */
    private static final Set<String> GROUPS_OF_JDK = Set.of("InnocuousThreadGroup", "CarrierThreads");
    /** How the names of those begin that record what happens: they sleep for a moment, and look again. */
    private static final String RECORDING = "JFR ";

    private static final String MAILBOX = "jpi.internal.engine.Mailbox";
    /** Methods of it that a thread is in while it sleeps; in the others it does something, be it for others. */
    private static final Set<String> SLEEPING = Set.of("sleepFor", "lendAndNap");

    private static final String PROCESS = "java.lang.ProcessImpl";
    /** Which is at work, whatever its end is waited for. */
    private static final Set<String> WAITING_FOR_A_PROCESS = Set.of("waitFor");

    private OtherThreads() {}

    /**
     * Those that do something else than to wait for messages, or, as idle ones of a pool do, until another thread wakes them. Without the
     * calling thread.
     *
     * @param ranks threads that are not asked for
     */
    static List<Thread> atWork(Set<Thread> ranks) {
        ThreadGroup top = top();
        Thread[] live = new Thread[top.activeCount() + MORE_THREADS];
        return Stream.of(live)
                .limit(top.enumerate(live))
                .filter(thread -> thread != Thread.currentThread() && !ranks.contains(thread))
                .filter(thread -> isOfTheProgram(thread, top) && isAtWork(thread))
                .toList();
    }

    /** There are several: what a virtual thread starts is in another one than what a rank does. */
    private static ThreadGroup top() {
        ThreadGroup group = Objects.requireNonNull(Thread.currentThread().getThreadGroup()); // this thread is alive
        for (ThreadGroup parent = group.getParent(); parent != null; parent = group.getParent()) {
            group = parent;
        }
        return group;
    }

    private static boolean isOfTheProgram(Thread thread, ThreadGroup top) {
        ThreadGroup group = thread.getThreadGroup();
        return group != null
                && group != top
                && !GROUPS_OF_JDK.contains(group.getName())
                && !thread.getName().startsWith(JPI_THREAD);
    }

    private static boolean isAtWork(Thread thread) {
        StackTraceElement[] stack = thread.getStackTrace();
        boolean isAwake = thread.getState() != Thread.State.WAITING || isIn(stack, PROCESS, WAITING_FOR_A_PROCESS);
        return isAwake && !isIdle(thread) && !isIn(stack, MAILBOX, SLEEPING);
    }

    /** Of a pool that has nothing to do one thread waits for a minute rather than for ever. */
    private static boolean isIdle(Thread thread) {
        if (!(thread instanceof ForkJoinWorkerThread worker)) {
            return thread.getState() == Thread.State.TIMED_WAITING
                    && thread.getName().startsWith(RECORDING);
        }
        ForkJoinPool pool = worker.getPool();
        return pool == null || pool.isQuiescent();
    }

    private static boolean isIn(StackTraceElement[] stack, String type, Set<String> methods) {
        return Stream.of(stack)
                .anyMatch(call -> call.getClassName().equals(type) && methods.contains(call.getMethodName()));
    }
}
