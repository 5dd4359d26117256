package jpi;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** How one value is made of those of all ranks. Always in the order of the ranks, but for commutative operations where that is faster. */
final class Reduction {
    /** Up to so many bytes travel whole; of more each rank reduces a part. */
    private static final int LARGE = 2 << 10;

    /** Up to so many bytes are reduced to one rank and then scattered. */
    private static final int REDUCED_BY_ONE = 4 << 10;

    private Reduction() {}

    private static boolean isLarge(Exchange exchange, JBuffer buffer) {
        return buffer.size() > LARGE && buffer.count() >= exchange.size() && exchange.size() > 1;
    }

    // To one rank.

    /**
     * Down a tree.
     *
     * @return at the root the result; elsewhere anything
     */
    static <V> V toOne(Exchange exchange, Values<V> values, V mine, int root, boolean commutative) {
        exchange.requireRoot(root);
        int top = commutative ? root : 0;
        Tree tree = Tree.of(exchange, top);
        V held = tree.hasChild(1) || tree.isRoot() ? values.startResult(mine) : mine;
        for (int distance = 1; tree.hasChild(distance); distance <<= 1) {
            held = values.fold(held, values.receive(exchange, tree.child(distance)), false);
        }
        if (!tree.isRoot()) {
            exchange.send(held, tree.parent());
        }
        if (top != root) {
            if (exchange.me() == top) {
                exchange.send(held, root);
            } else if (exchange.me() == root) {
                held = values.receiveResult(exchange, top);
            }
        }
        return held;
    }

    /** {@code receive} may be null but at the root. */
    static void buffersToOne(
            Exchange exchange, JBuffer send, @Nullable JBuffer receive, JOperation<?> operation, int root) {
        exchange.requireRoot(root);
        boolean atRoot = exchange.me() == root;
        if (atRoot && receive == null) {
            throw new JException("the root of a reduction, rank " + root + ", has given no buffer for the result");
        }
        Values.OfBuffers values = new Values.OfBuffers(operation, send, atRoot ? receive : null);
        if (isLarge(exchange, send)) {
            new Halving(exchange, values, send).toOne(root);
        } else {
            var _ = toOne(exchange, values, send, root, operation.isCommutative());
        }
    }

    // To all ranks.

    /** Each rank swaps what it has with the one at distance 1, 2, 4 … */
    static <V> V toAll(Exchange exchange, Values<V> values, V mine) {
        Doubling doubling = Doubling.of(exchange);
        if (!doubling.takesPart()) {
            exchange.send(mine, exchange.me() + 1);
            return values.receiveResult(exchange, exchange.me() + 1);
        }
        V held = values.startResult(mine);
        if (doubling.speaksForTwo()) {
            held = values.fold(held, values.receive(exchange, exchange.me() - 1), true);
        }
        for (int distance = 1; distance < doubling.count(); distance <<= 1) {
            int partner = doubling.me() ^ distance;
            V other = values.swap(exchange, held, doubling.rank(partner));
            held = values.fold(held, other, partner < doubling.me());
        }
        if (doubling.speaksForTwo()) {
            exchange.send(held, exchange.me() - 1);
        }
        return held;
    }

    static void buffersToAll(Exchange exchange, JBuffer send, JBuffer receive, JOperation<?> operation) {
        Values.OfBuffers values = new Values.OfBuffers(operation, send, receive);
        if (isLarge(exchange, send)) {
            new Halving(exchange, values, send).toAll();
        } else {
            var _ = toAll(exchange, values, send);
        }
    }

    // A part to each rank.

    /** Every rank collects the values for its part, and reduces them. */
    static <T> T objectsToEach(Exchange exchange, List<? extends T> mine, JOperation<? super T> operation) {
        Values.OfObjects<T> values = new Values.OfObjects<>(operation);
        @SuppressWarnings("unchecked") // every rank gives Ts
        List<T> parts = (List<T>) Scattering.objectsFromAll(exchange, mine);
        T held = values.startResult(parts.getFirst());
        for (int i = 1; i < parts.size(); i++) {
            held = values.fold(held, parts.get(i), false);
        }
        return held;
    }

    /** {@code counts} says how many elements each rank is to get. */
    static void buffersToEach(Exchange exchange, JBuffer send, JBuffer receive, int[] counts, JOperation<?> operation) {
        JBuffer[] parts = new Blocks(send, counts, null).apart(exchange);
        int me = exchange.me();
        if (send.size() <= REDUCED_BY_ONE || !operation.isCommutative()) {
            JBuffer whole = me == 0 ? Gathering.temporary(send.type(), send.count()) : null;
            buffersToOne(exchange, send, whole, operation, 0);
            JBuffer[] results = whole == null ? null : new Blocks(whole, counts, null).apart(exchange);
            Scattering.straight(exchange, results, receive, 0);
            return;
        }
        Values.OfBuffers values = new Values.OfBuffers(operation, parts[me], receive);
        JBuffer held = values.startResult(parts[me]);
        for (int i = 1; i < exchange.size(); i++) {
            int to = (me + i) % exchange.size();
            int from = (me - i + exchange.size()) % exchange.size();
            exchange.swap(parts[to], to, values.incoming(), from);
            held = values.fold(held, values.incoming(), false);
        }
    }

    // Over the ranks before.

    /** Of all ranks up to this one. */
    static <V> V upToMe(Exchange exchange, Values<V> values, V mine) {
        V held = values.startResult(mine);
        V passed = values.copy(mine);
        for (int distance = 1; distance < exchange.size(); distance <<= 1) {
            int partner = exchange.me() ^ distance;
            if (partner < exchange.size()) {
                V other = values.swap(exchange, passed, partner);
                boolean before = partner < exchange.me();
                passed = values.fold(passed, other, before);
                if (before) {
                    held = values.fold(held, other, true);
                }
            }
        }
        return held;
    }

    /** Of all ranks before this one; null of rank 0. */
    static <V> @Nullable V beforeMe(Exchange exchange, Values<V> values, V mine) {
        V held = null;
        V passed = values.copy(mine);
        for (int distance = 1; distance < exchange.size(); distance <<= 1) {
            int partner = exchange.me() ^ distance;
            if (partner < exchange.size()) {
                V other = values.swap(exchange, passed, partner);
                boolean before = partner < exchange.me();
                passed = values.fold(passed, other, before);
                if (before) {
                    held = held == null ? values.startResult(other) : values.fold(held, other, true);
                }
            }
        }
        return held;
    }

    static void buffersUpToMe(Exchange exchange, JBuffer send, JBuffer receive, JOperation<?> operation) {
        var _ = upToMe(exchange, new Values.OfBuffers(operation, send, receive), send);
    }

    static void buffersBeforeMe(Exchange exchange, JBuffer send, JBuffer receive, JOperation<?> operation) {
        var _ = beforeMe(exchange, new Values.OfBuffers(operation, send, receive), send);
    }
}
