package jpi.internal.engine;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;

/** Something under way that a rank may wait for. Comes to its end once. */
public abstract class Completion {
    private static final VarHandle FOLLOWER;
    private static final VarHandle DONE;

    static {
        try {
            DONE = MethodHandles.lookup().findVarHandle(Completion.class, "done", boolean.class);
            FOLLOWER = MethodHandles.lookup().findVarHandle(Completion.class, "follower", Runnable.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private final Mailbox home;
    private volatile boolean done;
    /** If a thread may know of it that has not begun it. */
    private boolean known;

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
     * Has something run once it has ended, or the program has failed, in a thread of its own: it may be anything, and who ends this is
     * busy with a mailbox. Once.
     */
    public final void follow(Runnable newFollower) {
        Event following = new Following(this, newFollower);
        Place next = new Place();
        home.leaveUnattended();
        home.add(following, next);
    }

    /** That something is to be run at the end. */
    private static final class Following implements Event {
        private final Completion followed;
        private final Runnable newFollower;

        Following(Completion followed, Runnable newFollower) {
            this.followed = followed;
            this.newFollower = newFollower;
        }

        @Override
        public void happen(Mailbox mailbox) {
            mailbox.addFollowed(followed);
            followed.follower = newFollower;
            if (followed.done || mailbox.world().hasFailed()) {
                followed.startFollower(newFollower);
            }
        }
    }

    private void startFollower(Runnable some) {
        if (FOLLOWER.compareAndSet(this, some, null)) {
            home.removeFollowed(this);
            home.attend();
            home.startAside(() -> home.world().rank(home.rank()).run(some));
        }
    }

    /** If it has ended, well or not. */
    public boolean isDone() {
        return done;
    }

    /** Other threads than the one that has begun it may know of it from now on. By who tends {@link #home}, or that thread. */
    final void makeKnown() {
        known = true;
    }

    /** If it has ended, and nobody but the thread that has begun it can have come to know of it. By that thread. */
    final boolean isForgotten() {
        return done && !known;
    }

    /** It begins once more. By the thread that it is forgotten by. */
    final void renew() {
        DONE.set(this, false);
        failure = null;
    }

    /** Does a part of what it takes, by the rank that waits for it and has nothing else to do. False: there is nothing. */
    boolean help() {
        return false;
    }

    /** It has ended well. By any thread. */
    void complete() {
        done = true;
        home.wake();
        runFollower();
    }

    /** The same, by who tends {@link #home}: it tells the others that wait there when it lets go. */
    final void completeAtHome() {
        DONE.setRelease(this, true);
        home.hasEnded();
        runFollower();
    }

    final void runFollower() {
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

    /** The same, by who tends {@link #home}. */
    final void failAtHome(RuntimeException reason) {
        failure = reason;
        completeAtHome();
    }

    /** Throws what it has failed with. */
    public final void check() {
        if (failure != null) {
            throw failure;
        }
    }

    /** Says what it is a part of, before the rank waits: that is told, as text, rather than the message. Null: of nothing. */
    public final void partOf(@Nullable Object larger) {
        whole = larger;
    }

    /** See {@link #partOf}. */
    final @Nullable Object whole() {
        return whole;
    }

    /** What it is, after "waits": for whoever looks for a deadlock. */
    public abstract String description();
}
