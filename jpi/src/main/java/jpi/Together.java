package jpi;

import java.util.function.IntToLongFunction;
import jpi.internal.engine.Receive;
import jpi.internal.shm.Assembly;
import org.jspecify.annotations.Nullable;

/**
 * What a few ranks that share CPUs do with little: each leaves what it gives, waits until those have come whose it needs, and takes that
 * itself. So no rank waits for another one more than once, and it waits for nobody who has only to pass something on.
 */
final class Together {
    /** Bytes that each of all ranks goes through. */
    private static final int LITTLE = 2 << 10;

    private final Exchange exchange;
    private final Assembly assembly;
    /** Of one rank. */
    private final JBuffer given;

    private Together(Exchange exchange, Assembly assembly, JBuffer given) {
        this.exchange = exchange;
        this.assembly = assembly;
        this.given = given;
    }

    /**
     * An operation of this kind.
     *
     * @param given by this rank, as much as by each other
     * @return null: it is to be done in another way, by all ranks
     */
    static @Nullable Together of(Exchange exchange, JBuffer given) {
        return of(exchange, given, Assembly.MOST_BYTES);
    }

    /** The same, unless so much is given that it would take each rank longer to go through all of it than one to send it on. */
    static @Nullable Together ofLittle(Exchange exchange, JBuffer given) {
        return of(exchange, given, LITTLE / exchange.size());
    }

    private static @Nullable Together of(Exchange exchange, JBuffer given, int mostBytes) {
        Assembly assembly = given.size() <= mostBytes ? exchange.members().assembly() : null;
        if (assembly == null) {
            exchange.leave();
            return null;
        }
        return new Together(exchange, assembly, given);
    }

    /** What is done. */
    private enum Kind {
        BARRIER(1),
        ALL_GATHER(2),
        ALL_TO_ALL(3),
        ALL_REDUCE(4),
        REDUCE_SCATTER(5),
        REDUCE(6),
        SCAN(7),
        EXSCAN(8);

        private static final int TYPE = Integer.SIZE;
        private static final int ROOT = TYPE + Byte.SIZE;
        private static final int NUMBER = ROOT + Byte.SIZE;

        private final long number;

        Kind(int number) {
            this.number = number;
        }

        /** This and what it is done with, so that it can be compared. */
        long with(JBuffer given, long root) {
            long type = given.type().name().charAt(0); // no two begin alike
            return (number << NUMBER) | (root << ROOT) | (type << TYPE) | given.count();
        }
    }

    /**
     * This rank comes, and waits for those whose it needs.
     *
     * @param needs a bit for each whose a rank needs
     */
    private void meet(Kind kind, int root, IntToLongFunction needs) {
        long said = kind.with(given, root);
        exchange.meet(assembly, said, given, needs);
        for (long left = needs.applyAsLong(exchange.me()); left != 0; left &= left - 1) {
            if (assembly.said(exchange.number(), Long.numberOfTrailingZeros(left)) != said) {
                throw Gathering.mismatch();
            }
        }
    }

    private long all() {
        return below(exchange.size());
    }

    private static long below(int rank) {
        return (1L << rank) - 1;
    }

    /** Puts what a rank has given, or a part of it, to where there is room for it. */
    private void put(int rank, long offset, JBuffer into) {
        try {
            assembly.copy(exchange.number(), rank, offset, into.memory());
        } catch (IllegalStateException e) {
            throw Receive.gone(e);
        }
    }

    /**
     * The first rank says when, and goes on first: so what a rank sends to all, or ranks do in their order, need not wait for ranks that are
     * still there.
     */
    void barrier() {
        meet(Kind.BARRIER, 0, rank -> rank == 0 ? all() : 0);
        Broadcast.straight(exchange, Barrier.NOTHING, 0);
    }

    /** @param into for what all ranks give */
    void allGather(JBuffer into) {
        JBuffer[] blocks = into.blocks(exchange.size());
        blocks[exchange.me()].requireTakes(given);
        meet(Kind.ALL_GATHER, 0, _ -> all());
        for (int i = 0; i < blocks.length; i++) {
            put(i, 0, blocks[i]);
        }
    }

    /** @param into for a block from each rank */
    void allToAll(JBuffer into) {
        into.requireTakes(given);
        JBuffer[] blocks = into.blocks(exchange.size());
        meet(Kind.ALL_TO_ALL, 0, _ -> all());
        for (int from = 0; from < blocks.length; from++) {
            put(from, exchange.me() * blocks[from].size(), blocks[from]);
        }
    }

    /**
     * Of the first ranks, in their order, in the result of the values.
     *
     * @param ranks how many
     * @param offset of bytes, where in what each has given its values begin
     */
    private void reduce(Values.OfBuffers values, int ranks, long offset) {
        put(0, offset, values.result());
        for (int i = 1; i < ranks; i++) {
            put(i, offset, values.incoming());
            var _ = values.fold(values.result(), values.incoming(), false);
        }
    }

    void reduce(Values.OfBuffers values, int root) {
        meet(Kind.REDUCE, root, rank -> rank == root ? all() : 0);
        if (exchange.me() == root) {
            reduce(values, exchange.size(), 0);
        }
    }

    void allReduce(Values.OfBuffers values) {
        meet(Kind.ALL_REDUCE, 0, _ -> all());
        reduce(values, exchange.size(), 0);
    }

    /**
     * Each rank gets a part of what is reduced.
     *
     * @param values of this rank's part
     * @param offset of bytes, where it begins
     */
    void reduceScatter(Values.OfBuffers values, long offset) {
        meet(Kind.REDUCE_SCATTER, 0, _ -> all());
        reduce(values, exchange.size(), offset);
    }

    void scan(Values.OfBuffers values) {
        meet(Kind.SCAN, 0, rank -> below(rank + 1));
        reduce(values, exchange.me() + 1, 0);
    }

    void exscan(Values.OfBuffers values) {
        meet(Kind.EXSCAN, 0, Together::below);
        if (exchange.me() > 0) {
            reduce(values, exchange.me(), 0);
        }
    }
}
