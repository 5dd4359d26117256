package jpi;

import java.util.Collection;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * An operation that is begun again and again with the same arguments. Thread-safe; but one that is begun again before it is over
 * uses its buffer twice at once.
 *
 * @param <T> what each brings
 */
public final class JPersistent<T extends @Nullable Object> {
    private final Supplier<JRequest<T>> operation;

    JPersistent(Supplier<JRequest<T>> operation) {
        this.operation = operation;
    }

    /**
     * One of any operation, collective ones too: {@code JPersistent.of(() -> world.iallreduce(mine, sum, JOperation.SUM))}. Of a
     * collective operation each start is a call: all ranks make the same ones in the same order.
     *
     * @param operation begins it
     */
    public static <T extends @Nullable Object> JPersistent<T> of(Supplier<JRequest<T>> operation) {
        return new JPersistent<T>(
                Given.required(operation, "JPersistent.of", "an operation", "give a lambda that begins one"));
    }

    /** Begins it. */
    public JRequest<T> start() {
        return Given.required(operation.get(), "start", "a request", "let the lambda return the one that it begins");
    }

    /** Begins all of some, in their order. */
    public static List<? extends JRequest<?>> startAll(Collection<? extends JPersistent<?>> some) {
        return Given.required(some, "startAll", "operations", "give a collection of them").stream()
                .map(one -> Given.required(one, "startAll", "operations", "leave out those that are null"))
                .map(JPersistent::start)
                .toList();
    }
}
