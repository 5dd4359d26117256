package jpi.internal.engine;

import java.util.concurrent.atomic.AtomicLong;

/** Counts what a rank uses. By any thread. */
final class Tally {
    private final AtomicLong sent = new AtomicLong();
    private final AtomicLong taken = new AtomicLong();
    private final AtomicLong bytesSent = new AtomicLong();
    private final AtomicLong bytesTaken = new AtomicLong();
    private final AtomicLong waitedNanos = new AtomicLong();

    /** @param bytes negative: by reference */
    void sent(long bytes) {
        sent.incrementAndGet();
        bytesSent.addAndGet(Math.max(0, bytes));
    }

    /** @param bytes negative: by reference */
    void taken(long bytes) {
        taken.incrementAndGet();
        bytesTaken.addAndGet(Math.max(0, bytes));
    }

    void waited(long nanos) {
        waitedNanos.addAndGet(nanos);
    }

    Usage usage(int rank) {
        return new Usage(rank, sent.get(), taken.get(), bytesSent.get(), bytesTaken.get(), waitedNanos.get());
    }
}
