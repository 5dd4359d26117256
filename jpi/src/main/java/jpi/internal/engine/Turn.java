package jpi.internal.engine;

/** That something may go on which has to wait for something else of its rank. */
public final class Turn extends Completion {
    /**
     * Has not come.
     *
     * @param rank that waits for it
     */
    public Turn(Rank rank) {
        super(rank.mailbox());
        makeKnown();
    }

    /** It has come. By any thread, once. */
    public void come() {
        complete();
    }

    @Override
    public String description() {
        Object larger = whole();
        return (larger == null ? "" : larger + ", ") + "for what was begun before";
    }
}
