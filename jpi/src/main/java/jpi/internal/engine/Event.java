package jpi.internal.engine;

/** What happens to a {@link Mailbox}, in the order in which it has come about: a receive begins, one is given up, a message arrives. */
interface Event {
    /** Does it. Called by who {@linkplain Mailbox tends} the mailbox. */
    void happen(Mailbox mailbox);
}
