package ayatori.internal.inheritance;

import ayatori.sched.LinuxThread;
import ayatori.sched.PriorityLedger;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A thread that does the work of others, a pool's or a server's, and is raised when a more important thread waits for that. */
public abstract class Carrier {
    private static final ThreadLocal<@Nullable Carrier> CURRENT = new ThreadLocal<>();

    /** What it has taken on itself. Written by itself, and while it sleeps by who wakes it. */
    private volatile int priority;

    /** The Java priority of its work; 0: it takes on none. */
    private volatile int work;

    private volatile long began;
    private volatile @Nullable LinuxThread linuxThread;

    /** Set by others when {@link Inheritance} has to be told that the work has ended. */
    private volatile boolean raised;

    // Guarded by Inheritance.

    /** What more important threads lend to the work that it does, if one waits for that. */
    @Nullable
    Loan awaited;
    /** Work in the queue because of which it is raised. */
    final List<Loan> helped = new ArrayList<>(0);
    /** What its work waits for. */
    Inheritance.@Nullable Wait waiting;
    /**
     * The Java priority that it is lent; 0: none. Read without the lock too: who brings work looks at it afterwards, and who lowers
     * it looks for work afterwards, so that one of the two sees the other.
     */
    volatile int lent;

    PriorityLedger.@Nullable Due due;
    /** Who waits for it to come through. */
    final List<Thread> pushers = new ArrayList<>(0);
    /** What they lend it. */
    PriorityLedger.@Nullable Due push;
    /** If there are any. Read without the lock too, by the one that comes through. */
    volatile boolean pushed;

    /** For the classes of threads. */
    protected Carrier() {}

    /** Who the calling thread is; null if it does nobody's work. */
    public static @Nullable Carrier current() {
        return CURRENT.get();
    }

    /** From now on the calling thread is this one. */
    protected final void enter() {
        CURRENT.set(this);
    }

    /** The calling thread is none any more. */
    protected final void leave() {
        CURRENT.remove();
    }

    /** The Java priority that it has, of its own or lent by this library; what the kernel lends it may be taken back unseen. */
    public final int level() {
        return Math.max(priority(), lent);
    }

    /** The Java priority at which it asks others for something, that of its work; of one that takes on none that of its thread. */
    public final int callingLevel() {
        return Math.max(work > 0 ? work : thread().getPriority(), lent);
    }

    /** If {@link Inheritance#ended} is to be called when its work is over. */
    public final boolean isRaised() {
        return raised;
    }

    final void markRaised(boolean newRaised) {
        raised = newRaised;
    }

    /** If it is raised for the sake of work in the queue. */
    public final boolean helps() {
        return !helped.isEmpty();
    }

    /**
     * Goes over to work that it has taken, never lower in between than it is to be: it may have been lent something as long as
     * that work waited, and the work may be lent something.
     *
     * @param own Java priority that it takes on
     * @param newWork that of the work
     * @param loan of the work, asked after that was taken
     */
    protected final void changeTo(int own, int newWork, @Nullable Loan loan) {
        work = newWork;
        if (loan == null) {
            assume(own);
        } else if (own >= thread().getPriority()) {
            assume(own);
            Inheritance.begun(loan);
        } else {
            Inheritance.begun(loan);
            assume(own);
        }
    }

    /**
     * The same for work for which the kernel lends the thread its priority: the thread's own is to be no higher than that.
     *
     * @param newWork Java priority of the work
     */
    protected final void changeToLent(int newWork, @Nullable Loan loan) {
        work = newWork;
        if (thread().getPriority() > newWork) {
            take(newWork);
        }
        if (loan != null) {
            Inheritance.begun(loan);
        }
    }

    /**
     * Says that it is about to go down, before the kernel hears of it: who brings more important work from now on must see that
     * it is to be raised. Whether somebody has brought such work before is to be looked at afterwards.
     *
     * @return if it does go down
     */
    protected final boolean announceFall(int newPriority) {
        boolean falls = newPriority < priority;
        if (falls) {
            priority = newPriority;
        }
        return falls;
    }

    /** Takes on a Java priority, unless it has that: by itself, or, while it sleeps, by who wakes it. */
    public final void assume(int newPriority) {
        // Its work may have called setPriority.
        if (newPriority != priority || thread().getPriority() != newPriority) {
            take(newPriority);
        }
    }

    /** The same, also where it has that by Java's account, while the kernel may not have been told. */
    protected final void take(int newPriority) {
        var _ = announceFall(newPriority); // it may lose its CPU as soon as the kernel knows
        levels().take(thread(), linuxThread, newPriority);
        priority = newPriority;
    }

    /** The Java priority that it has taken on; 0: none yet. */
    public final int priority() {
        return priority;
    }

    /** When it began that, nanoTime. */
    final long began() {
        return began;
    }

    /** It begins that now. */
    protected final void markBegun() {
        began = System.nanoTime();
    }

    /** The thread, once its id is known. */
    protected final @Nullable LinuxThread linuxThread() {
        return linuxThread;
    }

    /** Its id is known from now on. */
    protected final void linuxThread(@Nullable LinuxThread known) {
        linuxThread = known;
    }

    /** The thread. */
    public abstract Thread thread();

    /**
     * The most important work that waits for this one or one like it, for which no thread is raised and one could be: its loan, made
     * if need be. Null if there is none, or, as here, no work ever waits for any of several threads. Called with the lock held.
     */
    protected @Nullable Loan unheeded() {
        return null;
    }

    /** What priorities mean to it. */
    protected abstract Levels levels();

    /**
     * It has been lent something, or no longer is. Called with the lock held: to be counted, not to wait.
     *
     * @param before Java priority; 0: nothing
     * @param now the same; 0: nothing any more
     */
    protected abstract void lent(int before, int now);
}
