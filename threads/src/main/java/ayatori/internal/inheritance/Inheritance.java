package ayatori.internal.inheritance;

import ayatori.internal.linux.PiMutex;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Who is raised because a more important thread waits: the work that it waits for, the thread that does that work or, while
 * the work is in a queue, one that is to finish sooner; and so on along the chain, when that thread waits in its turn.
 *
 * <p>One lock for all pools and servers, since chains lead from one to the other. It inherits priority itself. Work for which
 * nobody more important waits never comes here: its loan and {@link Carrier#isRaised} are written before the state of the
 * other side is read, and the other side does it the other way round, so that one of the two sees the other.
 */
public final class Inheritance {
    /** Without the right to native calls the kernel is told of no priority either, and no lock can be the wrong one. */
    private static final @Nullable PiMutex INHERITING =
            Inheritance.class.getModule().isNativeAccessEnabled() ? new PiMutex() : null;

    private static final ReentrantLock PLAIN = new ReentrantLock();

    /** Looks, some microseconds. */
    private static final int BRIEFLY = 100;

    /** Who is pushed wakes those who wait for that. */
    private static final long LOOK_AGAIN_NANOS = TimeUnit.MILLISECONDS.toNanos(10);

    private Inheritance() {}

    /** That a thread waits for a piece of work, until it is closed. */
    public static final class Wait implements AutoCloseable {
        private final Loan loan;
        /** Null if the thread does nobody's work. */
        private final @Nullable Carrier waiter;
        /** The Java priority that the waiter lends; changes with what it is lent itself. */
        private int level;

        private Wait(Loan loan, @Nullable Carrier waiter, int level) {
            this.loan = loan;
            this.waiter = waiter;
            this.level = level;
        }

        /** The wait is over, whatever the reason. */
        @Override
        public void close() {
            locked(() -> {
                if (waiter != null) {
                    waiter.waiting = null;
                }
                loan.remove(level);
                spread(loan);
            });
        }
    }

    /** One to whom a wait is given from within the lock. */
    private static final class Begun {
        @Nullable
        Wait wait;
    }

    /** Runs a section in which who is raised changes; nothing that waits. A virtual thread, which cannot own the lock, has it run by another. */
    public static void locked(Runnable section) {
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
     * The calling thread is about to wait for a piece of work.
     *
     * @param priority the Java priority that the work was given
     * @param loan of the work; asked, and made if there is none yet, with the lock held
     * @return to be closed afterwards; null if the thread lends nothing
     */
    public static @Nullable Wait await(int priority, Supplier<Loan> loan) {
        Thread thread = Thread.currentThread();
        Carrier carrier = Carrier.current();
        // Who does another's work may be raised while it waits.
        if (thread.isVirtual() || (carrier == null && thread.getPriority() <= priority)) {
            return null;
        }
        Begun begun = new Begun();
        locked(() -> {
            int level = carrier == null ? thread.getPriority() : carrier.callingLevel();
            Wait wait = new Wait(loan.get(), carrier, level);
            if (carrier != null) {
                carrier.waiting = wait;
            }
            wait.loan.add(level);
            spread(wait.loan);
            begun.wait = wait;
        });
        return begun.wait;
    }

    /** Work waits in a queue because all who could do it are busy: the one that can finish soonest gets its priority. */
    public static void queued(Supplier<Loan> loan) {
        locked(() -> spread(loan.get()));
    }

    /**
     * A thread has said that it goes down, or has brought work that it does not do itself: who knew of a more important thread
     * may have relied on that one, and raised nobody for the work that waits.
     */
    public static void heedWaiting(Carrier carrier) {
        locked(() -> takeUp(carrier));
    }

    /**
     * A thread has work in hand that nobody else sees, for whatever priority, and may have lost its CPU: lends it the highest one
     * until it has come through. The caller sleeps for that: it may be more important than what it lends, and on the same CPU.
     *
     * @param isThrough for good: what the thread has in hand next is something else
     */
    public static void pushThrough(Carrier carrier, BooleanSupplier isThrough) {
        for (int i = 0; i < BRIEFLY && !isThrough.getAsBoolean(); i++) {
            Thread.onSpinWait(); // it need not have lost its CPU
        }
        if (isThrough.getAsBoolean()) {
            return;
        }
        Thread pusher = Thread.currentThread();
        locked(() -> {
            if (!isThrough.getAsBoolean()) { // else it has looked already if it was pushed
                carrier.pushers.add(pusher);
                carrier.pushed = true;
                carrier.push = carrier.levels().lend(carrier.linuxThread(), carrier.push, Thread.MAX_PRIORITY);
            }
        });
        uninterruptibly(() -> {
            while (!isThrough.getAsBoolean()) {
                LockSupport.parkNanos(carrier, LOOK_AGAIN_NANOS);
                if (Thread.interrupted()) { // or it would sleep no more
                    throw new InterruptedException("while " + carrier.thread() + " was pushed through");
                }
            }
        });
        // It may not have seen that it was pushed.
        locked(() -> {
            if (carrier.pushers.remove(pusher) && carrier.pushers.isEmpty()) {
                endPush(carrier);
            }
        });
    }

    /** A thread has come through: it is not to do its work as high as it was pushed until who did that has its CPU again. */
    public static void cameThrough(Carrier carrier) {
        if (carrier.pushed) {
            locked(() -> {
                carrier.pushers.forEach(LockSupport::unpark);
                carrier.pushers.clear();
                endPush(carrier);
            });
        }
    }

    private static void endPush(Carrier carrier) {
        carrier.pushed = false;
        carrier.push = carrier.levels().lend(carrier.linuxThread(), carrier.push, 0);
    }

    /** A thread has taken work for which somebody waits, or because of which another thread is raised. */
    public static void begun(Loan loan) {
        locked(() -> spread(loan)); // raises this one before it lets go of the other
    }

    /** The work waits in another queue now. */
    public static void moved(Loan loan) {
        locked(() -> {
            loan.forgetQueue();
            loan.raise(loan.level());
            spread(loan);
        });
    }

    /** Work is over, or has been put off, for which the thread was raised; it may be at other work already. */
    public static void ended(Carrier carrier, @Nullable Loan loan) {
        locked(() -> {
            if (carrier.awaited == loan) {
                carrier.awaited = null;
                carrier.markRaised(false);
                refresh(carrier);
            }
        });
    }

    /** The thread works no more; what it was raised for raises another one, if there is one. */
    public static void left(Carrier carrier) {
        locked(() -> {
            carrier.awaited = null;
            carrier.markRaised(false);
            for (Loan loan : List.copyOf(carrier.helped)) {
                dropHelper(loan);
                spread(loan);
            }
            refresh(carrier);
        });
    }

    /** The thread runs, and its id is known from now on. */
    public static void registered(Carrier carrier) {
        locked(() -> carrier.due = carrier.levels().lend(carrier.linuxThread(), carrier.due, carrier.lent));
    }

    /** The work will not be done: it was in the queue and has been withdrawn. */
    public static void withdrawn(@Nullable Loan loan) {
        if (loan != null) {
            locked(() -> dropHelper(loan));
        }
    }

    /**
     * Of some threads that work at less than a level the one that can finish soonest: one that is not raised for other work in
     * the queue before one that is, one that is not blocked before one that is, then the most important, which gets a CPU
     * soonest, then the one that began first. Null if there is none.
     */
    public static <C extends Carrier> @Nullable C soonestBelow(int level, Iterable<C> carriers) {
        C soonest = null;
        boolean soonestRuns = false;
        for (C carrier : carriers) {
            if (carrier.level() >= level) {
                continue;
            }
            boolean runs = carrier.thread().getState() == Thread.State.RUNNABLE;
            if (soonest == null || isSooner(carrier, runs, soonest, soonestRuns)) {
                soonest = carrier;
                soonestRuns = runs;
            }
        }
        return soonest;
    }

    private static boolean isSooner(Carrier carrier, boolean runs, Carrier other, boolean otherRuns) {
        if (carrier.helps() != other.helps()) {
            return other.helps();
        }
        if (runs != otherRuns) {
            return runs;
        }
        return carrier.level() == other.level() ? carrier.began() < other.began() : carrier.level() > other.level();
    }

    /** Something that ends by itself, or by an interrupt. */
    @FunctionalInterface
    public interface Sleep {
        /** Sleeps. */
        void run() throws InterruptedException;
    }

    /** Waits for a thread's end; an interrupt is for afterwards. */
    public static void joinUninterruptibly(Thread thread) {
        uninterruptibly(thread::join);
    }

    /** Waits for a latch; an interrupt is for afterwards. */
    public static void awaitUninterruptibly(CountDownLatch latch) {
        uninterruptibly(latch::await);
    }

    /** Sleeps, again if need be; an interrupt is for afterwards. */
    public static void uninterruptibly(Sleep sleep) {
        boolean interrupted = false;
        while (true) {
            try {
                sleep.run();
                break;
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    /** Brings up to date what the work is lent, and what follows from it. */
    private static void spread(Loan loan) {
        int before = loan.level();
        int due = loan.due();
        if (due < before && loan.waits()) {
            loan.raise(due); // before it falls: a worker that finds it where it was a moment later looks on below
        }
        loan.setLevel(due);
        Carrier carrier = loan.carrier();
        if (carrier != null) {
            spreadToCarrier(loan, carrier);
        } else if (loan.waits()) {
            if (due > before) { // after it has risen: who finds it there may ask at once if it belongs there
                loan.raise(due);
            }
            spreadToHelper(loan);
        }
        if (!loan.waits()) {
            dropHelper(loan);
        }
    }

    private static void spreadToCarrier(Loan loan, Carrier carrier) {
        carrier.awaited = loan;
        carrier.markRaised(true);
        if (loan.isDone() || loan.carrier() != carrier) {
            carrier.awaited = null; // the work ended meanwhile, and who did it may not have seen the sign
            carrier.markRaised(false);
        }
        refresh(carrier);
    }

    private static void spreadToHelper(Loan loan) {
        if (loan.helper == null) {
            Carrier helper = loan.soonestBelow(loan.level());
            if (helper == null) {
                return;
            }
            loan.helper = helper;
            helper.helped.add(loan);
        }
        refresh(loan.helper);
    }

    private static void dropHelper(Loan loan) {
        Carrier helper = loan.helper;
        if (helper != null) {
            loan.helper = null;
            helper.helped.remove(loan);
            refresh(helper);
        }
    }

    /** Raises a thread, perhaps this one, for each piece of work that waits above one and has raised none. */
    private static void takeUp(Carrier carrier) {
        Loan loan = carrier.unheeded();
        while (loan != null) {
            spread(loan);
            // Taken meanwhile, or nobody works below it: nor does anybody below the next, which is less important.
            loan = loan.helper != null || !loan.waits() ? carrier.unheeded() : null;
        }
    }

    /** Lends a thread the highest of what its causes ask for, and hands it on to what the thread waits for. */
    private static void refresh(Carrier carrier) {
        int lent = carrier.awaited == null ? 0 : carrier.awaited.priority();
        for (Loan loan : carrier.helped) {
            lent = Math.max(lent, loan.level());
        }
        int before = carrier.lent;
        if (lent == before) {
            return;
        }
        carrier.lent = lent;
        if (lent < before) {
            takeUp(carrier); // now that all can see it, and before the kernel hears of it and may take the CPU away
            if (carrier.lent != lent) {
                return; // it is raised for something else, and the kernel has been told
            }
        }
        carrier.due = carrier.levels().lend(carrier.linuxThread(), carrier.due, lent);
        carrier.lent(before, lent);
        Wait wait = carrier.waiting;
        if (wait != null && wait.level != carrier.callingLevel()) {
            wait.loan.remove(wait.level);
            wait.level = carrier.callingLevel();
            wait.loan.add(wait.level);
            spread(wait.loan);
        }
    }
}
