package jpi;

import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** How every rank gets a message of its own from one rank, or from each. */
final class Scattering {
    /**
     * So many bytes go through one rank where ranks share CPUs: each then waits twice, where blocks straight from each to each would
     * come after many turns.
     */
    private static final int THROUGH_ONE = 64 << 10;

    /** Of these, blocks straight from each to each are there as soon. */
    private static final int VERY_FEW_RANKS = 4;

    private Scattering() {}

    // From one.

    static @Nullable Object object(Exchange exchange, @Nullable List<?> messages, int root) {
        exchange.requireRoot(root);
        Tree tree = Tree.of(exchange, root);
        @Nullable Object[] held;
        if (tree.isRoot()) {
            if (messages == null) {
                throw new JException("the root of a scatter, rank " + root + ", has given no list of messages: give one"
                        + " with a message for each rank");
            }
            exchange.requireOneEach("messages", messages.size());
            held = messages.toArray();
            Collections.rotate(Arrays.asList(held), -root);
        } else {
            held = Gathering.array(exchange.receive(tree.parent()), tree.span());
        }
        for (int distance = tree.farthest(); distance > 0; distance >>= 1) {
            exchange.send(Arrays.copyOfRange(held, distance, distance + tree.below(distance)), tree.child(distance));
        }
        return held[0];
    }

    /** Blocks of one size. */
    static void buffer(Exchange exchange, @Nullable JBuffer send, JBuffer receive, int root) {
        exchange.requireRoot(root);
        Tree tree = Tree.of(exchange, root);
        int count = receive.count();
        JBuffer all = tree.isRoot() ? Gathering.requireBlocks(exchange, send, count, "sends") : null;
        if (receive.size() > Gathering.LARGE || exchange.size() == 2 || exchange.isCrowded()) {
            straight(exchange, all == null ? null : all.blocks(exchange.size()), receive, root);
            return;
        }
        int span = tree.span();
        if (span == 1 && all == null) {
            exchange.receive(receive, tree.parent());
            return;
        }
        JBuffer held = all != null && root == 0 ? all : exchange.temporary(receive.type(), (long) span * count);
        if (all == null) {
            exchange.receive(held, tree.parent());
        } else if (root != 0) {
            Gathering.rotate(all, held, all.count() - root * count);
        }
        for (int distance = tree.farthest(); distance > 0; distance >>= 1) {
            exchange.send(held.slice(distance * count, tree.below(distance) * count), tree.child(distance));
        }
        receive.copyFrom(held.slice(0, count));
    }

    /**
     * The root sends to every rank itself.
     *
     * @param blocks null but at the root
     */
    static void straight(Exchange exchange, JBuffer @Nullable [] blocks, JBuffer receive, int root) {
        if (blocks == null) {
            exchange.receive(receive, root);
            return;
        }
        Exchange.Batch batch = exchange.new Batch();
        for (int i = 0; i < blocks.length; i++) {
            if (i != root) {
                batch.begin(blocks[i], i);
            }
        }
        receive.copyFrom(blocks[root]);
        batch.finish();
    }

    // From each.

    static List<@Nullable Object> objectsFromAll(Exchange exchange, List<?> messages) {
        int size = exchange.size();
        int me = exchange.me();
        exchange.requireOneEach("messages", messages.size());
        @Nullable Object[] received = new @Nullable Object[size];
        received[me] = messages.get(me);
        Exchange.Batch batch = exchange.new Batch();
        for (int i = 1; i < size; i++) {
            int to = (me + i) % size;
            batch.begin(messages.get(to), to);
        }
        for (int i = 1; i < size; i++) {
            int from = (me - i + size) % size;
            received[from] = exchange.receive(from);
        }
        batch.finish();
        return Gathering.list(received);
    }

    /** Blocks of one size. */
    static void buffersFromAll(Exchange exchange, JBuffer send, JBuffer receive) {
        int size = exchange.size();
        if (send.count() % size != 0) {
            throw new JException(send + " for " + size + " ranks: must have a multiple of as many elements");
        }
        JBuffer all = Gathering.requireBlocks(exchange, receive, send.count() / size, "receives");
        Together together = Together.of(exchange, send);
        if (together != null) {
            together.allToAll(all);
        } else if (exchange.isCrowded() && size > VERY_FEW_RANKS && size * send.size() <= THROUGH_ONE) {
            throughOne(exchange, send, all);
        } else {
            blocksFromAll(exchange, send.blocks(size), all.blocks(size));
        }
    }

    /** One rank gets all blocks, and gives each rank those that are for it. */
    private static void throughOne(Exchange exchange, JBuffer send, JBuffer receive) {
        if (exchange.me() != 0) {
            exchange.send(send, 0);
            exchange.receive(receive, 0);
            return;
        }
        int size = exchange.size();
        int count = size * send.count();
        JBuffer both = exchange.temporary(send.type(), 2L * count);
        JBuffer given = both.slice(0, count);
        JBuffer wanted = both.slice(count, count);
        Gathering.straight(exchange, send, given.blocks(size), 0);
        turn(given, wanted, size);
        straight(exchange, wanted.blocks(size), receive, 0);
    }

    /** Makes rows of a square of blocks of what are its columns. */
    private static void turn(JBuffer square, JBuffer into, int size) {
        long bytes = square.size() / size / size;
        for (int i = 0; i < size; i++) {
            for (int j = 0; j < size; j++) {
                MemorySegment.copy(
                        square.memory(), (i * size + j) * bytes, into.memory(), (j * size + i) * bytes, bytes);
            }
        }
    }

    /**
     * Small blocks, and those of few ranks, are sent all at once; of larger ones a rank sends and receives one at a time, so that no
     * rank is overrun.
     */
    static void blocksFromAll(Exchange exchange, JBuffer[] send, JBuffer[] receive) {
        int size = exchange.size();
        int me = exchange.me();
        if (size == 2) {
            exchange.swap(send[1 - me], receive[1 - me], send[me], receive[me]);
            return;
        }
        receive[me].copyFrom(send[me]);
        long atOnce = size <= Gathering.FEW_RANKS ? Long.MAX_VALUE : Gathering.LARGE;
        Exchange.Batch batch = exchange.new Batch();
        for (int i = 1; i < size; i++) {
            int to = (me + i) % size;
            int from = (me - i + size) % size;
            if (receive[from].size() <= atOnce) {
                batch.expect(receive[from], from);
            }
            if (send[to].size() <= atOnce) {
                batch.begin(send[to], to);
            }
        }
        for (int i = 1; i < size; i++) {
            int to = (me + i) % size;
            int from = (me - i + size) % size;
            Exchange.Batch step = exchange.new Batch();
            if (receive[from].size() > atOnce) {
                step.expect(receive[from], from);
            }
            if (send[to].size() > atOnce) {
                step.begin(send[to], to);
            }
            step.finish();
        }
        batch.finish();
    }
}
