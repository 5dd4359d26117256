package jpi;

import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** How every rank's message reaches one rank, or all. */
final class Gathering {
    /** Blocks of fewer bytes travel together with others; larger ones straight to where they are wanted. */
    static final int LARGE = 2 << 10;

    /** Of so many ranks at most the root takes each block itself: nobody else has to wait. */
    static final int FEW_RANKS = 16;

    private Gathering() {}

    // Objects.

    /** Refuses a buffer, whose contents would come to some ranks as an array, and it itself to others. */
    static void requireObject(@Nullable Object message) {
        if (message instanceof JBuffer) {
            throw new JException(message + " is given to a collective operation on objects: give a second buffer, for"
                    + " what comes, or an array");
        }
    }

    /** Null but at the root. */
    static @Nullable List<@Nullable Object> objects(Exchange exchange, @Nullable Object mine, int root) {
        exchange.requireRoot(root);
        Tree tree = Tree.of(exchange, root);
        @Nullable Object[] held = new @Nullable Object[tree.span()];
        held[0] = mine;
        for (int distance = 1; tree.hasChild(distance); distance <<= 1) {
            int below = tree.below(distance);
            System.arraycopy(array(exchange.receive(tree.child(distance)), below), 0, held, distance, below);
        }
        if (!tree.isRoot()) {
            exchange.send(held, tree.parent());
            return null;
        }
        Collections.rotate(Arrays.asList(held), root);
        return list(held);
    }

    /** In each of log(size) rounds a rank passes on what it holds, and gets as much again (Bruck). */
    static List<@Nullable Object> allObjects(Exchange exchange, @Nullable Object mine) {
        int size = exchange.size();
        int me = exchange.me();
        @Nullable Object[] held = new @Nullable Object[size];
        held[0] = mine;
        for (int distance = 1; distance < size; distance <<= 1) {
            int count = Math.min(distance, size - distance);
            Object received =
                    exchange.swap(Arrays.copyOf(held, count), (me - distance + size) % size, (me + distance) % size);
            System.arraycopy(array(received, count), 0, held, distance, count);
        }
        Collections.rotate(Arrays.asList(held), me);
        return list(held);
    }

    /** So many messages that another rank has sent in an operation of the same kind. */
    static @Nullable Object[] array(@Nullable Object received, int count) {
        if (received instanceof Object[] array && array.length == count) {
            return array;
        }
        throw mismatch();
    }

    static JException mismatch() {
        return new JException(
                "the collective calls of the ranks do not match: start the program with -check to find out where");
    }

    /** An array as a list that cannot be changed. */
    static List<@Nullable Object> list(@Nullable Object[] array) {
        return Collections.<@Nullable Object>unmodifiableList(Arrays.<@Nullable Object>asList(array));
    }

    // Buffers.

    /** Blocks of one size. */
    static void buffer(Exchange exchange, JBuffer send, @Nullable JBuffer receive, int root) {
        exchange.requireRoot(root);
        Tree tree = Tree.of(exchange, root);
        JBuffer all = tree.isRoot() ? requireBlocks(exchange, receive, send.count(), "receives") : null;
        if (send.size() > LARGE || exchange.size() <= FEW_RANKS) {
            straight(exchange, send, all == null ? null : all.blocks(exchange.size()), root);
            return;
        }
        int span = tree.span();
        if (span == 1 && all == null) {
            exchange.send(send, tree.parent());
            return;
        }
        JBuffer held = all != null && root == 0 ? all : exchange.temporary(send.type(), (long) span * send.count());
        held.slice(0, send.count()).copyFrom(send);
        for (int distance = 1; tree.hasChild(distance); distance <<= 1) {
            exchange.receive(
                    held.slice(distance * send.count(), tree.below(distance) * send.count()), tree.child(distance));
        }
        if (all == null) {
            exchange.send(held, tree.parent());
        } else if (root != 0) {
            rotate(held, all, root * send.count());
        }
    }

    /**
     * Every rank sends its block to the root itself.
     *
     * @param blocks null but at the root
     */
    static void straight(Exchange exchange, JBuffer send, JBuffer @Nullable [] blocks, int root) {
        if (blocks == null) {
            exchange.send(send, root);
            return;
        }
        if (blocks.length == 2 && send.size() <= LARGE) { // one to receive, and no need to begin it before
            blocks[root].copyFrom(send);
            exchange.receive(blocks[1 - root], 1 - root);
            return;
        }
        Exchange.Batch batch = exchange.new Batch();
        for (int i = 0; i < blocks.length; i++) {
            if (i != root) {
                batch.expect(blocks[i], i);
            }
        }
        blocks[root].copyFrom(send);
        batch.finish();
    }

    /** Blocks of one size, to all. */
    static void allBuffers(Exchange exchange, JBuffer send, JBuffer receive) {
        int size = exchange.size();
        int me = exchange.me();
        int count = send.count();
        JBuffer all = requireBlocks(exchange, receive, count, "receives");
        if (size == 2) {
            JBuffer[] blocks = all.blocks(2);
            exchange.swap(send, blocks[1 - me], send, blocks[me]);
            return;
        }
        Together together = Together.of(exchange, send);
        if (together != null) {
            together.allGather(all);
            return;
        }
        if (all.size() <= Broadcast.SMALL && exchange.isCrowded()) {
            straight(exchange, send, me == 0 ? all.blocks(size) : null, 0);
            Broadcast.straight(exchange, all, 0);
            return;
        }
        if (send.size() > LARGE || size == 1) {
            JBuffer[] blocks = all.blocks(size);
            blocks[me].copyFrom(send);
            if (size <= FEW_RANKS) {
                each(exchange, blocks);
            } else {
                ring(exchange, blocks, me);
            }
            return;
        }
        JBuffer held = me == 0 ? all : exchange.temporary(send.type(), (long) size * count);
        held.slice(0, count).copyFrom(send);
        for (int distance = 1; distance < size; distance <<= 1) {
            int blocks = Math.min(distance, size - distance);
            exchange.swap(
                    held.slice(0, blocks * count),
                    (me - distance + size) % size,
                    held.slice(distance * count, blocks * count),
                    (me + distance) % size);
        }
        if (me != 0) {
            rotate(held, all, me * count);
        }
    }

    /** Every rank sends its block to each of the others. */
    private static void each(Exchange exchange, JBuffer[] blocks) {
        int size = blocks.length;
        int me = exchange.me();
        Exchange.Batch batch = exchange.new Batch();
        for (int i = 1; i < size; i++) {
            int from = (me - i + size) % size;
            batch.expect(blocks[from], from);
        }
        batch.beginToAll(blocks[me]);
        batch.finish();
    }

    /** Blocks go round, one further in each round, until every rank has all; a rank has that of its place to begin with. */
    static void ring(Exchange exchange, JBuffer[] blocks, int place) {
        int size = blocks.length;
        int right = (exchange.me() + 1) % size;
        int left = (exchange.me() - 1 + size) % size;
        for (int round = 0; round < size - 1; round++) {
            exchange.swap(
                    blocks[(place - round + size) % size], right, blocks[(place - round - 1 + size) % size], left);
        }
    }

    // What blocks are.

    /** A buffer for the blocks of all ranks. */
    static JBuffer requireBlocks(Exchange exchange, @Nullable JBuffer all, int count, String what) {
        if (all == null) {
            throw new JException("rank " + exchange.me() + " " + what
                    + " the blocks of all ranks, but has given no buffer for them: give one of "
                    + (long) count * exchange.size() + " elements");
        }
        if (all.count() != (long) count * exchange.size()) {
            throw new JException(all + " where rank " + exchange.me() + " " + what + " " + exchange.size()
                    + " blocks of " + count + ": must have " + (long) count * exchange.size() + " elements");
        }
        return all;
    }

    static JBuffer temporary(JType type, long count) {
        if (count > Integer.MAX_VALUE - Long.BYTES) {
            throw new JException(count + " " + type + "s at once are too many: pass them in parts");
        }
        return JBuffer.ofArray(type.newArray((int) count));
    }

    /** Copies so that what is first comes to some place, and the end to the beginning. */
    static void rotate(JBuffer from, JBuffer into, int place) {
        int head = from.count() - place;
        into.slice(place, head).copyFrom(from.slice(0, head));
        into.slice(0, place).copyFrom(from.slice(head, place));
    }
}
