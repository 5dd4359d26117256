package jpi.internal.engine;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * How many messages a rank has sent. On a cache line of its own: it is written at each, and those who send to the rank read what lies
 * beside it. Several threads may lose some.
 */
abstract class SendCount extends Padding {
    private static final VarHandle SENT;

    static {
        try {
            SENT = MethodHandles.lookup().findVarHandle(SendCount.class, "sent", long.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    @SuppressWarnings("unused") // by SENT
    private long sent;

    final void add() {
        SENT.setRelease(this, (long) SENT.get(this) + 1);
    }

    final long get() {
        return (long) SENT.getAcquire(this);
    }

    /** With nothing behind it on its cache line. */
    @SuppressWarnings("unused") // the fields take room
    static final class Apart extends SendCount {
        private long after1;
        private long after2;
        private long after3;
        private long after4;
        private long after5;
        private long after6;
        private long after7;
        private long after8;
    }
}
