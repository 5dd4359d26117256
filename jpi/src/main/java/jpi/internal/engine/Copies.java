package jpi.internal.engine;

import jpi.JBuffer;
import org.jspecify.annotations.Nullable;

/**
 * Copies of buffers that a rank's thread has received into other memory, and fills again when it sends: new memory would push what the
 * rank works with out of its caches. For that thread; others get new ones.
 */
final class Copies {
    /** As many as a rank needs that exchanges messages with two neighbours at once. */
    private static final int MOST = 4;

    private final Places places;
    private final Message.@Nullable Copy[] kept = new Message.Copy[MOST];
    /** The one that goes next, if there are more. */
    private int next;

    /** @param places know whose they are */
    Copies(Places places) {
        this.places = places;
    }

    /** One of a buffer's contents. By any thread. */
    Message.Copy of(JBuffer buffer) {
        if (places.isOwner()) {
            for (int i = 0; i < MOST; i++) {
                Message.Copy copy = kept[i];
                if (copy != null && copy.isLike(buffer)) {
                    kept[i] = null;
                    copy.buffer().copyFrom(buffer);
                    return copy;
                }
            }
        }
        return new Message.Copy(buffer.toArray());
    }

    /** One that nobody needs any more. By any thread. */
    void keep(Message.Copy copy) {
        if (places.isOwner()) {
            for (int i = 0; i < MOST; i++) {
                if (kept[i] == null) {
                    kept[i] = copy;
                    return;
                }
            }
            kept[next] = copy; // of the size that goes to and fro now
            next = (next + 1) % MOST;
        }
    }
}
