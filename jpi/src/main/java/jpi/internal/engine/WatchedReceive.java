package jpi.internal.engine;

import jpi.JBuffer;
import org.jspecify.annotations.Nullable;

/** A receive of which statistics or a timeline are to know which message it has got. */
final class WatchedReceive extends Receive {
    private final Watch watch;
    private long flow;

    WatchedReceive(
            Watch watch,
            Mailbox home,
            Kind kind,
            int context,
            int source,
            int tag,
            int sender,
            @Nullable JBuffer sink) {
        super(home, kind, context, source, tag, sender, sink);
        this.watch = watch;
    }

    /** Here messages are met in the order in which they were sent. */
    @Override
    void meet() {
        flow = watch.taken(envelope(), bytes());
    }

    /** Takes what another has claimed, and has been told of. */
    void takeOver(WatchedReceive claim) {
        flow = claim.flow;
        takeClaimed(claim.claimed());
    }

    @Override
    long flow() {
        return flow;
    }
}
