package mpi;

import java.util.function.Consumer;
import java.util.function.Supplier;
import jpi.JRequest;
import org.jspecify.annotations.Nullable;

/**
 * A collective operation, to be done at once or to be begun.
 *
 * @param now does it
 * @param later begins it
 * @param end puts what it has brought where it belongs
 */
record Collective<T extends @Nullable Object>(Supplier<T> now, Supplier<JRequest<T>> later, Consumer<T> end) {
    /** One that fills buffers. */
    static Collective<@Nullable Void> filling(Runnable now, Supplier<JRequest<@Nullable Void>> later, Runnable end) {
        return new Collective<@Nullable Void>(
                () -> {
                    now.run();
                    return null;
                },
                later,
                _ -> end.run());
    }

    void run() {
        MPIException.in(() -> end.accept(now.get()));
    }

    Request begin() {
        return MPIException.of(() -> {
            JRequest<T> request = later.get();
            return Request.of(request, () -> end.accept(request.await()));
        });
    }
}
