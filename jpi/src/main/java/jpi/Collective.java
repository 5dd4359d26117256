package jpi;

import java.util.function.Consumer;
import java.util.function.Function;
import jpi.internal.engine.Errand;
import jpi.internal.engine.Rank;
import org.jspecify.annotations.Nullable;

/**
 * A collective operation as one rank begins it.
 *
 * @param <T> what it brings
 * @param call for checking mode
 * @param assembles if it may be done {@linkplain Together together}
 * @param steps what is done
 */
record Collective<T extends @Nullable Object>(Call call, boolean assembles, Function<Exchange, T> steps) {
    /** One that is not done together. */
    Collective(Call call, Function<Exchange, T> steps) {
        this(call, false, steps);
    }

    /** One that brings nothing: it fills buffers. */
    static Collective<@Nullable Void> filling(Call call, Consumer<Exchange> steps) {
        return filling(call, false, steps);
    }

    /** The same, which may be done together. */
    static Collective<@Nullable Void> assembling(Call call, Consumer<Exchange> steps) {
        return filling(call, true, steps);
    }

    private static Collective<@Nullable Void> filling(Call call, boolean assembles, Consumer<Exchange> steps) {
        return new Collective<@Nullable Void>(call, assembles, exchange -> {
            steps.accept(exchange);
            return null;
        });
    }

    /** Does it. */
    T run(Exchange exchange) {
        if (!assembles) {
            exchange.leave();
        }
        Rank rank = exchange.members().rank();
        return rank.isWatched() ? rank.watch(exchange.operation(call), () -> perform(exchange)) : perform(exchange);
    }

    private T perform(Exchange exchange) {
        try {
            exchange.enter(call);
            T result = steps.apply(exchange);
            exchange.end(); // not after an exception: something may still be under way
            return result;
        } finally {
            exchange.leave();
        }
    }

    /** Begins it, in a thread of its own. */
    JRequest<T> begin(Exchange exchange) {
        Rank rank = exchange.members().rank();
        Errand<T> errand = Errand.start(rank, exchange::standing, () -> run(exchange));
        return new JRequest<T>(rank, errand, errand::result);
    }
}
