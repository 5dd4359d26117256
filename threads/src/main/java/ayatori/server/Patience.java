package ayatori.server;

import java.util.concurrent.atomic.AtomicInteger;

/**
 * With a client whose rings and messages come to nothing: a ring may come late, or find that another server has been quicker. Who
 * does so again and again only wants to be a nuisance. A request pays for some, not for all, or one now and then would buy any
 * number of them. Thread-safe.
 */
final class Patience {
    /** In a row. */
    static final int MOST = 10_000;

    /** For which a request pays: as many servers may have been woken by it, all but one in vain. */
    static final int OF_A_REQUEST = 128;

    private final AtomicInteger inVain = new AtomicInteger();

    /** Once more it has come to nothing; false: that is too often. */
    boolean outlasts() {
        return inVain.incrementAndGet() <= MOST;
    }

    /** A request has come. */
    void paid() {
        if (inVain.get() != 0) {
            inVain.getAndUpdate(before -> Math.max(0, before - OF_A_REQUEST));
        }
    }
}
