package jpi.internal.engine;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;

/** Something under way that a rank may wait for. Comes to its end once. */
public abstract class Completion extends Event {
    private static final VarHandle FOLLOWER;

    static {
        try {
            FOLLOWER = MethodHandles.lookup().findVarHandle(Completion.class, "follower", Runnable.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private final Mailbox home;
    private volatile boolean done;
    private @Nullable RuntimeException failure;
    /** To be run at the end; taken out by who runs it. */
    private volatile @Nullable Runnable follower;
    /** What it is a part of; null: nothing larger. */
    private @Nullable Object whole;

    Completion(Mailbox home) {
        this.home = home;
    }

    /** The mailbox of the rank that waits for it. */
    final Mailbox home() {
        return home;
    }

    /**
     * Has something run once it has ended, in a thread of its own: it may be anything, and who ends this is busy with a mailbox.
     * Once.
     */
    public final void follow(Runnable newFollower) {
        home.leaveUnattended();
        follower = newFollower;
        if (done) {
            startFollower(newFollower);
        } else {
            home.tend(); // a message may have come before anybody looked for it
        }
    }

    private void startFollower(Runnable some) {
        if (FOLLOWER.compareAndSet(this, some, null)) {
            home.attend();
            var _ = Thread.startVirtualThread(some);
        }
    }

    /** If it has ended, well or not. */
    public boolean isDone() {
        return done;
    }

    /** It has ended well. */
    void complete() {
        done = true;
        home.wake();
        Runnable some = follower;
        if (some != null) {
            startFollower(some);
        }
    }

    /** It has failed. */
    final void fail(RuntimeException reason) {
        failure = reason;
        complete();
    }

    /** Throws what it has failed with. */
    public final void check() {
        if (failure != null) {
            throw failure;
        }
    }

    /** Says what it is a part of, before the rank waits: that is told, as text, rather than the message. */
    public final void partOf(Object larger) {
        whole = larger;
    }

    /** See {@link #partOf}. */
    final @Nullable Object whole() {
        return whole;
    }

    /** What it is, after "waits": for whoever looks for a deadlock. */
    public abstract String description();
}
