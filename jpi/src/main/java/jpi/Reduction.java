package jpi;

import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** How one value is made of those of all ranks. Always in the order of the ranks, but for commutative operations where that is faster. */
final class Reduction {
    /** Up to so many bytes travel whole; of more each rank reduces a part. */
    private static final int LARGE = 16 << 10;

    /** Up to so many bytes are reduced to one rank and then scattered; also more, if many ranks would swap small parts. */
    private static final int REDUCED_BY_ONE = 8 << 10;
    /** The same where ranks share CPUs: each step is a turn of all of them. */
    private static final int REDUCED_BY_ONE_OF_CROWD = 64 << 10;

    /** What one of so many ranks reduces alone is there sooner than what all of them do in several steps. */
    private static final int VERY_FEW_RANKS = 4;

    /** So many ranks at most send to the one that reduces: on a tree those between would wait twice. */
    private static final int FEW_RANKS = 16;

    private Reduction() {}

    private static boolean isLarge(Exchange exchange, JBuffer buffer) {
        return buffer.size() > LARGE && buffer.count() >= exchange.size() && exchange.size() > 1;
    }

    // To one rank.

    /**
     * Down a tree, or straight.
     *
     * @return at the root the result; elsewhere anything
     */
    static <V> V toOne(Values<V> values, V mine, int root, boolean commutative) {
        Exchange exchange = values.exchange;
        exchange.requireRoot(root);
        if (exchange.size() <= FEW_RANKS && (commutative || root == 0)) {
            return straightToOne(values, mine, root);
        }
        int top = commutative ? root : 0;
        Tree tree = Tree.of(exchange, top);
        V held = tree.hasChild(1) || tree.isRoot() ? values.startResult(mine) : mine;
        for (int distance = 1; tree.hasChild(distance); distance <<= 1) {
            held = values.fold(held, values.receive(tree.child(distance)), false);
        }
        if (!tree.isRoot()) {
            exchange.send(held, tree.parent());
        }
        if (top != root) {
            if (exchange.me() == top) {
                exchange.send(held, root);
            } else if (exchange.me() == root) {
                held = values.receiveResult(top);
            }
        }
        return held;
    }

    private static <V> V straightToOne(Values<V> values, V mine, int root) {
        Exchange exchange = values.exchange;
        if (exchange.me() != root) {
            exchange.send(mine, root);
            return mine;
        }
        V held = values.startResult(mine);
        for (int i = 0; i < exchange.size(); i++) {
            if (i != root) {
                held = values.fold(held, values.receive(i), false);
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
            throw new JException("the root of a reduction, rank " + root + ", has given no buffer for the result: give"
                    + " one like that which it reduces");
        }
        Values.OfBuffers values = new Values.OfBuffers(exchange, operation, send, atRoot ? receive : null);
        Together together = Together.of(exchange, send);
        if (together != null) {
            together.reduce(values, root);
            return;
        }
        boolean large = isLarge(exchange, send);
        boolean ordered = operation.isCommutative() || root == 0 || exchange.size() == 2;
        boolean few = exchange.size() <= (large ? VERY_FEW_RANKS : FEW_RANKS) || exchange.isCrowded();
        if (few && ordered) {
            partsToOne(values, send, root);
        } else if (large) {
            new Halving(values, send).toOne(root);
        } else {
            var _ = toOne(values, send, root, operation.isCommutative());
        }
    }

    /** Straight: one part is reduced while the next ones come. */
    private static void partsToOne(Values.OfBuffers values, JBuffer send, int root) {
        Exchange exchange = values.exchange;
        if (exchange.size() == 1) {
            var _ = values.startResult(send);
            return;
        }
        boolean atRoot = exchange.me() == root;
        JBuffer given = atRoot ? values.given(send) : send;
        int first = root == 0 ? 1 : 0;
        Parts parts = Parts.of(exchange, send);
        Exchange.Batch batch = exchange.new Batch();
        Exchange.Row row = atRoot ? rowFor(values, given, parts, first) : null;
        for (int i = 0; i < parts.count(); i++) {
            if (row == null) {
                batch.begin(parts.of(send, i), root);
                continue;
            }
            JBuffer held = foldNext(values, given, parts, i, row, first < root);
            for (int from = first + 1; from < exchange.size(); from++) {
                if (from != root) {
                    JBuffer incoming = parts.of(values.incoming(), i);
                    exchange.receive(incoming, from);
                    var _ = values.fold(held, incoming, from < root);
                }
            }
        }
        batch.finish();
    }

    /**
     * What comes from one rank, in parts, to be joined with this rank's own: put where the result is to be, unless that has been begun, so
     * that less passes through the caches.
     *
     * @param given by this rank, see {@link Values.OfBuffers#given}
     */
    private static Exchange.Row rowFor(Values.OfBuffers values, JBuffer given, Parts parts, int from) {
        JBuffer into = given == values.result() ? values.incoming() : values.result();
        return values.exchange.new Row(parts, into, from);
    }

    /**
     * Joins the next part with this rank's own.
     *
     * @return that part of the result
     */
    private static JBuffer foldNext(
            Values.OfBuffers values, JBuffer given, Parts parts, int i, Exchange.Row row, boolean rowIsLeft) {
        JBuffer come = row.next();
        JBuffer mine = parts.of(given, i);
        return given == values.result() ? values.fold(mine, come, rowIsLeft) : values.fold(come, mine, !rowIsLeft);
    }

    // To all ranks.

    /** Each rank swaps what it has with the one at distance 1, 2, 4 … */
    static <V> V toAll(Values<V> values, V mine) {
        Exchange exchange = values.exchange;
        Doubling doubling = Doubling.of(exchange);
        if (!doubling.takesPart()) {
            exchange.send(mine, exchange.me() + 1);
            return values.receiveResult(exchange.me() + 1);
        }
        V held = values.startResult(mine);
        if (doubling.speaksForTwo()) {
            held = values.fold(held, values.receive(exchange.me() - 1), true);
        }
        for (int distance = 1; distance < doubling.count(); distance <<= 1) {
            int partner = doubling.me() ^ distance;
            V other = values.swap(held, doubling.rank(partner));
            held = values.fold(held, other, partner < doubling.me());
        }
        if (doubling.speaksForTwo()) {
            exchange.send(held, exchange.me() - 1);
        }
        return held;
    }

    static void buffersToAll(Exchange exchange, JBuffer send, JBuffer receive, JOperation<?> operation) {
        Values.OfBuffers values = new Values.OfBuffers(exchange, operation, send, receive);
        Together together = Together.ofLittle(exchange, send);
        if (together != null) {
            together.allReduce(values);
        } else if (isLarge(exchange, send)) {
            new Halving(values, send).toAll();
        } else if (send.size() <= Broadcast.SMALL && exchange.isCrowded()) {
            partsToOne(values, send, 0);
            Broadcast.straight(exchange, receive, 0);
        } else if (exchange.size() == 2 && values.isApart(send)) {
            swapToResult(values, send, send);
        } else {
            var _ = toAll(values, send);
        }
    }

    // A part to each rank.

    /** Every rank collects the values for its part, and reduces them. */
    static <T> T objectsToEach(Exchange exchange, List<? extends T> mine, JOperation<? super T> operation) {
        Values.OfObjects<T> values = new Values.OfObjects<>(exchange, operation);
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
        Together together = Together.of(exchange, send);
        if (together != null) {
            long offset = (long) Arrays.stream(counts, 0, exchange.me()).sum()
                    * send.type().size();
            together.reduceScatter(new Values.OfBuffers(exchange, operation, parts[exchange.me()], receive), offset);
            return;
        }
        int me = exchange.me();
        boolean two = exchange.size() == 2; // whose order is kept below
        boolean small = send.size() <= (exchange.isCrowded() ? REDUCED_BY_ONE_OF_CROWD : REDUCED_BY_ONE)
                || (exchange.size() > FEW_RANKS && send.size() / exchange.size() < Gathering.LARGE);
        if (!two && (small || !operation.isCommutative())) {
            JBuffer whole = me == 0 ? exchange.temporary(send.type(), send.count()) : null;
            buffersToOne(exchange, send, whole, operation, 0);
            JBuffer[] results = whole == null ? null : new Blocks(whole, counts, null).apart(exchange);
            Scattering.straight(exchange, results, receive, 0);
            return;
        }
        Values.OfBuffers values = new Values.OfBuffers(exchange, operation, parts[me], receive);
        if (two) {
            swapToResult(values, parts[1 - me], parts[me]);
            return;
        }
        JBuffer held = values.startResult(parts[me]);
        for (int i = 1; i < exchange.size(); i++) {
            int to = (me + i) % exchange.size();
            int from = (me - i + exchange.size()) % exchange.size();
            exchange.swap(parts[to], to, values.incoming(), from);
            held = values.fold(held, values.incoming(), false);
        }
    }

    /** Of two ranks: what the other one sends comes where the result is to be. */
    private static void swapToResult(Values.OfBuffers values, JBuffer sent, JBuffer mine) {
        Exchange exchange = values.exchange;
        int other = 1 - exchange.me();
        exchange.swap(sent, other, values.result(), other);
        var _ = values.fold(values.result(), mine, other > exchange.me());
    }

    // Over the ranks before. Each waits for the one before it only, and as few messages as can be are sent.

    private static boolean isLast(Exchange exchange) {
        return exchange.me() == exchange.size() - 1;
    }

    /** Of all ranks up to this one. */
    static <V> V upToMe(Values<V> values, V mine) {
        Exchange exchange = values.exchange;
        V before = exchange.me() == 0 ? null : values.receive(exchange.me() - 1);
        if (!isLast(exchange)) {
            // Another one than that which is returned, and may be written to.
            exchange.send(before == null ? mine : values.fold(mine, before, true), exchange.me() + 1);
        }
        V held = values.startResult(mine);
        return before == null ? held : values.fold(held, before, true);
    }

    /** Of all ranks before this one; null of rank 0. */
    static <V> @Nullable V beforeMe(Values<V> values, V mine) {
        Exchange exchange = values.exchange;
        V before = exchange.me() == 0 ? null : values.receive(exchange.me() - 1);
        if (!isLast(exchange)) {
            exchange.send(before == null ? mine : values.fold(mine, before, true), exchange.me() + 1);
        }
        return before;
    }

    static void buffersUpToMe(Exchange exchange, JBuffer send, JBuffer receive, JOperation<?> operation) {
        Values.OfBuffers values = new Values.OfBuffers(exchange, operation, send, receive);
        Together together = Together.of(exchange, send);
        if (together != null) {
            together.scan(values);
            return;
        }
        boolean first = exchange.me() == 0;
        boolean travels = first && values.isApart(send);
        JBuffer given = travels ? send : values.given(send);
        Parts parts = Parts.of(exchange, send);
        Exchange.Batch batch = exchange.new Batch();
        Exchange.Row row = first ? null : rowFor(values, given, parts, exchange.me() - 1);
        for (int i = 0; i < parts.count(); i++) {
            JBuffer held = row == null ? parts.of(given, i) : foldNext(values, given, parts, i, row, true);
            if (!isLast(exchange)) {
                batch.begin(held, exchange.me() + 1);
            }
        }
        if (travels) {
            var _ = values.startResult(send);
        }
        batch.finish();
    }

    static void buffersBeforeMe(Exchange exchange, JBuffer send, JBuffer receive, JOperation<?> operation) {
        Values.OfBuffers values = new Values.OfBuffers(exchange, operation, send, receive);
        Together together = Together.of(exchange, send);
        if (together != null) {
            together.exscan(values);
            return;
        }
        boolean first = exchange.me() == 0;
        boolean joins = !first && !isLast(exchange);
        JBuffer passed = joins ? values.incoming() : send;
        if (joins) {
            passed.copyFrom(send); // which may lie where the result comes
        }
        Parts parts = Parts.of(exchange, send);
        Exchange.Batch batch = exchange.new Batch();
        Exchange.Row row = first ? null : exchange.new Row(parts, receive, exchange.me() - 1);
        for (int i = 0; i < parts.count(); i++) {
            JBuffer before = row == null ? null : row.next();
            if (joins && before != null) {
                var _ = values.fold(parts.of(passed, i), before, true);
            }
            if (!isLast(exchange)) {
                batch.begin(parts.of(passed, i), exchange.me() + 1);
            }
        }
        batch.finish();
    }
}
