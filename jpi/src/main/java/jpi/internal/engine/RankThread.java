package jpi.internal.engine;

import ayatori.internal.inheritance.Carrier;
import ayatori.internal.inheritance.Inheritance;
import ayatori.internal.inheritance.Levels;
import ayatori.internal.inheritance.Loan;
import ayatori.sched.LinuxThread;
import org.jspecify.annotations.Nullable;

/** The thread of a rank, which is raised as long as a more important rank of this JVM waits for a message from it. */
final class RankThread extends Carrier {
    private final Thread thread = Thread.currentThread();
    private final Levels levels;
    private final Messages messages = new Messages();
    private volatile boolean ended;

    /** The messages that are to come from it, as work for which others wait. */
    private final class Messages extends Loan {
        @Override
        protected int own() {
            return thread.getPriority();
        }

        @Override
        protected Carrier carrier() {
            return RankThread.this;
        }

        @Override
        protected boolean waits() {
            return false;
        }

        @Override
        protected boolean isDone() {
            return ended;
        }

        @Override
        protected void raiseInQueue(int level) {
            throw new AssertionError("what a rank has not sent yet is in no queue");
        }

        @Override
        protected @Nullable Carrier soonestBelow(int level) {
            return null;
        }
    }

    /** The calling thread. */
    private RankThread(Levels levels) {
        this.levels = levels;
        linuxThread(LinuxThread.current());
    }

    /** The calling thread; null: the kernel is told of no priorities, or the thread is virtual and has none. */
    static @Nullable RankThread ofCurrent(Levels levels) {
        return levels.inForce() && !Thread.currentThread().isVirtual() ? new RankThread(levels) : null;
    }

    /** The rank has ended. */
    void end() {
        ended = true;
        Inheritance.left(this);
    }

    /** Runs something that waits for a message from another rank, by the thread itself: the other one has its priority meanwhile. */
    void waitFor(RankThread sender, Runnable wait) {
        boolean alone = current() == null; // else it does somebody's work, a server's or a pool's, and lends that one's
        if (alone) {
            assume(thread.getPriority());
            enter();
        }
        Inheritance.Wait lent = Inheritance.await(sender.thread.getPriority(), () -> sender.messages);
        try {
            wait.run();
        } finally {
            if (lent != null) {
                lent.close();
            }
            if (alone) {
                leave();
            }
        }
    }

    @Override
    public Thread thread() {
        return thread;
    }

    @Override
    protected Levels levels() {
        return levels;
    }

    @Override
    protected void lent(int before, int now) {
        // Nobody counts it.
    }
}
