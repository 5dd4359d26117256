package jpi;

import jpi.internal.engine.Rank;
import jpi.internal.engine.Receive;

/** A message that has been taken but not received yet: MPI's matched probe. For one receive. */
public final class JMessage {
    private final Rank rank;
    private final Receive claim;

    JMessage(Rank rank, Receive claim) {
        this.rank = rank;
        this.claim = claim;
    }

    /** What is known of it. */
    public JStatus status() {
        return claim.status();
    }

    /** Receives it. */
    @SuppressWarnings("NullAway") // null only where null was sent
    public Object recv() {
        Receive receive = rank.receive(claim, null);
        rank.await(receive);
        return receive.value();
    }

    /**
     * Receives it into a buffer.
     *
     * @throws JException as {@link JComm#recv(JBuffer, int, int)}
     */
    public JStatus recv(JBuffer into) {
        Receive receive = rank.receive(claim, into);
        rank.await(receive);
        return receive.status();
    }
}
