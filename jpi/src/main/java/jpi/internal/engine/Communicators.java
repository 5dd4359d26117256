package jpi.internal.engine;

import org.jspecify.annotations.Nullable;

/** The communicators that a rank is in, so that its messages can be told of. One that the program has dropped is forgotten. */
final class Communicators {
    /** COMM_WORLD and COMM_SELF, which every rank has: of very many ranks most have no others. */
    private final @Nullable Communicator[] first;

    private @Nullable WeakValues<Integer, Communicator> others;

    Communicators(int firstOthers) {
        first = new Communicator[firstOthers];
    }

    synchronized void add(int id, Communicator communicator) {
        if (id < first.length) {
            first[id] = communicator;
            return;
        }
        if (others == null) {
            others = new WeakValues<>();
        }
        others.put(id, communicator);
    }

    /** Null: it has been dropped. */
    synchronized @Nullable Communicator find(int id) {
        if (id < first.length) {
            return first[id];
        }
        return others == null ? null : others.get(id);
    }
}
