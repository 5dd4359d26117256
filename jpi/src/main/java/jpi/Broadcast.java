package jpi;

import org.jspecify.annotations.Nullable;

/** How one rank's message reaches all. */
final class Broadcast {
    /**
     * Fewer bytes go down a tree whole; more are scattered and gathered by all, if there are enough ranks, but not so many that parts
     * are small. As much is copied either way, but a rank that gathers waits as often as there are others.
     */
    private static final int LARGE = 256 << 10;

    private static final int ENOUGH_RANKS = 8;

    /** Up to so many bytes the root can send to all at once: nobody has to wait for room. */
    static final int SMALL = 8 << 10;

    private Broadcast() {}

    static @Nullable Object object(Exchange exchange, @Nullable Object message, int root) {
        exchange.requireRoot(root);
        Tree tree = Tree.of(exchange, root);
        if (tree.isRoot()) {
            Gathering.requireObject(message);
        }
        Object held = tree.isRoot() ? message : exchange.receive(tree.parent());
        for (int distance = tree.farthest(); distance > 0; distance >>= 1) {
            exchange.send(held, tree.child(distance));
        }
        return held;
    }

    static void buffer(Exchange exchange, JBuffer buffer, int root) {
        exchange.requireRoot(root);
        boolean isSmall = buffer.size() <= SMALL;
        // Each copies the root's own memory there, or what it has posted.
        if (isSmall ? exchange.isCrowded() : exchange.isOfFewInOneJvm() || posts(exchange, root, buffer.size())) {
            straight(exchange, buffer, root);
            return;
        }
        Tree tree = Tree.of(exchange, root);
        if (buffer.size() > LARGE
                && exchange.size() >= ENOUGH_RANKS
                && buffer.size() / exchange.size() >= Gathering.LARGE) {
            JBuffer[] parts = parts(buffer, exchange.size());
            scatterInPlace(exchange, buffer, parts, tree);
            Gathering.ring(exchange, parts, tree.place());
            return;
        }
        if (exchange.isCrowded() && buffer.size() > Parts.LARGEST_OF_CROWD && buffer.size() <= LARGE) {
            inParts(exchange, buffer, tree);
            return;
        }
        if (!tree.isRoot()) {
            exchange.receive(buffer, tree.parent());
        }
        Exchange.Batch batch = exchange.new Batch();
        passOn(batch, buffer, tree);
        batch.finish();
    }

    /**
     * Down the tree in parts so small that no rank waits until its message is wanted, behind how much there is. For more there would not be
     * room on the way.
     */
    private static void inParts(Exchange exchange, JBuffer buffer, Tree tree) {
        int[] count = {buffer.count()};
        if (!tree.isRoot()) {
            exchange.receive(JBuffer.of(count), tree.parent());
            if (count[0] != buffer.count()) {
                throw exchange.misfit(count[0], buffer, tree.parent());
            }
        }
        Exchange.Batch batch = exchange.new Batch();
        passOn(batch, JBuffer.of(count), tree);
        Parts parts = Parts.of(exchange, buffer);
        Exchange.Row row = tree.isRoot() ? null : exchange.new Row(parts, buffer, tree.parent());
        for (int i = 0; i < parts.count(); i++) {
            passOn(batch, row == null ? parts.of(buffer, i) : row.next(), tree);
        }
        batch.finish();
    }

    private static void passOn(Exchange.Batch batch, JBuffer buffer, Tree tree) {
        for (int distance = tree.farthest(); distance > 0; distance >>= 1) {
            batch.begin(buffer, tree.child(distance));
        }
    }

    /** If the root posts it. To fewer ranks it is sent in parts, which they begin to copy while it is still at it. */
    private static boolean posts(Exchange exchange, int root, long bytes) {
        return exchange.size() >= ENOUGH_RANKS && exchange.size() <= Gathering.FEW_RANKS && exchange.posts(root, bytes);
    }

    /** The root sends to every rank itself. */
    static void straight(Exchange exchange, JBuffer buffer, int root) {
        if (exchange.me() != root) {
            exchange.receive(buffer, root);
            return;
        }
        Exchange.Batch batch = exchange.new Batch();
        batch.beginToAll(buffer);
        batch.finish();
    }

    /** As many parts as there are ranks, as even as can be. */
    private static JBuffer[] parts(JBuffer buffer, int ranks) {
        JBuffer[] parts = new JBuffer[ranks];
        for (int i = 0; i < ranks; i++) {
            int start = partStart(buffer, ranks, i);
            parts[i] = buffer.slice(start, partStart(buffer, ranks, i + 1) - start);
        }
        return parts;
    }

    private static int partStart(JBuffer buffer, int ranks, int part) {
        return (int) ((long) buffer.count() * part / ranks);
    }

    /** Each rank gets the part of its place in the tree, and those of the ranks below it. */
    private static void scatterInPlace(Exchange exchange, JBuffer buffer, JBuffer[] parts, Tree tree) {
        int ranks = parts.length;
        if (!tree.isRoot()) {
            exchange.receive(range(buffer, ranks, tree.place(), tree.span()), tree.parent());
        }
        Exchange.Batch batch = exchange.new Batch();
        for (int distance = tree.farthest(); distance > 0; distance >>= 1) {
            batch.begin(range(buffer, ranks, tree.place() + distance, tree.below(distance)), tree.child(distance));
        }
        batch.finish();
    }

    private static JBuffer range(JBuffer buffer, int ranks, int first, int count) {
        int start = partStart(buffer, ranks, first);
        return buffer.slice(start, partStart(buffer, ranks, first + count) - start);
    }
}
