package jpi;

import java.util.concurrent.atomic.AtomicBoolean;
import jpi.internal.engine.Rank;
import jpi.internal.engine.Receive;
import org.jspecify.annotations.Nullable;

/** A message that has been taken but not received yet: MPI's matched probe. For one receive. */
public final class JMessage {
    private final Rank rank;
    private final Receive claim;
    private final AtomicBoolean received = new AtomicBoolean();

    JMessage(Rank rank, Receive claim) {
        this.rank = rank;
        this.claim = claim;
    }

    /** What is known of it. */
    public JStatus status() {
        return claim.status();
    }

    /**
     * Receives it.
     *
     * @throws JException if it has been received before
     */
    @SuppressWarnings("NullAway") // null only where null was sent
    public Object recv() {
        return receive(null).value();
    }

    /**
     * Receives it into a buffer.
     *
     * @throws JException as {@link JComm#recv(JBuffer, int, int)}; or if it has been received before
     */
    public JStatus recv(JBuffer into) {
        return receive(Given.buffer(into, "recv")).status();
    }

    private Receive receive(@Nullable JBuffer into) {
        if (received.getAndSet(true)) {
            throw new JException("the message from rank " + status().source() + ", tag " + status().tag()
                    + ", has been received already: probe for another");
        }
        Receive receive;
        try {
            receive = rank.receive(claim, into);
        } catch (JException e) {
            received.set(false); // the buffer is at fault
            throw e;
        }
        rank.await(receive);
        return receive;
    }
}
