package jpi.internal.engine;

import jpi.JBuffer;
import jpi.JException;
import org.jspecify.annotations.Nullable;

/**
 * Places that a rank's thread has left, and fills again when it sends: it has that memory at hand, where new memory would have to
 * come from afar. For that thread; others get new ones.
 */
final class Places {
    /** As many as a rank needs that gets a message for each that it sends. */
    private static final int MOST = 4;

    /** Two cache lines of references at least, besides: those in the middle have a line of their own, or two. */
    private static final int AROUND = 16;

    private final @Nullable Place[] kept = new Place[AROUND + MOST + AROUND];

    private @Nullable Thread owner;
    /** One more: it goes to a rank that is sent a message, and that may send more than it gets. */
    private @Nullable Place surplus;

    /** The first thread that calls this is the rank's; what runs as the rank later has no part in it. */
    void own() {
        if (owner == null) {
            owner = Thread.currentThread();
        }
    }

    /** If the calling thread is the rank's. */
    boolean isOwner() {
        return Thread.currentThread() == owner;
    }

    /** An empty one. By any thread. */
    Place take() {
        return isOwner() ? takeKept() : new Place();
    }

    private Place takeKept() {
        Place taken = null;
        for (int i = AROUND; i < AROUND + MOST && taken == null; i++) {
            taken = kept[i];
            kept[i] = null;
        }
        if (taken == null) {
            return new Place.Apart();
        }
        if (surplus != null) {
            taken.spare = surplus;
            surplus = null;
        }
        return taken;
    }

    /** One that has been left. By any thread. */
    void keep(Place left) {
        if (left instanceof Place.Apart && isOwner()) {
            Place spare = left.spare;
            if (spare != null) {
                left.spare = null;
                keepOne(spare);
            }
            keepOne(left);
        }
    }

    private void keepOne(Place left) {
        for (int i = AROUND; i < AROUND + MOST; i++) {
            if (kept[i] == null) {
                kept[i] = left;
                return;
            }
        }
        surplus = left;
    }

    /**
     * See {@link Place#hold}. By any thread.
     *
     * @param taken is kept if that fails
     */
    long hold(Place taken, JBuffer small) {
        try {
            return taken.hold(small);
        } catch (JException | OutOfMemoryError e) {
            keep(taken);
            throw e;
        }
    }
}
