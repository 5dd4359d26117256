package ayatori.pool;

import ayatori.internal.linux.PiMutex;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Who is raised because a more important thread waits: the task that it waits for, the worker that runs that task or, while
 * the task is in the queue, one that is to finish sooner; and so on along the chain, when a worker waits in its turn.
 *
 * <p>One lock for all pools, since chains lead from pool to pool. It inherits priority itself. Tasks for which nobody
 * more important waits never come here: {@link TaskFuture#loan} and {@link Worker#raised} are written before the state of
 * the other side is read, and the other side does it the other way round, so that one of the two sees the other.
 */
final class Inheritance {
    /** Without the right to native calls the kernel is told of no priority either, and no lock can be the wrong one. */
    private static final @Nullable PiMutex INHERITING =
            Inheritance.class.getModule().isNativeAccessEnabled() ? new PiMutex() : null;

    private static final ReentrantLock PLAIN = new ReentrantLock();

    private Inheritance() {}

    /** That a thread waits for a task. */
    static final class Wait {
        final TaskFuture<?> task;
        /** Null if the thread is of no pool. */
        final @Nullable Worker waiter;
        /** The Java priority that the waiter lends; changes with what it is lent itself. */
        int level;

        Wait(TaskFuture<?> task, @Nullable Worker waiter) {
            this.task = task;
            this.waiter = waiter;
        }
    }

    /** Runs a section in which who is raised changes. A virtual thread, which cannot own the lock, has it run by another. */
    private static void locked(Runnable section) {
        if (Thread.currentThread().isVirtual()) {
            joinUninterruptibly(Thread.ofPlatform().start(() -> locked(section)));
        } else if (INHERITING != null) {
            INHERITING.lock();
            try {
                section.run();
            } finally {
                INHERITING.unlock();
            }
        } else {
            PLAIN.lock();
            try {
                section.run();
            } finally {
                PLAIN.unlock();
            }
        }
    }

    /**
     * The calling thread is about to wait for a task.
     *
     * @return to be given to {@link #end}; null if the thread lends nothing
     */
    static @Nullable Wait await(TaskFuture<?> task) {
        Thread thread = Thread.currentThread();
        Worker worker = Worker.current();
        // A worker may be raised while it waits.
        if (thread.isVirtual() || (worker == null && thread.getPriority() <= task.priority())) {
            return null;
        }
        Wait wait = new Wait(task, worker);
        locked(() -> {
            wait.level = worker == null ? thread.getPriority() : worker.level();
            if (worker != null) {
                worker.waiting = wait;
            }
            loan(task).waiters[wait.level]++;
            spread(task);
        });
        return wait;
    }

    /** The wait is over, whatever the reason. */
    static void end(@Nullable Wait wait) {
        if (wait == null) {
            return;
        }
        locked(() -> {
            if (wait.waiter != null) {
                wait.waiter.waiting = null;
            }
            loan(wait.task).waiters[wait.level]--;
            spread(wait.task);
        });
    }

    /** A task has been put into the queue because all workers are busy: the one that can finish soonest gets its priority. */
    static void queued(TaskFuture<?> task) {
        locked(() -> spread(task));
    }

    /** The worker has claimed a task for which somebody waits, or because of which another worker is raised. */
    static void begun(Worker worker, TaskFuture<?> task) {
        locked(() -> spread(task)); // raises this one before it lets go of the other
    }

    /** The worker's task is over. */
    static void ended(Worker worker) {
        locked(() -> {
            worker.awaited = null;
            worker.raised = false;
            refresh(worker);
        });
    }

    /** The worker's thread runs, and its id is known from now on. */
    static void registered(Worker worker) {
        locked(() -> worker.due = worker.pool().levels().lend(worker.linuxThread(), worker.due, worker.lent));
    }

    /** A task will not be run: it was in the queue and has been withdrawn. */
    static void withdrawn(TaskFuture<?> task) {
        if (task.loan != null) {
            locked(() -> dropHelper(task));
        }
    }

    private static void joinUninterruptibly(Thread thread) {
        boolean interrupted = false;
        while (true) {
            try {
                thread.join();
                break;
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    private static TaskFuture.Loan loan(TaskFuture<?> task) {
        TaskFuture.Loan loan = task.loan;
        if (loan == null) {
            loan = new TaskFuture.Loan();
            task.loan = loan;
        }
        return loan;
    }

    /** Brings up to date what the task is lent, and what follows from it. */
    private static void spread(TaskFuture<?> task) {
        TaskFuture.Loan loan = loan(task);
        int before = task.level();
        int highest = Thread.MAX_PRIORITY;
        while (highest > 0 && loan.waiters[highest] == 0) {
            highest--;
        }
        loan.priority = highest > task.priority() ? highest : 0;
        Worker worker = task.worker();
        if (worker != null) {
            spreadToRunner(task, worker);
        } else if (task.waits()) {
            if (task.level() > before) {
                task.pool().queue().raise(task, task.level());
            }
            spreadToHelper(task, loan);
        }
        if (!task.waits()) {
            dropHelper(task);
        }
    }

    private static void spreadToRunner(TaskFuture<?> task, Worker worker) {
        worker.awaited = task;
        worker.raised = true;
        if (task.isDone() || task.worker() != worker) {
            worker.awaited = null; // the task ended meanwhile, and its worker may not have seen the sign
            worker.raised = false;
        }
        refresh(worker);
    }

    private static void spreadToHelper(TaskFuture<?> task, TaskFuture.Loan loan) {
        if (loan.helper == null) {
            Worker helper = task.pool().soonestBelow(task.level());
            if (helper == null) {
                return;
            }
            loan.helper = helper;
            helper.helped.add(task);
        }
        refresh(loan.helper);
    }

    private static void dropHelper(TaskFuture<?> task) {
        TaskFuture.Loan loan = loan(task);
        Worker helper = loan.helper;
        if (helper != null) {
            loan.helper = null;
            helper.helped.remove(task);
            refresh(helper);
        }
    }

    /** Lends a worker the highest of what its causes ask for, and hands it on to what the worker waits for. */
    private static void refresh(Worker worker) {
        int lent = 0;
        if (worker.awaited != null && worker.awaited.loan != null) {
            lent = worker.awaited.loan.priority;
        }
        for (TaskFuture<?> task : worker.helped) {
            lent = Math.max(lent, task.level());
        }
        if (lent == worker.lent) {
            return;
        }
        worker.lent = lent;
        worker.due = worker.pool().levels().lend(worker.linuxThread(), worker.due, lent);
        worker.pool().tally().raised(worker, lent);
        Wait wait = worker.waiting;
        if (wait != null && wait.level != worker.level()) {
            TaskFuture.Loan loan = loan(wait.task);
            loan.waiters[wait.level]--;
            wait.level = worker.level();
            loan.waiters[wait.level]++;
            spread(wait.task);
        }
    }
}
