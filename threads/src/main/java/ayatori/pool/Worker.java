package ayatori.pool;

import ayatori.internal.inheritance.Carrier;
import ayatori.internal.inheritance.Inheritance;
import ayatori.internal.inheritance.Levels;
import ayatori.internal.inheritance.Loan;
import ayatori.sched.LinuxThread;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/** A thread of a pool: runs what it is handed, then what waits in the queue, and falls asleep when there is nothing. */
final class Worker extends Carrier implements Runnable {
    /** Handed to a sleeper in place of a task: look into the queue, or whether the pool ends. */
    private static final Object LOOK = new Object();

    private final ReusableThreadPool pool;
    private final Thread thread;
    // The pool's, at hand: a task takes no longer than the way to them.
    private final TaskQueue queue;
    private final boolean inForce;
    private final @Nullable ThreadLocals threadLocals;
    private final AtomicBoolean started = new AtomicBoolean();
    /** Begins to run when this one has nothing to do: the initial threads start one after another, beside the first tasks. */
    private @Nullable Worker successor;
    /** What wakes it: a task, or LOOK. */
    private volatile @Nullable Object handed;

    private volatile boolean parked;
    /** If the rule knows already that it falls asleep. Used by itself only. */
    boolean counted;
    /** Tasks. Written by itself only, so without the cost of a volatile write. */
    private final AtomicLong completed = new AtomicLong();

    /** Where it looks for tasks. Used by itself only. */
    final Turn turn = new Turn();

    Worker(ReusableThreadPool pool, ThreadFactory factory) {
        this.pool = pool;
        queue = pool.queue();
        inForce = pool.levels().inForce();
        threadLocals = pool.threadLocals();
        Thread made = factory.newThread(this);
        if (made == null) {
            throw new RejectedExecutionException("the thread factory of " + pool.name() + " made no thread");
        }
        if (made.isVirtual()) {
            throw new IllegalStateException(
                    "the thread factory of " + pool.name()
                            + " makes virtual threads: they have no priority, and are not worth keeping; start one for each task");
        }
        this.thread = made;
    }

    ReusableThreadPool pool() {
        return pool;
    }

    @Override
    public Thread thread() {
        return thread;
    }

    @Override
    protected Levels levels() {
        return pool.levels();
    }

    @Override
    protected @Nullable Loan unheeded() {
        return pool.unheeded();
    }

    @Override
    protected void lent(int before, int now) {
        pool.tally().raised(this, now);
    }

    long completed() {
        return completed.getOpaque();
    }

    /** For the worker itself, when it ends: how many tasks it has completed, which from now on somebody else counts. */
    long handOverCompleted() {
        long tasks = completed.getPlain();
        completed.setOpaque(0);
        return tasks;
    }

    void follow(Worker next) {
        successor = next;
    }

    /** Starts its thread, unless that has been started. */
    void start() {
        if (started.compareAndSet(false, true)) {
            try {
                thread.start();
            } catch (Throwable t) {
                started.set(false);
                throw t;
            }
        }
    }

    /** Gives up a thread that has never been started; false if it has. */
    boolean giveUp() {
        return started.compareAndSet(false, true);
    }

    /** Wakes the sleeper, or starts the thread, for a task; the caller has taken it off the stack. */
    void hand(TaskFuture<?> task) {
        if (task.claim(this)) {
            assume(task.priority()); // before it wakes: at the old level it might not get a CPU to change it
            wake(task);
        } else {
            wake(LOOK);
        }
    }

    /** Wakes the sleeper to look for itself. */
    void look() {
        wake(LOOK);
    }

    private void wake(Object what) {
        handed = what;
        if (parked) {
            LockSupport.unpark(thread);
        } else if (!started.get()) {
            start();
        }
    }

    @Override
    public void run() {
        enter();
        if (inForce) {
            linuxThread(LinuxThread.current());
            if (priority() != 0) {
                levels().take(thread, linuxThread(), priority()); // who hands it a task may be setting it now
            }
            Inheritance.registered(this);
        }
        try {
            do {
                Object next = awaitWork();
                serve(next instanceof TaskFuture<?> given ? given : pool.take(this));
            } while (pool.fallAsleep(this));
        } finally {
            leave();
        }
    }

    /** Runs a task that it has claimed, if there is one, and then what waits. Not in run(), which the JIT meets but once. */
    private void serve(@Nullable TaskFuture<?> first) {
        TaskFuture<?> task = first;
        while (task != null) {
            work(task);
            task = queue.poll(this);
            if (task == null) {
                task = pool.look(this);
            }
        }
    }

    /** Runs a task that it has claimed. */
    private void work(TaskFuture<?> task) {
        if (inForce && announceFall(task.priority()) && queue.firstAbove(task.priority(), higher -> true) != null) {
            Inheritance.heedWaiting(this); // who has brought it relied on this worker's level
        }
        changeTo(task.priority(), task.priority(), task.loan());
        if (inForce) {
            markBegun();
        }
        // An interrupt that was meant for an earlier task, or for nobody, is cleared; asked again because that may have
        // been the one of a shutdownNow that came in between.
        if (pool.isStopping() || (Thread.interrupted() && pool.isStopping())) {
            thread.interrupt();
        }
        task.runAs(this);
        completed.setOpaque(completed.getPlain() + 1);
        if (isRaised()) {
            Inheritance.ended(this, task.loan());
        }
        if (threadLocals != null) {
            threadLocals.clear(thread);
            enter();
        }
    }

    private Object takeHanded() {
        Object what = handed;
        handed = null;
        return what == null ? LOOK : what;
    }

    /** Waits among the sleepers until somebody hands it something. */
    private Object awaitWork() {
        if (handed == null) {
            Worker next = successor;
            if (next != null) {
                successor = null;
                try {
                    next.start();
                } catch (Throwable t) {
                    // It stays among the sleepers. Who wakes it tries again, and is told.
                }
            }
            park();
        }
        return takeHanded();
    }

    private void park() {
        PoolEvents.ThreadSleep event = new PoolEvents.ThreadSleep();
        event.begin();
        parked = true;
        while (handed == null) {
            LockSupport.park(pool);
            // With the interrupt status set park would return at once for ever; there is no task that it is meant for.
            var unused = Thread.interrupted();
        }
        parked = false;
        if (event.shouldCommit()) {
            event.pool = pool.name();
            event.commit();
        }
    }
}
