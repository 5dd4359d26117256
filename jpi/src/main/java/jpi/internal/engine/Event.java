package jpi.internal.engine;

import org.jspecify.annotations.Nullable;

/** What happens to a {@link Mailbox}, in the order in which it has come about: a message arrives, a receive begins, one is given up. */
abstract class Event {
    /** The one that came next; written by whoever brought that. */
    volatile @Nullable Event next;

    /** Does it. Called by who {@linkplain Mailbox tends} the mailbox. */
    abstract void happen(Mailbox mailbox);
}
