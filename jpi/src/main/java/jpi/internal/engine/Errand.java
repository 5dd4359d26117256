package jpi.internal.engine;

import java.util.function.Supplier;
import jpi.JException;
import org.jspecify.annotations.Nullable;

/**
 * Something that a rank has done in a virtual thread of its own.
 *
 * @param <T> what it brings
 */
public final class Errand<T extends @Nullable Object> extends Completion {
    private static final ScopedValue<Errand<?>> CURRENT = ScopedValue.newInstance();

    private final Rank rank;
    private final Supplier<String> description;
    private final Supplier<? extends T> work;
    private @Nullable T result;

    private Errand(Rank rank, Supplier<String> description, Supplier<? extends T> work) {
        super(rank.mailbox());
        this.rank = rank;
        this.description = description;
        this.work = work;
    }

    /**
     * Begins one.
     *
     * @param description what its rank does, after "waits": for whoever looks for a deadlock
     */
    public static <T extends @Nullable Object> Errand<T> start(
            Rank rank, Supplier<String> description, Supplier<? extends T> work) {
        Errand<T> errand = new Errand<>(rank, description, work);
        rank.mailbox()
                .startAside(
                        () -> rank.run(() -> ScopedValue.where(CURRENT, errand).run(errand::run)));
        return errand;
    }

    /** If the calling thread does one. */
    static boolean isCurrent() {
        return CURRENT.isBound();
    }

    private void run() {
        try {
            result = work.get();
        } catch (RuntimeException e) {
            fail(e);
            return;
        } catch (Error e) {
            fail(new JException("rank " + rank.number() + " waited " + description.get() + ", which failed: " + e, e));
            throw e;
        }
        complete();
    }

    /** What it has brought, once it is over. */
    @SuppressWarnings("NullAway") // null only where T may be
    public T result() {
        check();
        return result;
    }

    @Override
    public String description() {
        return description.get();
    }
}
