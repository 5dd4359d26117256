package ayatori.internal.inheritance;

import ayatori.sched.LinuxThread;
import ayatori.sched.PriorityLadder;
import ayatori.sched.PriorityLedger;
import ayatori.sched.SchedulingException;
import ayatori.sched.SchedulingParameters;
import java.util.OptionalInt;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * What Java priorities mean to the kernel in this process: what the agent says if there is one, else what a ladder says,
 * else nothing. Thread-safe. What the kernel refuses is logged once and does not disturb the work.
 */
public final class Levels {
    /** {@link SchedulingParameters#rank} of the most important thread that is not real-time. */
    public static final int MOST_ORDINARY =
            SchedulingParameters.other(SchedulingParameters.MIN_NICE).rank();

    private static final System.Logger LOG = System.getLogger("ayatori.priorities");

    /** Empty if the agent does it, or nobody. */
    private final @Nullable PriorityLadder ladder;

    private final @Nullable PriorityLedger ledger;
    /** Whose they are, for the log. */
    private final String owner;

    private final AtomicBoolean refused = new AtomicBoolean();

    private Levels(String owner, @Nullable PriorityLadder ladder, @Nullable PriorityLedger ledger) {
        this.owner = owner;
        this.ladder = ladder;
        this.ledger = ledger;
    }

    /**
     * Levels.
     *
     * @param owner whose, in words: "pool reports"
     * @param ladder counts where no agent keeps the ledger; null: none
     */
    public static Levels of(String owner, @Nullable PriorityLadder ladder) {
        PriorityLedger ledger = PriorityLedger.ofThisProcess();
        if (ledger.isKeptByAgent()) {
            return new Levels(owner, null, ledger);
        }
        return ladder == null ? new Levels(owner, null, null) : new Levels(owner, ladder, ledger);
    }

    /** If the kernel is told of priorities. */
    public boolean inForce() {
        return ledger != null;
    }

    /** If the kernel is told to make a thread of this Java priority real-time. */
    public boolean isRealTime(int priority) {
        return rankLentBy(priority) > MOST_ORDINARY;
    }

    /** The lowest Java priority of which that is so; above the highest one: there is none. */
    public int realTimeFrom() {
        int priority = Thread.MIN_PRIORITY;
        while (priority <= Thread.MAX_PRIORITY && !isRealTime(priority)) {
            priority++;
        }
        return priority;
    }

    /** What a thread is raised to because one of this Java priority waits for it, see {@link SchedulingParameters#rank}; 0: to nothing. */
    public int rankLentBy(int priority) {
        return rank(priority).orElse(0);
    }

    /** Puts a thread at a Java priority. Null: its id is not known yet, and it will do so itself. */
    @SuppressWarnings("ThreadPriorityCheck") // that priorities can be relied on is what this is for
    public void take(Thread thread, @Nullable LinuxThread linuxThread, int priority) {
        thread.setPriority(priority); // the agent tells the kernel
        if (ladder != null) {
            setOwn(linuxThread, ladder.forJavaPriority(priority).orElse(null));
        }
    }

    /**
     * Puts a thread back to where it was before it was taken anywhere.
     *
     * @param priority Java priority that it had
     * @param parameters what the kernel had for it; null: was not told
     */
    @SuppressWarnings("ThreadPriorityCheck") // as in take
    public void putBack(
            Thread thread, @Nullable LinuxThread linuxThread, int priority, @Nullable SchedulingParameters parameters) {
        thread.setPriority(priority);
        if (ladder != null) {
            setOwn(linuxThread, parameters);
        }
    }

    private void setOwn(@Nullable LinuxThread linuxThread, @Nullable SchedulingParameters own) {
        if (ledger == null || linuxThread == null || own == null) {
            return;
        }
        try {
            ledger.setOwn(linuxThread, own);
        } catch (SchedulingException e) {
            report(e);
        }
    }

    /**
     * Owes a thread what one of this Java priority lends.
     *
     * @param due what it is owed so far, or null
     * @param priority 0: nothing any more
     * @return what it is owed now, or null
     */
    PriorityLedger.@Nullable Due lend(
            @Nullable LinuxThread linuxThread, PriorityLedger.@Nullable Due due, int priority) {
        OptionalInt rank = priority == 0 ? OptionalInt.empty() : rank(priority);
        try {
            if (rank.isEmpty()) {
                if (due != null) {
                    due.close();
                }
                return null;
            }
            if (due != null) {
                due.change(rank.getAsInt());
                return due;
            }
            return ledger == null || linuxThread == null ? null : ledger.owe(linuxThread, rank.getAsInt());
        } catch (SchedulingException e) {
            report(e);
            return rank.isEmpty() ? null : due;
        }
    }

    private OptionalInt rank(int priority) {
        if (ladder != null) {
            return ladder.inheritedFrom(priority)
                    .map(SchedulingParameters::rank)
                    .map(OptionalInt::of)
                    .orElseGet(OptionalInt::empty);
        }
        return ledger == null ? OptionalInt.empty() : ledger.rankLentBy(priority);
    }

    private void report(SchedulingException refusal) {
        if (!refused.getAndSet(true)) {
            LOG.log(
                    System.Logger.Level.WARNING,
                    "{0} cannot tell the kernel of its threads'' priorities, and says so once: {1}",
                    owner,
                    refusal.getMessage());
        }
    }
}
