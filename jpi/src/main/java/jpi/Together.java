package jpi;

import jpi.internal.engine.Receive;
import jpi.internal.shm.Assembly;
import org.jspecify.annotations.Nullable;

/**
 * What a few ranks that share CPUs do with little: each leaves what it gives and waits, and whoever comes last does the work and sends the
 * others what they get. So each rank gives way once; where it is always the same one that does it, that one needs a turn in between.
 */
final class Together {
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
        Assembly assembly =
                given.size() <= Assembly.MOST_BYTES ? exchange.members().assembly() : null;
        if (assembly == null) {
            exchange.leave();
            return null;
        }
        return new Together(exchange, assembly, given);
    }

    /** This rank comes. True: it is the last one. */
    private boolean comesLast(Kind kind) {
        long said = kind.with(given);
        if (!exchange.comesLast(assembly, said, given)) {
            return false;
        }
        for (int i = 0; i < exchange.size(); i++) {
            if (assembly.said(exchange.number(), i) != said) {
                throw Gathering.mismatch();
            }
        }
        return true;
    }

    /** What is done. */
    private enum Kind {
        ALL_GATHER(1),
        ALL_TO_ALL(2),
        ALL_REDUCE(3),
        REDUCE_SCATTER(4);

        private final int number;

        Kind(int number) {
            this.number = number;
        }

        /** This and what it is done with, so that it can be compared. */
        long with(JBuffer given) {
            char type = given.type().name().charAt(0); // no two begin alike
            return ((long) number << Byte.SIZE | type) << Integer.SIZE | given.count();
        }
    }

    /** Puts what a rank has given, or a part of it, to where there is room for it. */
    private void put(int rank, long offset, JBuffer into) {
        try {
            assembly.copy(exchange.number(), rank, offset, into.memory());
        } catch (IllegalStateException e) {
            throw Receive.gone(e);
        }
    }

    private void receive(JBuffer into) {
        exchange.receive(into, Receive.ANY);
    }

    /** @param into for what all ranks give */
    void allGather(JBuffer into) {
        JBuffer[] blocks = into.blocks(exchange.size());
        blocks[exchange.me()].requireTakes(given);
        if (!comesLast(Kind.ALL_GATHER)) {
            receive(into);
            return;
        }
        for (int i = 0; i < blocks.length; i++) {
            put(i, 0, blocks[i]);
        }
        Broadcast.straight(exchange, into, exchange.me());
    }

    /** @param into for a block from each rank */
    void allToAll(JBuffer into) {
        into.requireTakes(given);
        if (!comesLast(Kind.ALL_TO_ALL)) {
            receive(into);
            return;
        }
        int size = exchange.size();
        JBuffer[] each =
                exchange.temporary(into.type(), (long) size * into.count()).blocks(size);
        for (int to = 0; to < size; to++) {
            JBuffer[] blocks = each[to].blocks(size);
            for (int from = 0; from < size; from++) {
                put(from, to * blocks[from].size(), blocks[from]);
            }
        }
        Scattering.straight(exchange, each, into, exchange.me());
    }

    /** Of all that ranks give, in their order, in the result of the values. */
    private JBuffer reduce(Values.OfBuffers values) {
        JBuffer held = values.result();
        put(0, 0, held);
        for (int i = 1; i < exchange.size(); i++) {
            put(i, 0, values.incoming());
            held = values.fold(held, values.incoming(), false);
        }
        return held;
    }

    void allReduce(Values.OfBuffers values) {
        if (comesLast(Kind.ALL_REDUCE)) {
            Broadcast.straight(exchange, reduce(values), exchange.me());
        } else {
            receive(values.result());
        }
    }

    /**
     * Each rank gets a part of what is reduced.
     *
     * @param values of which no rank needs all
     * @param counts of those that are for each rank
     * @param into for this one's
     */
    void reduceScatter(Values.OfBuffers values, int[] counts, JBuffer into) {
        if (comesLast(Kind.REDUCE_SCATTER)) {
            JBuffer[] parts = new Blocks(reduce(values), counts, null).apart(exchange);
            Scattering.straight(exchange, parts, into, exchange.me());
        } else {
            receive(into);
        }
    }
}
