package jpi;

import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A key under which something is kept with a communicator, for the code that made the key: see {@link JComm#setAttribute}. Each rank
 * has values of its own.
 *
 * @param <T> what is kept
 */
public final class JAttribute<T> {
    private final String name;
    private final Function<T, @Nullable T> copy;
    private final Consumer<? super T> delete;

    private JAttribute(String name, Function<T, @Nullable T> copy, Consumer<? super T> delete) {
        this.name = name;
        this.copy = Given.required(copy, "JAttribute.of", "what copies", "give a lambda; it may return null");
        this.delete = Given.required(delete, "JAttribute.of", "what deletes", "give a lambda; it may do nothing");
    }

    /** One whose value a duplicate of the communicator does not have. */
    public static <T> JAttribute<T> of(String name) {
        return new JAttribute<T>(name, _ -> null, _ -> {});
    }

    /** One whose value a duplicate of the communicator has too. */
    public static <T> JAttribute<T> inherited(String name) {
        return new JAttribute<T>(name, value -> value, _ -> {});
    }

    /**
     * One that is told what happens.
     *
     * @param copy gives the value that a duplicate of the communicator is to have; null: none
     * @param delete is called with a value that is deleted, replaced, or whose communicator is freed
     */
    public static <T> JAttribute<T> of(String name, Function<T, @Nullable T> copy, Consumer<? super T> delete) {
        return new JAttribute<T>(name, copy, delete);
    }

    @SuppressWarnings("unchecked") // only Ts are kept under this key
    @Nullable
    Object copy(Object value) {
        return copy.apply((T) value);
    }

    @SuppressWarnings("unchecked") // only Ts are kept under this key
    void delete(Object value) {
        delete.accept((T) value);
    }

    @Override
    public String toString() {
        return name;
    }
}
