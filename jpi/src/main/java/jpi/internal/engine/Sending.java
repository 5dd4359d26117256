package jpi.internal.engine;

import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/** That a message which was sent is taken, or has gone from the sender's memory. */
public sealed class Sending extends Completion permits Posting {
    private final int receiver;
    /** If the attendant knows that perhaps nobody waits. */
    private final AtomicBoolean left = new AtomicBoolean();

    private final int tag;
    /** Null: its sender has no part in that. */
    private volatile @Nullable Copying copying;

    Sending(Mailbox home, int receiver, int tag) {
        super(home);
        this.receiver = receiver;
        this.tag = tag;
    }

    /** Number of a rank. */
    int receiver() {
        return receiver;
    }

    int tag() {
        return tag;
    }

    /** It is being copied, and the sender may copy pieces of it. By who tends the receiver's mailbox. */
    void takePart(Copying begun) {
        copying = begun;
    }

    @Override
    boolean help() {
        Copying begun = copying;
        return begun != null && begun.help();
    }

    /** Nobody waits for it, for now: what it takes to go on is the attendant's to do. */
    public void leave() {
        left.set(true);
        home().world().leaveUnattended();
        if (isDone()) {
            attend();
        }
    }

    private void attend() {
        if (left.getAndSet(false)) {
            home().world().attend();
        }
    }

    @Override
    void complete() {
        super.complete();
        attend();
    }

    @Override
    public String description() {
        Object larger = whole();
        if (larger != null) {
            return larger + ", for rank " + receiver + " to take its part";
        }
        return "until rank " + receiver + " takes its message, tag " + tag;
    }
}
