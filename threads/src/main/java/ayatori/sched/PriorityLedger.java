package ayatori.sched;

import ayatori.internal.linux.AgentLibrary;
import ayatori.internal.linux.Errno;
import ayatori.internal.linux.Sched;
import java.util.OptionalInt;
import java.util.concurrent.atomic.AtomicLong;

/**
 * One ledger for each thread of this process: its own level, and the levels that it is owed at the moment. The thread runs at
 * the highest of them. Whoever raises or lowers a thread goes through here, so that two causes never undo each other: the
 * one that ends first takes away its due, not the other's.
 *
 * <pre>{@code
 * try (var due = PriorityLedger.ofThisProcess().owe(owner, SchedulingParameters.roundRobin(15).rank())) {
 *     lock.lock();   // the owner runs at RR 15 or higher until it lets go
 * }
 * }</pre>
 *
 * <p>When libayatori.so is an agent of the process, it keeps the ledger, since it has causes of its own (monitors,
 * safepoints); else this class does. Which of the two is decided at the first use: an agent that is attached later is not
 * seen. Priorities that the kernel lends through futexes need no entry: it takes the maximum itself.
 *
 * <p>What a thread starts while it is owed a level does not inherit the loan: see
 * {@link SchedulingParameters#resetOnFork}, which Linux lets an unprivileged process set but not take back.
 *
 * <p>Thread-safe. Raising needs the same permission as {@link LinuxThread#set}.
 */
public final class PriorityLedger {
    /** The library's creditors have the top bit set; those of the agent have not. */
    private static final long LIBRARY_CREDITORS = Long.MIN_VALUE;

    private static final AtomicLong CREDITORS = new AtomicLong(LIBRARY_CREDITORS);

    private final LedgerKeeper keeper;

    PriorityLedger(LedgerKeeper keeper) {
        this.keeper = keeper;
    }

    private static final class OfThisProcess {
        static final PriorityLedger LEDGER = new PriorityLedger(
                AgentLibrary.loaded().<LedgerKeeper>map(AgentKeeper::new).orElseGet(KernelKeeper::new));
    }

    /**
     * The ledger.
     *
     * @throws IllegalStateException if an agent is loaded whose ledger this library cannot use
     */
    public static PriorityLedger ofThisProcess() {
        return OfThisProcess.LEDGER;
    }

    /** If the agent keeps the ledger. */
    public boolean isKeptByAgent() {
        return keeper instanceof AgentKeeper;
    }

    /**
     * Owes a thread a level until the due is closed.
     *
     * @param thread a thread of this process
     * @param rank 1 to 40 or 101 to 199, see {@link SchedulingParameters#rank}; below the thread's own it has no effect now,
     *     but has one if the own level falls
     * @throws SchedulingException if the thread cannot be raised; nothing is owed then
     */
    public Due owe(LinuxThread thread, int rank) {
        requireOwn(thread);
        Due due = new Due(thread, CREDITORS.getAndIncrement());
        due.change(rank);
        return due;
    }

    /**
     * Changes a thread's own level: at once, or, while it is owed a higher one, when that ends.
     *
     * @param thread a thread of this process
     * @throws SchedulingException if the kernel refuses
     */
    public void setOwn(LinuxThread thread, SchedulingParameters own) {
        requireOwn(thread);
        int result = keeper.setOwn(thread, own);
        Sched.policyChanged();
        if (result < 0) {
            throw SchedulingException.refused(thread, own, -result);
        }
    }

    /**
     * The rank that the thread should have now: the highest of its own level and its dues.
     *
     * @throws SchedulingException if the thread has ended, or the agent does not list it
     */
    public int rank(LinuxThread thread) {
        requireOwn(thread);
        int rank = keeper.rank(thread);
        if (rank < 0) {
            throw SchedulingException.refused(thread, thread.get(), -rank);
        }
        return rank;
    }

    /**
     * The rank to owe to a thread for which one of this Java priority waits: just below where the agent puts that priority, by
     * the policy that is in force now. Without an agent ask {@link PriorityLadder#inheritedFrom}.
     *
     * @param javaPriority 1 to 10
     * @return empty if Java priorities mean nothing here: no agent keeps the ledger, or its policy is {@code none}
     */
    public OptionalInt rankLentBy(int javaPriority) {
        int rank = keeper.lentRank(javaPriority);
        return rank > 0 ? OptionalInt.of(rank) : OptionalInt.empty();
    }

    private static void requireOwn(LinuxThread thread) {
        if (!thread.isOfThisProcess()) {
            throw new IllegalArgumentException(thread + " belongs to process " + thread.processId()
                    + ": a ledger is for threads of its own process; set others by LinuxThread.set");
        }
    }

    /**
     * A level that a thread is owed. Any thread may change or close it; closing it again does nothing. A due of a thread
     * that has ended is dropped.
     */
    public final class Due implements AutoCloseable {
        private final LinuxThread thread;
        private final long creditor;
        /** 0: nothing is owed yet. */
        private int rank;

        private boolean closed;

        private Due(LinuxThread thread, long creditor) {
            this.thread = thread;
            this.creditor = creditor;
        }

        /** The thread that is owed the level. */
        public LinuxThread thread() {
            return thread;
        }

        /**
         * Owes another level in place of the one before, without a moment in between at which nothing is owed.
         *
         * @param newRank as in {@link PriorityLedger#owe}
         * @throws SchedulingException if the thread cannot be raised; the level before is still owed
         * @throws IllegalStateException if the due is closed
         */
        public synchronized void change(int newRank) {
            if (closed) {
                throw new IllegalStateException("the due of " + thread + " is closed: owe it a new one");
            }
            SchedulingParameters.requireRank(newRank);
            int result = keeper.owe(thread, newRank, creditor);
            if (result < 0) {
                // The agent keeps a due that the kernel has refused: put it back to what it was.
                var unused = rank == 0 ? keeper.settle(thread, creditor) : keeper.owe(thread, rank, creditor);
                throw SchedulingException.refused(
                        thread, SchedulingParameters.ofRank(newRank, SchedulingPolicy.RR), -result);
            }
            rank = newRank;
        }

        /**
         * Takes the level back: the thread goes to the highest of what remains.
         *
         * @throws SchedulingException if the kernel refuses to lower the thread
         */
        @Override
        public synchronized void close() {
            if (closed) {
                return;
            }
            closed = true;
            int result = keeper.settle(thread, creditor);
            if (result < 0 && result != -Errno.ENOENT && result != -Errno.ESRCH) {
                throw SchedulingException.refused(thread, thread.get(), -result);
            }
        }
    }
}
