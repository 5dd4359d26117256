package jpi.internal.engine;

import java.lang.ref.WeakReference;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The communicators that a rank is in, so that its messages can be told of. One that the program has dropped is forgotten. */
final class Communicators {
    /** COMM_WORLD and COMM_SELF, which every rank has: of very many ranks most have no others. */
    private final @Nullable Communicator[] first;

    private @Nullable Map<Integer, WeakReference<Communicator>> others;
    /** When there are so many it is time to look for those that have been dropped. */
    private int crowd = 16;

    Communicators(int firstOthers) {
        first = new Communicator[firstOthers];
    }

    synchronized void add(int id, Communicator communicator) {
        if (id < first.length) {
            first[id] = communicator;
            return;
        }
        if (others == null) {
            others = new HashMap<>();
        }
        others.put(id, new WeakReference<>(communicator));
        if (others.size() >= crowd) {
            var _ = others.values().removeIf(reference -> reference.refersTo(null));
            crowd = 2 * others.size() + 1;
        }
    }

    /** Null: it has been dropped. */
    synchronized @Nullable Communicator find(int id) {
        if (id < first.length) {
            return first[id];
        }
        WeakReference<Communicator> found = others == null ? null : others.get(id);
        return found == null ? null : found.get();
    }
}
