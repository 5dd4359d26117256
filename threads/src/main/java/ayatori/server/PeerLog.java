package ayatori.server;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/** Says what other processes do wrong, but not more than so often: who does it again and again is not to fill the log. Thread-safe. */
final class PeerLog {
    /** Lines of one period. */
    static final int MOST = 20;

    private static final long PERIOD_NANOS = TimeUnit.MINUTES.toNanos(1);

    private final System.Logger log;
    private final AtomicLong period = new AtomicLong(Long.MIN_VALUE);
    private final AtomicInteger lines = new AtomicInteger();

    PeerLog(System.Logger log) {
        this.log = log;
    }

    /** Says it, unless too much has been said. */
    void say(System.Logger.Level level, String text) {
        long now = System.nanoTime() / PERIOD_NANOS;
        if (period.getAndSet(now) != now) {
            int before = lines.getAndSet(0);
            if (before > MOST) {
                log.log(System.Logger.Level.WARNING, "{0} more lines like those before were left out", before - MOST);
            }
        }
        int number = lines.incrementAndGet();
        if (number <= MOST) {
            log.log(level, number < MOST ? text : text + "; what else is wrong within a minute is only counted");
        }
    }
}
