package ayatori.bench.load;

import jpi.JBuffer;
import jpi.JComm;
import org.jspecify.annotations.Nullable;

/** Between ranks 0, which leads, and 1. */
abstract class CommRally extends Rally {
    /** Tag of messages. */
    static final int MESSAGES = 2;

    private static final int ORDERS = 1;

    final JComm comm;
    final int other;

    /** Null: is not measured. */
    private final @Nullable Line line;

    private final JBuffer orderBuffer = JBuffer.of(order);

    CommRally(JComm comm, @Nullable Line line) {
        this.comm = comm;
        this.line = line;
        other = 1 - comm.rank();
    }

    @Override
    final double lineNanos() {
        return line == null ? super.lineNanos() : line.nanos();
    }

    @Override
    final void tell() {
        comm.send(orderBuffer, other, ORDERS);
    }

    @Override
    final void hear() {
        var _ = comm.recv(orderBuffer, other, ORDERS);
    }
}
